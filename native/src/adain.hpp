// Adaptive instance normalisation: (x - mean) / deviation * (1 + gamma) + beta, gamma and beta from the style. Folded into a gain
// and an offset for each channel, which the next convolution applies as it reads.
#pragma once

#include <string>
#include <vector>

#include "packed_file.hpp"
#include "session.hpp"

namespace kokoro {

class AdaIn {
   public:
    // `channels` as padded; gains and offsets of padding come out such that zeros stay zeros.
    AdaIn(const PackedFile& file, const std::string& name, int channels);

    struct Affine {
        std::vector<float> gain, offset;
    };

    // `style` is [kStyleWidth]; `sums` are those of `rows` rows.
    void fold(const Session& session, const float* style, const Sums& sums, int rows, Affine& result) const;

   private:
    int channels_;
    const float* weights_;  // [kStyleWidth][2 * channels]: gamma, then beta
    const float* bias_;
};

}  // namespace kokoro
