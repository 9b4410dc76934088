#include <algorithm>
#include <cmath>

#include "network.hpp"

namespace kokoro {
namespace {

constexpr float kGain = 4;  // the exported graph divides by the window's sum at the first samples only, and multiplies everywhere
constexpr int kEdge = kWindow / 2;

void window_of(const float* row, const float* basis, float* out) {
    float parts[kSpectrum];
    for (int k = 0; k < kBins; ++k) {
        const float magnitude = std::exp(row[k]), phase = std::sin(row[kBins + k]);
        parts[k] = magnitude * std::cos(phase);
        parts[kBins + k] = magnitude * std::sin(phase);
    }
    float sum[kWindow] = {};
    for (int k = 0; k < kSpectrum; ++k)
        for (int i = 0; i < kWindow; ++i) sum[i] += parts[k] * basis[k * kWindow + i];
    std::copy(sum, sum + kWindow, out);
}

}  // namespace

void synthesise(Session& session, const float* spectrum, int stride, int rows, const float* basis, float* audio) {
    float* windows = session.buffer(kFramesBuffer, static_cast<std::size_t>(rows) * kWindow);
    session.each(blocks_of(rows), [&](int block, int) {
        for (int row = block * kBlockRows; row < std::min(rows, (block + 1) * kBlockRows); ++row)
            window_of(spectrum + static_cast<std::ptrdiff_t>(row) * stride, basis, windows + static_cast<std::ptrdiff_t>(row) * kWindow);
    });
    // Overlap and add, without the edges: sample n lies in the windows from (n + edge - window) / hop + 1 to (n + edge) / hop.
    const int samples = (rows - 1) * kHop;
    session.each(blocks_of(rows), [&](int block, int) {
        const int last = std::min(samples, (block + 1) * kBlockRows * kHop);
        for (int n = block * kBlockRows * kHop; n < last; ++n) {
            const int at = n + kEdge, latest = std::min(rows - 1, at / kHop);
            float sum = 0;
            for (int row = std::max(0, (at - kWindow) / kHop + 1); row <= latest; ++row)
                if (at - row * kHop < kWindow) sum += windows[static_cast<std::ptrdiff_t>(row) * kWindow + at - row * kHop];
            audio[n] = sum * kGain;
        }
    });
}

void Network::speak(Session& session, const float* features, const float* hidden, int frames, const float* style, float* audio) const {
    const int pitches = 2 * frames;
    float* pitch = session.buffer(kPitchBuffer, pitches);
    float* energy = session.buffer(kEnergyBuffer, pitches);
    float* decoded = session.buffer(kDecodedBuffer, static_cast<std::size_t>(pitches) * kFeatures);
    float* spectrum = session.buffer(kSourceBuffer, static_cast<std::size_t>(spectrum_rows(pitches)) * kSpectrum);
    prosody.run(session, hidden, frames, style + kStyleWidth, pitch, energy);
    decoder.run(session, features, frames, pitch, energy, style, decoded);
    source.run(session, pitch, pitches, spectrum);
    generator.run(session, decoded, spectrum, pitches, style, audio);
}

}  // namespace kokoro
