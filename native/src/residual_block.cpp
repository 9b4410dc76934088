#include "residual_block.hpp"

#include <algorithm>
#include <cstring>

namespace kokoro {
namespace {

constexpr float kLeakySlope = 0.2f;
constexpr float kInverseRootOfTwo = 0.70710678f;
constexpr double kPi = 3.14159265358979323846;
constexpr int kPairs = 3;
constexpr int kDilations[kPairs] = {1, 3, 5};

Activation leaky(const AdaIn::Affine& affine) {
    Activation activation;
    activation.curve = Curve::kLeaky;
    activation.slope = kLeakySlope;
    activation.gain = affine.gain.data();
    activation.offset = affine.offset.data();
    return activation;
}

}  // namespace

AdaInBlock::AdaInBlock(const PackedFile& file, const std::string& name, int inputs, int outputs, bool has_shortcut, bool doubles)
    : inputs_(inputs),
      outputs_(outputs),
      doubles_(doubles),
      first_(file.convolution(name + ".conv1", inputs, outputs, 3, 1)),
      second_(file.convolution(name + ".conv2", outputs, outputs, 3, 1)),
      first_norm_(file, name + ".norm1", inputs),
      second_norm_(file, name + ".norm2", outputs) {
    if (has_shortcut) shortcut_ = file.convolution(name + ".conv1x1", inputs, outputs, 1, 1);
    if (doubles) {
        pool_weights_ = file.vector(name + ".pool.weight", 3 * inputs);
        pool_bias_ = file.vector(name + ".pool.bias", inputs);
    }
}

void AdaInBlock::double_rows(Session& session, const float* x, int rows, float* out) const {
    const float *w0 = pool_weights_, *w1 = w0 + inputs_, *w2 = w1 + inputs_;
    session.each(blocks_of(rows), [&](int block, int) {
        for (int t = block * kBlockRows; t < std::min(rows, (block + 1) * kBlockRows); ++t) {
            const float* now = x + static_cast<std::ptrdiff_t>(t) * inputs_;
            const float* next = t + 1 < rows ? now + inputs_ : nullptr;
            float* even = out + static_cast<std::ptrdiff_t>(2 * t) * inputs_;
            float* odd = even + inputs_;
            for (int c = 0; c < inputs_; ++c) {
                even[c] = now[c] * w1[c] + pool_bias_[c];
                odd[c] = now[c] * w2[c] + (next ? next[c] : 0.0f) * w0[c] + pool_bias_[c];
            }
        }
    });
}

void AdaInBlock::run(Session& session, const float* x, int rows, const float* style, float* out, int first_buffer) const {
    const int rows_out = this->rows_out(rows);
    float* between = session.buffer(first_buffer, static_cast<std::size_t>(rows_out) * outputs_);
    Sums sums;
    AdaIn::Affine affine;
    session.sum(x, rows, inputs_, sums);
    first_norm_.fold(session, style, sums, rows, affine);

    Call first{&first_, leaky(affine), {x, inputs_, rows, 1}, {between, outputs_, rows_out}};
    if (doubles_) {
        float* activated = session.buffer(first_buffer + 1, static_cast<std::size_t>(rows) * inputs_);
        float* doubled = session.buffer(first_buffer + 2, static_cast<std::size_t>(rows_out) * inputs_);
        session.activate(first.activation, x, activated, rows, inputs_);
        double_rows(session, activated, rows, doubled);
        first.activation = {};
        first.input = {doubled, inputs_, rows_out, 1};
    }
    session.convolve(first, &sums);

    Output output{out, outputs_, rows_out, x, inputs_, doubles_ ? 1 : 0, kInverseRootOfTwo};
    if (shortcut_.weights) {
        float* shortcut = session.buffer(first_buffer + 3, static_cast<std::size_t>(rows) * outputs_);
        session.convolve({&shortcut_, {}, {x, inputs_, rows, 0}, {shortcut, outputs_, rows}});
        output.residual = shortcut;
        output.residual_stride = outputs_;
    }
    second_norm_.fold(session, style, sums, rows_out, affine);
    session.convolve({&second_, leaky(affine), {between, outputs_, rows_out, 1}, output});
}

SnakeBlock::SnakeBlock(const PackedFile& file, const std::string& name, int channels, int taps) : channels_(channels) {
    for (int pair = 0; pair < kPairs; ++pair)
        for (int which = 1; which <= 2; ++which) {
            const std::string number = std::to_string(which) + "." + std::to_string(pair);
            const float* alpha = file.vector(name + ".alpha" + number, channels);
            Half half{file.convolution(name + ".convs" + number, channels, channels, taps, which == 1 ? kDilations[pair] : 1),
                      AdaIn(file, name + ".adain" + number, channels), std::vector<float>(channels), std::vector<float>(channels)};
            for (int c = 0; c < channels; ++c) {
                half.alpha_over_pi[c] = static_cast<float>(alpha[c] / kPi);
                half.inverse_alpha[c] = 1 / alpha[c];
            }
            halves_.push_back(std::move(half));
        }
}

void SnakeBlock::step(Session& session, const Half& half, const float* style, const Sums& sums, const float* x, int rows, Output output,
                      Sums* result) const {
    AdaIn::Affine affine;
    half.norm.fold(session, style, sums, rows, affine);
    Activation snake;
    snake.curve = Curve::kSnake;
    snake.gain = affine.gain.data();
    snake.offset = affine.offset.data();
    snake.alpha_over_pi = half.alpha_over_pi.data();
    snake.inverse_alpha = half.inverse_alpha.data();
    const int pad = (half.convolution.taps - 1) * half.convolution.dilation / 2;
    session.convolve({&half.convolution, snake, {x, channels_, rows, pad}, output}, result);
}

void SnakeBlock::run(Session& session, const float* x, const Sums& sums, int rows, const float* style, float* between, float* within,
                     float* out, float factor, bool accumulate) const {
    Sums before = sums, middle;
    const float* current = x;
    for (int pair = 0; pair < kPairs; ++pair) {
        const bool is_last = pair == kPairs - 1;
        step(session, halves_[2 * pair], style, before, current, rows, {between, channels_, rows}, &middle);
        Output output{is_last ? out : within, channels_, rows, current, channels_, 0};
        if (is_last) output.factor = factor, output.accumulate = accumulate;
        step(session, halves_[2 * pair + 1], style, middle, between, rows, output, is_last ? nullptr : &before);
        current = within;
    }
}

}  // namespace kokoro
