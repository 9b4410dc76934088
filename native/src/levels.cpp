#include "levels.hpp"

#include "failure.hpp"
#include "tile_check.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kokoro {
namespace {

struct Levels {
    std::vector<const Kernels*> found;
    std::string refused;
};

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

Levels detect() {
    const Processor processor;
    Levels levels;
    auto& found = levels.found;
#if !defined(KOKORO_WITHOUT_AMX)
    if (processor.avx512vnni) {
        const TileState tiles = tile_state();
        levels.refused = tiles.reason;
        if (tiles.is_usable) found.push_back(&kernels_amx);
    }
#endif
    if (processor.avx512vnni) found.push_back(&kernels_avx512vnni);
    if (processor.avxvnni) found.push_back(&kernels_avxvnni);
    if (processor.avx512) found.push_back(&kernels_avx512);
    if (processor.avx2) found.push_back(&kernels_avx2);
    found.push_back(&kernels_generic);
    return levels;
}

#elif defined(__aarch64__)

Levels detect() { return {{&kernels_neon, &kernels_generic}, ""}; }

#else

Levels detect() { return {{&kernels_generic}, ""}; }

#endif

const Levels& detected() {
    static const Levels levels = detect();
    return levels;
}

const Kernels& emulated_level() {
    static const Kernels level = [] {
        const auto& found = detected().found;
        Kernels copy = *found[found[0]->has_bf16 ? 1 : 0];
        copy.level = "amx-emulated";
        copy.has_int8 = false;
        copy.has_bf16 = true;
        return copy;
    }();
    return level;
}

}  // namespace

const std::vector<const Kernels*>& available_levels() { return detected().found; }

const std::string& refused_level() { return detected().refused; }

const Kernels& level_named(const std::string& name) {
    for (const Kernels* level : available_levels())
        if (name == level->level) return *level;
    if (name == emulated_level().level) return emulated_level();
    throw Failure(Status::kUnavailable, "this processor has no level " + name);
}

// The generic level multiplies bytes and in bf16 only to be compared with.
Precision precision_named(const Kernels& level, const std::string& name) {
    const bool is_generic = &level == &kernels_generic;
    if (name == "f32") return Precision::kFloat32;
    if (name == "int8" && (level.has_int8 || is_generic)) return Precision::kInt8;
    if (name == "bf16" && (level.has_bf16 || is_generic)) return Precision::kBf16;
    throw Failure(Status::kUnavailable, std::string("the level ") + level.level + " has no precision " + name);
}

std::string precisions_of(const Kernels& level) {
    return std::string(level.has_bf16 ? "bf16," : "") + (level.has_int8 ? "int8," : "") + "f32";
}

}  // namespace kokoro
