#include "levels.hpp"

#include "failure.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kokoro {
namespace {

#if defined(__x86_64__)

// What the processor can do, as far as the kernel saves the registers for it.
struct Processor {
    bool avx2 = false, avxvnni = false, avx512 = false, avx512vnni = false;

    Processor() {
        unsigned a, b, c, d;
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return;
        const bool fma = c & bit_FMA;
        const unsigned saved = saved_registers();
        if ((saved & 0x6) != 0x6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
        const unsigned features = b, more = c;
        avx2 = fma && (features & (1u << 5));
        avx512 = avx2 && (saved & 0xe0) == 0xe0 && has_all(features, {16, 17, 30, 31});  // F, DQ, BW, VL
        avx512vnni = avx512 && (more & (1u << 11));
        avxvnni = avx2 && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 4));
    }

    static unsigned saved_registers() {
        unsigned low, high;
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        return low;
    }

    static bool has_all(unsigned features, std::initializer_list<int> bits) {
        for (int bit : bits)
            if (!(features & (1u << bit))) return false;
        return true;
    }
};

std::vector<const Kernels*> detect() {
    const Processor processor;
    std::vector<const Kernels*> found;
    if (processor.avx512vnni) found.push_back(&kernels_avx512vnni);
    if (processor.avxvnni) found.push_back(&kernels_avxvnni);
    if (processor.avx512) found.push_back(&kernels_avx512);
    if (processor.avx2) found.push_back(&kernels_avx2);
    found.push_back(&kernels_generic);
    return found;
}

#elif defined(__aarch64__)

std::vector<const Kernels*> detect() { return {&kernels_neon, &kernels_generic}; }

#else

std::vector<const Kernels*> detect() { return {&kernels_generic}; }

#endif

}  // namespace

const std::vector<const Kernels*>& available_levels() {
    static const std::vector<const Kernels*> found = detect();
    return found;
}

const Kernels& level_named(const std::string& name) {
    for (const Kernels* level : available_levels())
        if (name == level->level) return *level;
    throw Failure(Status::kUnavailable, "this processor has no level " + name);
}

// The generic level multiplies bytes only to be compared with.
Precision precision_named(const Kernels& level, const std::string& name) {
    if (name == "f32") return Precision::kFloat32;
    if (name == "int8" && (level.has_int8 || &level == &kernels_generic)) return Precision::kInt8;
    throw Failure(Status::kUnavailable, std::string("the level ") + level.level + " has no precision " + name);
}

std::string precisions_of(const Kernels& level) { return level.has_int8 ? "int8,f32" : "f32"; }

}  // namespace kokoro
