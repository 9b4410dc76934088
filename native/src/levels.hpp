// Which levels of the instruction set this processor has, and which precisions each has.
#pragma once

#include <string>
#include <vector>

#include "kernels.hpp"

namespace kokoro {

enum class Precision { kFloat32, kInt8, kBf16 };

// Fastest first; `generic` is always the last.
const std::vector<const Kernels*>& available_levels();

// Why a level that the processor seems to have is not among them; empty where there is none.
const std::string& refused_level();

// One of those, or `amx-emulated`: the fastest of the others with the tiles of AMX by plain arithmetic, for tests, which no list
// names. Throws Failure(kUnavailable).
const Kernels& level_named(const std::string& name);
Precision precision_named(const Kernels& level, const std::string& name);

// bf16, int8, f32: those that are worth having at this level, the best first.
std::string precisions_of(const Kernels& level);

}  // namespace kokoro
