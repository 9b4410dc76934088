#include <cstring>

#include "network.hpp"

namespace kokoro {
namespace {

constexpr int kHidden = 1024;
constexpr int kResidual = 64;
constexpr int kEncodeInputs = kFeatures + 2;                // with pitch and energy
constexpr int kDecodeInputs = kHidden + kResidual + 2;
constexpr int kEncodeWidth = round_up(kEncodeInputs, kChannelMultiple);
constexpr int kDecodeWidth = round_up(kDecodeInputs, kChannelMultiple);

}  // namespace

Decoder::Decoder(const PackedFile& file)
    : pitch_weights_(file.vector("decoder.F0_conv.weight", 3)),
      pitch_bias_(file.vector("decoder.F0_conv.bias", 1)),
      energy_weights_(file.vector("decoder.N_conv.weight", 3)),
      energy_bias_(file.vector("decoder.N_conv.bias", 1)),
      residual_(file.convolution("decoder.asr_res", kFeatures, kResidual, 1, 1)),
      encode_(file, "decoder.encode", kEncodeWidth, kHidden, true, false) {
    for (int i = 0; i < 3; ++i) decode_.emplace_back(file, "decoder.decode." + std::to_string(i), kDecodeWidth, kHidden, true, false);
    decode_.emplace_back(file, "decoder.decode.3", kDecodeWidth, kFeatures, true, true);
}

std::vector<float> Decoder::halved(const float* x, int frames, const float* weights, const float* bias) {
    std::vector<float> result(frames);
    for (int t = 0; t < frames; ++t) {
        float sum = bias[0];
        for (int tap = 0; tap < 3; ++tap) {
            const int at = 2 * t + tap - 1;
            if (at >= 0 && at < 2 * frames) sum += weights[tap] * x[at];
        }
        result[t] = sum;
    }
    return result;
}

void Decoder::run(Session& session, const float* features, int frames, const float* pitch, const float* energy, const float* style,
                  float* out) const {
    const auto size = static_cast<std::size_t>(frames);
    const std::vector<float> p = halved(pitch, frames, pitch_weights_, pitch_bias_);
    const std::vector<float> e = halved(energy, frames, energy_weights_, energy_bias_);
    float* joined = session.buffer(kLayerBuffers, size * kEncodeWidth);
    float* residual = session.buffer(kLayerBuffers + 1, size * kResidual);
    float* hidden = session.buffer(kLayerBuffers + 2, size * kHidden);
    float* wide = session.buffer(kLayerBuffers + 3, size * kDecodeWidth);
    std::memset(joined, 0, size * kEncodeWidth * sizeof(float));
    for (int t = 0; t < frames; ++t) {
        float* row = joined + static_cast<std::ptrdiff_t>(t) * kEncodeWidth;
        for (int c = 0; c < kFeatures; ++c) row[c] = features[static_cast<std::ptrdiff_t>(c) * frames + t];
        row[kFeatures] = p[t];
        row[kFeatures + 1] = e[t];
    }
    session.convolve({&residual_, {}, {joined, kEncodeWidth, frames, 0}, {residual, kResidual, frames}});
    encode_.run(session, joined, frames, style, hidden, kBlockBuffers);
    std::memset(wide, 0, size * kDecodeWidth * sizeof(float));
    for (std::size_t i = 0; i < decode_.size(); ++i) {
        for (int t = 0; t < frames; ++t) {
            float* row = wide + static_cast<std::ptrdiff_t>(t) * kDecodeWidth;
            std::memcpy(row, hidden + static_cast<std::ptrdiff_t>(t) * kHidden, kHidden * sizeof(float));
            std::memcpy(row + kHidden, residual + static_cast<std::ptrdiff_t>(t) * kResidual, kResidual * sizeof(float));
            row[kHidden + kResidual] = p[t];
            row[kHidden + kResidual + 1] = e[t];
        }
        const bool is_last = i + 1 == decode_.size();
        decode_[i].run(session, wide, frames, style, is_last ? out : hidden, kBlockBuffers);
    }
}

}  // namespace kokoro
