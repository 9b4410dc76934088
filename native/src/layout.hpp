// How tensors and weights lie in memory. Everything else agrees on this page.
//
// Tensors are time-major: row t holds all channels of one moment, as floats. The number of channels is a multiple of
// kChannelMultiple; channels that a layer does not have are zeros with zero weights.
//
// A convolution is computed in blocks of kBlockRows output rows and panels of a level's own width of output channels. Neither
// depends on the number of threads, and partial sums are added in the order of the blocks, so neither does the result.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kokoro {

// 240 rows are 60 tiles of Winograd's four rows for every dilation of the model (1, 3, 5), and whole tiles of 6, 12 and 16 rows.
constexpr int kBlockRows = 240;
constexpr int kChannelMultiple = 32;
constexpr int kStyleWidth = 128;
constexpr std::size_t kAlignment = 64;

// Winograd's F(4, 3) and F(4, 4): four outputs of a group of three taps from six points, of four taps from seven.
constexpr int kWinogradOutputs = 4;
constexpr int kMostWinogradPoints = 7;

// Tiles of AMX: 16 rows by 16 pairs of bf16, each the upper half of a float.
using Bf16 = std::uint16_t;
constexpr int kTileHeight = 16;
constexpr int kTilePairs = 16;
constexpr int kTileDepth = 2 * kTilePairs;

constexpr int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }
constexpr int blocks_of(int rows) { return (rows + kBlockRows - 1) / kBlockRows; }
constexpr int groups_of(int taps, int group_taps) { return (taps + group_taps - 1) / group_taps; }
constexpr int winograd_points(int group_taps) { return group_taps + kWinogradOutputs - 1; }

// Taps of a group: three or four, whichever multiplies less.
constexpr int winograd_taps(int taps) {
    return groups_of(taps, 4) * winograd_points(4) < groups_of(taps, 3) * winograd_points(3) ? 4 : 3;
}
constexpr int winograd_groups(int taps) { return groups_of(taps, winograd_taps(taps)); }

// How the weights of a convolution are packed. `panel` is the level's number of output channels computed at once.
enum class Form : std::uint32_t {
    kVector = 0,       // no convolution: floats as they are
    kFloat = 1,        // float [outputs/panel][taps][inputs][panel]
    kBytes = 2,        // byte  [outputs/panel][taps][inputs][panel], expanded to floats when used
    kWinograd = 3,     // byte  [outputs/panel][groups][inputs][taps of a group][panel], expanded and transformed when used
    kInt8 = 4,         // byte  [outputs/panel][taps][inputs/4][panel][4], multiplied as bytes
    kBf16 = 5,         // bf16  [outputs/panel][taps][inputs/32][2 halves of the panel][16 pairs][panel/2][2], the input rounded once
    kBf16Bytes = 6,    // byte  in that order, expanded when used; the input in two parts
    kBf16Floats = 7,   // bf16  [outputs/panel][2 parts] in that order; the input in two parts as well
};

// Whether weights of that form are made of floats, not of bytes.
constexpr bool is_of_floats(Form form) { return form == Form::kFloat || form == Form::kBf16Floats; }

// A convolution with stride 1, ready to run. `weights` are what the form says; a byte stands for (byte - zero) * scale.
struct Convolution {
    Form form;
    int inputs;    // padded
    int outputs;   // padded
    int taps;
    int dilation;
    float scale;
    float zero;
    const void* weights;
    const float* bias;  // [outputs]
};

enum class Curve { kNone, kSnake, kLeaky };

// What is done to the input of a convolution: curve(gain * x + offset), channel by channel. All arrays are [inputs].
struct Activation {
    Curve curve = Curve::kNone;
    const float* gain = nullptr;  // null: the input as it is
    const float* offset = nullptr;
    const float* alpha_over_pi = nullptr;  // of Snake: v + sin(alpha v)^2 / alpha
    const float* inverse_alpha = nullptr;
    float slope = 0;  // of the leaky curve, below zero
};

struct Input {
    const float* data;
    std::ptrdiff_t stride;  // floats from row to row
    int rows;               // rows outside of [0, rows) count as zeros, after the activation
    int pad;                // output row t sees the input rows from t - pad on
};

// y = acc * scale + bias + residual; then y * factor, and added to what is there if `accumulate`.
struct Output {
    float* data;
    std::ptrdiff_t stride;
    int rows;
    const float* residual = nullptr;
    std::ptrdiff_t residual_stride = 0;
    int residual_shift = 0;  // row t takes the residual's row t >> shift
    float factor = 1;
    bool accumulate = false;
    float* sums = nullptr;  // [blocks][2][outputs]: sum and sum of squares of each block; null: not wanted
};

struct Call {
    const Convolution* convolution;
    Activation activation;
    Input input;
    Output output;
    const float* expanded = nullptr;  // the weights of all panels as they are multiplied; null: each is expanded when it is used
};

}  // namespace kokoro
