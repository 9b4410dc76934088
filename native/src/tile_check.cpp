#include "tile_check.hpp"

#include <cstring>
#include <random>
#include <vector>

#include "failure.hpp"
#include "packing.hpp"
#include "session.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace kokoro {
namespace {

// The power of the difference may be this part of the whole: 60 dB. A difference in the order of sums makes 1e-14 of it, an input
// that was rounded the other way 1e-9, and a wrong tile about all of it.
constexpr double kLargestDifference = 1e-6;

struct Shape {
    int inputs, outputs, taps, dilation, rows;
    Form form;
};

// One tile and two, a row too many for a tile and for a block, and each form.
constexpr Shape kShapes[] = {
    {32, 32, 3, 1, 1, Form::kBf16},       {64, 32, 7, 3, 33, Form::kBf16},        {32, 32, 3, 5, kBlockRows + 17, Form::kBf16},
    {64, 64, 3, 1, 31, Form::kBf16Bytes}, {96, 32, 1, 1, 48, Form::kBf16Floats},
};

std::vector<float> convolved(const Kernels& level, const Shape& shape) {
    std::mt19937 dice(shape.rows);
    std::uniform_real_distribution<float> between(-2, 2);
    const std::size_t count = static_cast<std::size_t>(shape.outputs) * shape.inputs * shape.taps;
    std::vector<unsigned char> bytes(count);
    std::vector<float> floats(count), bias(shape.outputs), x(static_cast<std::size_t>(shape.rows) * shape.inputs);
    for (auto& value : bytes) value = static_cast<unsigned char>(dice() & 255);
    for (auto* values : {&floats, &bias, &x})
        for (auto& value : *values) value = between(dice);
    const bool is_of_floats = kokoro::is_of_floats(shape.form);
    const void* weights = is_of_floats ? static_cast<const void*>(floats.data()) : bytes.data();
    const PlainConvolution plain{shape.inputs, shape.outputs, shape.taps, shape.dilation, weights, 1, 128, bias.data()};
    FileEntry entry{};
    const auto packed = pack(plain, shape.form, level.panel, entry);
    Buffer aligned;
    std::memcpy(aligned.at_least(packed.size() / sizeof(float) + 1), packed.data(), packed.size());
    const Convolution convolution{shape.form, shape.inputs,        shape.outputs, shape.taps, shape.dilation, is_of_floats ? 1.0f : 0.01f,
                                  128,        aligned.at_least(0), bias.data()};
    std::vector<float> out(static_cast<std::size_t>(shape.rows) * shape.outputs);
    const int pad = (shape.taps - 1) * shape.dilation / 2;
    Session(level, 1).convolve({&convolution, {}, {x.data(), shape.inputs, shape.rows, pad}, {out.data(), shape.outputs, shape.rows}});
    return out;
}

#if defined(__x86_64__)

bool processor_has_tiles() {
    unsigned a, b, c, d;
    const auto has = [](unsigned bits, int bit) { return (bits >> bit & 1) != 0; };
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has(d, 22) || !has(d, 24)) return false;  // AMX-BF16, AMX-TILE
    if (!__get_cpuid_count(7, 1, &a, &b, &c, &d) || !has(a, 5)) return false;                  // AVX512-BF16
    if (!__get_cpuid_count(0x1d, 1, &a, &b, &c, &d)) return false;
    return (b >> 16) >= 8 && (b & 0xffff) >= 64 && (c & 0xffff) >= kTileHeight;  // tiles, bytes of a row, rows
}

// The kernel saves tiles only of processes that asked for them; it must know them, and lend them.
bool kernel_lends_tiles() {
    constexpr int kAskForState = 0x1023, kTileData = 18;
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low >> 17 & 3) == 3 && syscall(SYS_arch_prctl, kAskForState, kTileData) == 0;
}

// In a child, which may be killed for it: a machine that says that it has tiles may still know none of their instructions.
bool child_survives(void (*work)()) {
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        work();
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Each instruction once. Nothing in here takes memory or a lock: other threads of the parent may have held them.
void touch_tiles() {
    alignas(kAlignment) static const unsigned char configuration[64] = {1,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 0, 64, 0,
                                                                        0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0,  0, 0,  0, 0,  0,
                                                                        0,  0, 0, 0, 16, 16, 16};
    alignas(kAlignment) static unsigned char memory[1024];
    asm volatile(
        "ldtilecfg %0\n\ttilezero %%tmm0\n\ttileloadd (%1,%2,1), %%tmm1\n\ttileloadd (%1,%2,1), %%tmm2\n\t"
        "tdpbf16ps %%tmm2, %%tmm1, %%tmm0\n\ttilestored %%tmm0, (%1,%2,1)\n\ttilerelease" ::"m"(configuration),
        "r"(memory), "r"(64L)
        : "memory");
}

#endif

}  // namespace

bool multiplies_alike(const Kernels& level, const Kernels& reference) {
    for (const Shape& shape : kShapes) {
        const auto found = convolved(level, shape), expected = convolved(reference, shape);
        double power = 0, difference = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            power += static_cast<double>(expected[i]) * expected[i];
            difference += (static_cast<double>(found[i]) - expected[i]) * (static_cast<double>(found[i]) - expected[i]);
        }
        if (!(difference <= kLargestDifference * power)) return false;  // and so where it is no number
    }
    return true;
}

TileState tile_state() {
#if defined(__x86_64__) && !defined(KOKORO_WITHOUT_AMX)
    if (!processor_has_tiles()) return {false, ""};
    if (!kernel_lends_tiles()) return {false, "the processor has AMX tiles, but the kernel does not lend them"};
    if (!child_survives(touch_tiles)) return {false, "the processor says that it has AMX tiles, and does not know their instructions"};
    if (!multiplies_alike(kernels_amx, kernels_generic)) return {false, "the processor's AMX tiles do not multiply as they should"};
    return {true, ""};
#else
    return {false, ""};
#endif
}

}  // namespace kokoro
