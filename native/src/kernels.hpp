// The inner loops of one level of the instruction set. `kernels.cpp` is compiled once for each level.
#pragma once

#include "layout.hpp"

namespace kokoro {

struct Kernels {
    const char* level;
    int panel;      // output channels that are computed at once
    bool has_int8;  // whether bytes are multiplied faster than floats here
    bool has_bf16;  // whether there are tiles

    // Bytes of memory that `convolve` needs for itself, for each thread.
    std::size_t (*scratch_bytes)(const Convolution&);

    // Floats of one panel's weights expanded; 0: they are multiplied as they are packed.
    std::ptrdiff_t (*expanded_panel)(const Convolution&);

    // One panel's weights as they are multiplied, for `Call::expanded`.
    void (*expand)(const Convolution&, int panel, float* out);

    // The panels [first_panel, last_panel) of one block. `scratch` is aligned to kAlignment.
    void (*convolve)(const Call&, int block, int first_panel, int last_panel, unsigned char* scratch);

    // Rows [first, last) of out = curve(gain * x + offset).
    void (*activate)(const Activation&, const float* x, float* out, int first, int last, int channels);

    // Sum and sum of squares of one block of rows into sums[0..channels) and sums[channels..2*channels).
    void (*sum_block)(const float* x, int first, int last, int channels, float* sums);

    // x += y for one block of rows, and the same sums of the result.
    void (*add_block)(float* x, const float* y, int first, int last, int channels, float* sums);

    // out[0..width) = bias + style[0..128) * weights[128][width].
    void (*project)(const float* style, const float* weights, const float* bias, int width, float* out);
};

extern const Kernels kernels_generic;
#if defined(__x86_64__)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avxvnni;
extern const Kernels kernels_avx512;
extern const Kernels kernels_avx512vnni;
extern const Kernels kernels_amx;
#elif defined(__aarch64__)
extern const Kernels kernels_neon;
#endif

}  // namespace kokoro
