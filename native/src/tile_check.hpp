// Whether this processor's tiles may be used: asked of the processor, of the kernel, and then tried.
#pragma once

#include <string>

#include "kernels.hpp"

namespace kokoro {

// Whether `level` multiplies in bf16 as `reference` does: a few convolutions of odd shapes. The two round an input differently
// now and then, so they are compared by the power of their difference.
bool multiplies_alike(const Kernels& level, const Kernels& reference);

struct TileState {
    bool is_usable;
    std::string reason;  // why not; empty where the processor has no tiles either
};

// Of the processor that has all that the level needs besides. Takes some milliseconds where there are tiles.
TileState tile_state();

}  // namespace kokoro
