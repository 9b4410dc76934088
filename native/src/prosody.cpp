#include "network.hpp"

namespace kokoro {
namespace {

constexpr int kInner = 256;

}  // namespace

Prosody::Prosody(const PackedFile& file) : pitch_(predictor(file, "prosody.F0")), energy_(predictor(file, "prosody.N")) {}

Prosody::Predictor Prosody::predictor(const PackedFile& file, const std::string& name) {
    return {AdaInBlock(file, name + ".0", kFeatures, kFeatures, false, false), AdaInBlock(file, name + ".1", kFeatures, kInner, true, true),
            AdaInBlock(file, name + ".2", kInner, kInner, false, false), file.convolution(name + "_proj", kInner, kChannelMultiple, 1, 1)};
}

void Prosody::predict(Session& session, const Predictor& predictor, const float* x, int frames, const float* style, float* out) {
    const int rows = 2 * frames;
    float* first = session.buffer(kLayerBuffers, static_cast<std::size_t>(frames) * kFeatures);
    float* second = session.buffer(kLayerBuffers + 1, static_cast<std::size_t>(rows) * kInner);
    float* third = session.buffer(kLayerBuffers + 2, static_cast<std::size_t>(rows) * kInner);
    float* projected = session.buffer(kLayerBuffers + 3, static_cast<std::size_t>(rows) * kChannelMultiple);
    predictor.first.run(session, x, frames, style, first, kBlockBuffers);
    predictor.second.run(session, first, frames, style, second, kBlockBuffers);
    predictor.third.run(session, second, rows, style, third, kBlockBuffers);
    session.convolve({&predictor.projection, {}, {third, kInner, rows, 0}, {projected, kChannelMultiple, rows}});
    for (int row = 0; row < rows; ++row) out[row] = projected[static_cast<std::ptrdiff_t>(row) * kChannelMultiple];
}

void Prosody::run(Session& session, const float* x, int frames, const float* style, float* pitch, float* energy) const {
    predict(session, pitch_, x, frames, style, pitch);
    predict(session, energy_, x, frames, style, energy);
}

}  // namespace kokoro
