#include <algorithm>
#include <cmath>

#include "network.hpp"

namespace kokoro {
namespace {

constexpr float kRate = 24000.0f;
constexpr float kVoicedAbove = 10.0f;  // Hz
constexpr float kAmplitude = 0.1f;
constexpr float kTwoPi = 2.0f * 3.1415927410125732f;

// sin(2 pi r) for |r| <= 1/2.
inline float sine_of_turns(float r) {
    const float u = r * r;
    float p = 3.199691886f * u - 14.8686096f;
    p = p * u + 42.01616541f;
    p = p * u - 76.70155112f;
    p = p * u + 81.60502462f;
    p = p * u - 41.34169707f;
    return r * (p * u + 6.283185273f);
}

}  // namespace

HarmonicSource::HarmonicSource(const PackedFile& file)
    : mix_(file.vector("source.mix.weight", kHarmonics)),
      mix_bias_(file.vector("source.mix.bias", 1)),
      filters_(file.vector("source.filters", kSpectrum * kWindow)),
      offsets_(file.vector("source.offsets", kSpectrum)) {}

// The phase of each harmonic in the middle of each pitch value, in radians: what it has turned until then, in floats as the
// model was trained with.
std::vector<float> HarmonicSource::phases(const float* pitch, int pitches) const {
    std::vector<float> result(static_cast<std::size_t>(kHarmonics) * pitches);
    for (int h = 0; h < kHarmonics; ++h) {
        float turned = 0;
        for (int i = 0; i < pitches; ++i) {
            const float turns = pitch[i] * static_cast<float>(h + 1) / kRate;
            turned += turns - std::floor(turns);
            result[static_cast<std::size_t>(h) * pitches + i] = turned * kTwoPi * kSamplesPerPitch;
        }
    }
    return result;
}

// The samples of one pitch value. Phases lie in between the values' middles in straight lines.
void HarmonicSource::excite(const std::vector<float>& phases, const float* pitch, int pitches, int at, float* samples) const {
    float sum[kSamplesPerPitch] = {};
    for (int h = 0; h < kHarmonics && pitch[at] > kVoicedAbove; ++h) {
        const float* phase = phases.data() + static_cast<std::size_t>(h) * pitches;
        const float before = phase[std::max(0, at - 1)], now = phase[at], after = phase[std::min(pitches - 1, at + 1)];
        const float weight = mix_[h] * kAmplitude;
        for (int i = 0; i < kSamplesPerPitch; ++i) {
            const float distance = (static_cast<float>(i) + 0.5f) / kSamplesPerPitch - 0.5f;
            const float from = distance < 0 ? before : now, to = distance < 0 ? now : after;
            const float part = distance < 0 ? distance + 1 : distance;
            const double turns = static_cast<double>((1 - part) * from + part * to) * 0.15915494309189535;
            const double whole = static_cast<int>(turns + 0.5);  // phases never go back, so they are positive
            sum[i] += weight * sine_of_turns(static_cast<float>(turns - whole));
        }
    }
    for (int i = 0; i < kSamplesPerPitch; ++i) samples[i] = std::tanh(sum[i] + mix_bias_[0]);
}

void HarmonicSource::analyse(const float* samples, float* row) const {
    for (int k = 0; k < kBins; ++k) {
        float real = offsets_[k], imaginary = offsets_[kBins + k];
        for (int i = 0; i < kWindow; ++i) {
            real += samples[i] * filters_[k * kWindow + i];
            imaginary += samples[i] * filters_[(kBins + k) * kWindow + i];
        }
        row[k] = std::sqrt(real * real + imaginary * imaginary);
        row[kBins + k] = std::atan2(imaginary, real);
    }
}

void HarmonicSource::run(Session& session, const float* pitch, int pitches, float* out) const {
    constexpr int kEdge = kWindow / 2;  // mirrored samples at either end
    const int samples = pitches * kSamplesPerPitch, rows = spectrum_rows(pitches);
    const std::vector<float> turned = phases(pitch, pitches);
    std::vector<float> padded(static_cast<std::size_t>(samples) + 2 * kEdge);
    session.each(pitches, [&](int at, int) { excite(turned, pitch, pitches, at, padded.data() + kEdge + at * kSamplesPerPitch); });
    for (int i = 0; i < kEdge; ++i) {
        padded[kEdge - 1 - i] = padded[kEdge + 1 + i];
        padded[kEdge + samples + i] = padded[kEdge + samples - 2 - i];
    }
    session.each(blocks_of(rows), [&](int block, int) {
        for (int row = block * kBlockRows; row < std::min(rows, (block + 1) * kBlockRows); ++row)
            analyse(padded.data() + static_cast<std::ptrdiff_t>(row) * kHop, out + static_cast<std::ptrdiff_t>(row) * kSpectrum);
    });
}

}  // namespace kokoro
