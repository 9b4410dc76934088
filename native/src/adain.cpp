#include "adain.hpp"

#include <algorithm>
#include <cmath>

namespace kokoro {
namespace {

constexpr double kEpsilon = 1e-5;

}  // namespace

AdaIn::AdaIn(const PackedFile& file, const std::string& name, int channels)
    : channels_(channels),
      weights_(file.vector(name + ".weight", kStyleWidth * 2 * channels)),
      bias_(file.vector(name + ".bias", 2 * channels)) {}

void AdaIn::fold(const Session& session, const float* style, const Sums& sums, int rows, Affine& result) const {
    std::vector<float> projected(2 * channels_);
    session.kernels().project(style, weights_, bias_, 2 * channels_, projected.data());
    result.gain.resize(channels_);
    result.offset.resize(channels_);
    for (int c = 0; c < channels_; ++c) {
        const double mean = sums.sum[c] / rows;
        const double variance = std::max(0.0, sums.squares[c] / rows - mean * mean);
        const double gain = (1 + projected[c]) / std::sqrt(variance + kEpsilon);
        result.gain[c] = static_cast<float>(gain);
        result.offset[c] = static_cast<float>(projected[channels_ + c] - mean * gain);
    }
}

}  // namespace kokoro
