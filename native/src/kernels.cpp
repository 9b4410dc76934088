// Compiled once for each level, with that level's flags and KOKORO_LEVEL as its name. Nothing in here has a symbol that another
// level could share: all is in the level's namespace and static, and only C's library is called.
#include <math.h>
#include <string.h>

#include "kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#ifndef KOKORO_LEVEL
#define KOKORO_LEVEL generic
#define KOKORO_GENERIC
#endif
#define KOKORO_JOIN(a, b) a##b
#define KOKORO_NAME(a, b) KOKORO_JOIN(a, b)
#define KOKORO_TEXT_(a) #a
#define KOKORO_TEXT(a) KOKORO_TEXT_(a)

namespace kokoro {
namespace KOKORO_NAME(level_, KOKORO_LEVEL) {

// The next `count` elements of the scratch memory, aligned.
template <typename Element>
static inline Element* carve(unsigned char*& memory, std::ptrdiff_t count) {
    auto* result = reinterpret_cast<Element*>(memory);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Element);
    memory += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return result;
}

#include "simd.hpp"
#include "activation.hpp"
#include "epilogue.hpp"
#include "convolution_float.hpp"
#include "convolution_winograd.hpp"
#include "convolution_int8.hpp"
#if defined(KOKORO_AMX)
#include "tiles.hpp"
#else
#include "tiles_emulated.hpp"
#endif
#include "convolution_bf16.hpp"

static std::size_t scratch_bytes(const Convolution& convolution) {
    switch (convolution.form) {
        case Form::kWinograd: return winograd_scratch(convolution);
        case Form::kInt8: return int8_scratch(convolution);
        case Form::kBf16:
        case Form::kBf16Bytes:
        case Form::kBf16Floats: return bf16_scratch(convolution);
        default: return float_scratch(convolution);
    }
}

static std::ptrdiff_t expanded_panel(const Convolution& convolution) {
    return convolution.form == Form::kWinograd ? winograd_panel(convolution) : 0;
}

static void convolve(const Call& call, int block, int first_panel, int last_panel, unsigned char* scratch) {
    switch (call.convolution->form) {
        case Form::kWinograd: return convolve_winograd(call, block, first_panel, last_panel, scratch);
        case Form::kInt8: return convolve_int8(call, block, first_panel, last_panel, scratch);
        case Form::kBf16:
        case Form::kBf16Bytes:
        case Form::kBf16Floats: return convolve_bf16(call, block, first_panel, last_panel, scratch);
        default: return convolve_float(call, block, first_panel, last_panel, scratch);
    }
}

static inline void count(float* sums, int channels, int c, Floats y) {
    store(sums + c, load(sums + c) + y);
    store(sums + channels + c, y * y + load(sums + channels + c));
}

static void sum_block(const float* x, int first, int last, int channels, float* sums) {
    memset(sums, 0, 2 * channels * sizeof(float));
    for (int row = first; row < last; ++row)
        for (int c = 0; c < channels; c += kLanes) count(sums, channels, c, load(x + static_cast<std::ptrdiff_t>(row) * channels + c));
}

static void add_block(float* x, const float* y, int first, int last, int channels, float* sums) {
    memset(sums, 0, 2 * channels * sizeof(float));
    for (int row = first; row < last; ++row) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * channels;
        for (int c = 0; c < channels; c += kLanes) {
            const Floats sum = load(x + at + c) + load(y + at + c);
            store(x + at + c, sum);
            count(sums, channels, c, sum);
        }
    }
}

static void project(const float* style, const float* weights, const float* bias, int width, float* out) {
    for (int c = 0; c < width; c += kLanes) {
        Floats sum = load(bias + c);
        for (int i = 0; i < kStyleWidth; ++i) sum += load(weights + static_cast<std::ptrdiff_t>(i) * width + c) * style[i];
        store(out + c, sum);
    }
}

}  // namespace KOKORO_NAME(level_, KOKORO_LEVEL)

extern const Kernels KOKORO_NAME(kernels_, KOKORO_LEVEL);
const Kernels KOKORO_NAME(kernels_, KOKORO_LEVEL) = {
    KOKORO_TEXT(KOKORO_LEVEL),
    KOKORO_NAME(level_, KOKORO_LEVEL)::kPanel,
    KOKORO_NAME(level_, KOKORO_LEVEL)::kHasInt8,
    KOKORO_NAME(level_, KOKORO_LEVEL)::kHasBf16,
    KOKORO_NAME(level_, KOKORO_LEVEL)::scratch_bytes,
    KOKORO_NAME(level_, KOKORO_LEVEL)::expanded_panel,
    KOKORO_NAME(level_, KOKORO_LEVEL)::expand_winograd,
    KOKORO_NAME(level_, KOKORO_LEVEL)::convolve,
    KOKORO_NAME(level_, KOKORO_LEVEL)::activate,
    KOKORO_NAME(level_, KOKORO_LEVEL)::sum_block,
    KOKORO_NAME(level_, KOKORO_LEVEL)::add_block,
    KOKORO_NAME(level_, KOKORO_LEVEL)::project,
};

}  // namespace kokoro
