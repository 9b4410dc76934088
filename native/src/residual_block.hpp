// The two kinds of residual blocks of the model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adain.hpp"

namespace kokoro {

// Of prosody and decoder: leaky curve, two convolutions of three taps, perhaps twice the rows.
class AdaInBlock {
   public:
    // `inputs`, `outputs` as padded. `has_shortcut`: the residual passes a convolution of one tap.
    AdaInBlock(const PackedFile& file, const std::string& name, int inputs, int outputs, bool has_shortcut, bool doubles);

    int rows_out(int rows) const { return doubles_ ? 2 * rows : rows; }

    // x [rows][inputs] -> out [rows_out][outputs]. Uses the buffers first_buffer .. first_buffer + 3.
    void run(Session& session, const float* x, int rows, const float* style, float* out, int first_buffer) const;

   private:
    // Twice the rows by the transposed convolution of each channel; x and out are different.
    void double_rows(Session& session, const float* x, int rows, float* out) const;

    int inputs_, outputs_;
    bool doubles_;
    Convolution first_, second_, shortcut_{};
    AdaIn first_norm_, second_norm_;
    const float* pool_weights_ = nullptr;  // [3][inputs]
    const float* pool_bias_ = nullptr;
};

// Of the generator: Snake, three pairs of convolutions, the first of each pair with dilation 1, 3, 5.
class SnakeBlock {
   public:
    SnakeBlock(const PackedFile& file, const std::string& name, int channels, int taps);

    // out = x + ..., times `factor`, and added to what is there if `accumulate`. `sums` are those of x.
    // `between` and `within` are [rows][channels] and different from x and out.
    void run(Session& session, const float* x, const Sums& sums, int rows, const float* style, float* between, float* within,
             float* out, float factor, bool accumulate) const;

   private:
    struct Half {
        Convolution convolution;
        AdaIn norm;
        std::vector<float> alpha_over_pi, inverse_alpha;
    };
    void step(Session& session, const Half& half, const float* style, const Sums& sums, const float* x, int rows, Output output,
              Sums* result) const;

    int channels_;
    std::vector<Half> halves_;
};

}  // namespace kokoro
