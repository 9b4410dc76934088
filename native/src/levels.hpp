// Which levels of the instruction set this processor has, and which precisions each has.
#pragma once

#include <string>
#include <vector>

#include "kernels.hpp"

namespace kokoro {

enum class Precision { kFloat32, kInt8 };

// Fastest first; `generic` is always the last.
const std::vector<const Kernels*>& available_levels();

// Throws Failure(kUnavailable).
const Kernels& level_named(const std::string& name);
Precision precision_named(const Kernels& level, const std::string& name);

// f32, int8: those that are worth having at this level, the best first.
std::string precisions_of(const Kernels& level);

}  // namespace kokoro
