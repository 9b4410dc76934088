#include <algorithm>
#include <cstring>

#include "network.hpp"

namespace kokoro {
namespace {

constexpr float kUpSlope = 0.1f;
constexpr float kPostSlope = 0.01f;
constexpr int kBranches = 3;
constexpr int kTaps[kBranches] = {3, 7, 11};
constexpr int kSpectrumWidth = round_up(kSpectrum, kChannelMultiple);
constexpr int kPostTaps = 7;

// Rows of zeros around the source, so that windows and padded channels may reach over its ends.
constexpr int kSourceEdge = 16;

Activation leaky(float slope) {
    Activation activation;
    activation.curve = Curve::kLeaky;
    activation.slope = slope;
    return activation;
}

}  // namespace

Generator::Generator(const PackedFile& file)
    : first_(stage(file, 0, kFeatures, 256, 10, 7, 12 * kSpectrum)),
      second_(stage(file, 1, 256, 128, 6, 11, kSpectrum)),
      post_(file.convolution("generator.conv_post", 128, kSpectrumWidth, kPostTaps, 1)),
      basis_(file.vector("generator.basis", kSpectrum * kWindow)) {
    first_.noise_step = 6;
    first_.noise_pad = 3;
}

// A transposed convolution with stride s and 2s taps is one of two taps whose s * channels outputs are s rows.
Generator::Stage Generator::stage(const PackedFile& file, int number, int inputs, int channels, int stride, int noise_taps,
                                  int noise_inputs) {
    const std::string n = std::to_string(number);
    Stage stage{channels,
                stride,
                file.convolution("generator.noise_convs." + n, round_up(noise_inputs, kChannelMultiple), channels, 1, 1),
                file.convolution("generator.ups." + n, inputs, stride * channels, 2, 1),
                1,
                0,
                std::make_unique<SnakeBlock>(file, "generator.noise_res." + n, channels, noise_taps),
                {}};
    for (int branch = 0; branch < kBranches; ++branch)
        stage.blocks.emplace_back(file, "generator.resblocks." + std::to_string(kBranches * number + branch), channels, kTaps[branch]);
    return stage;
}

// x [rows][inputs] -> [out_rows][channels], in a buffer of the session. `source` has kSourceEdge rows in front.
float* Generator::run_stage(Session& session, const Stage& stage, bool is_last, const float* x, int rows, const float* source,
                            int out_rows, const float* style) const {
    const int channels = stage.channels, first_buffer = kStageBuffers + (is_last ? 0 : 1);
    const std::size_t size = static_cast<std::size_t>(out_rows) * channels;
    float* between = session.buffer(kStageBuffers + 2, size);
    float* within = session.buffer(kStageBuffers + 3, size);
    float* out = session.buffer(first_buffer, size);
    // The transposed convolution begins half a stride before the first row and ends as far behind the last.
    const std::ptrdiff_t lead = static_cast<std::ptrdiff_t>(stage.stride / 2) * channels;
    const std::size_t flat = static_cast<std::size_t>(rows + 1) * stage.stride * channels;
    float* up = session.buffer(kStageBuffers + 4, flat + kChannelMultiple * channels);
    // Both are done with before the sound itself is in their places.
    float *noise = up, *noise_out = out;
    Sums sums;

    const float* windows = source + (kSourceEdge - stage.noise_pad) * kSpectrum;
    session.convolve({&stage.noise, {}, {windows, stage.noise_step * kSpectrum, out_rows, 0}, {noise, channels, out_rows}}, &sums);
    stage.noise_block->run(session, noise, sums, out_rows, style, between, within, noise_out, 1, false);

    float* current = up + lead;
    if (is_last) up += channels;  // one row more: the sound is mirrored about its first
    session.convolve({&stage.up, leaky(kUpSlope), {x, stage.up.inputs, rows, 1}, {up, stage.stride * channels, rows + 1}});
    if (is_last) std::memcpy(current, current + 2 * channels, channels * sizeof(float));

    session.add(current, noise_out, out_rows, channels, sums);
    for (int branch = 0; branch < kBranches; ++branch)
        stage.blocks[branch].run(session, current, sums, out_rows, style, between, within, out, 1.0f / kBranches, branch > 0);
    return out;
}

void Generator::run(Session& session, const float* x, const float* source, int pitches, const float* style, float* audio) const {
    const int first_rows = pitches * first_.stride, rows = spectrum_rows(pitches);
    const std::size_t source_size = static_cast<std::size_t>(rows + 2 * kSourceEdge) * kSpectrum;
    float* padded = session.buffer(kPaddedSourceBuffer, source_size);
    std::fill(padded, padded + source_size, 0.0f);
    std::memcpy(padded + kSourceEdge * kSpectrum, source, static_cast<std::size_t>(rows) * kSpectrum * sizeof(float));
    const float* middle = run_stage(session, first_, false, x, pitches, padded, first_rows, style);
    const float* fine = run_stage(session, second_, true, middle, first_rows, padded, rows, style);
    float* spectrum = session.buffer(kStageBuffers + 5, static_cast<std::size_t>(rows) * kSpectrumWidth);
    session.convolve({&post_, leaky(kPostSlope), {fine, second_.channels, rows, kPostTaps / 2}, {spectrum, kSpectrumWidth, rows}});
    synthesise(session, spectrum, kSpectrumWidth, rows, basis_, audio);
}

}  // namespace kokoro
