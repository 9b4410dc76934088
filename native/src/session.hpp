// What one caller at a time computes with: threads, memory that is used again, and the flag that stops it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "kernels.hpp"
#include "threads.hpp"

namespace kokoro {

// Floats that are there again for the next sentence. Aligned; what is in them is whatever was left.
class Buffer {
   public:
    float* at_least(std::size_t count);
    std::size_t bytes() const { return count_ * sizeof(float); }
    void release() { memory_.reset(), count_ = 0; }

   private:
    struct Free {
        void operator()(void* memory) const;
    };
    std::unique_ptr<float, Free> memory_;
    std::size_t count_ = 0;
};

// Sum and sum of squares of each channel over all rows.
struct Sums {
    std::vector<double> sum, squares;
};

class Session {
   public:
    Session(const Kernels& kernels, int threads);

    const Kernels& kernels() const { return kernels_; }
    int threads() const { return threads_.count(); }

    // From any thread: the sentence under way ends with Failure(kCancelled) at its next block.
    void cancel() { cancelled_ = true; }
    void begin() { cancelled_ = false; }

    // Buffers are numbered by their users; `release_large` gives back what one long sentence took.
    float* buffer(int number, std::size_t count) { return buffers_.at(number).at_least(count); }
    void release_large();

    // All of a convolution; `sums` gets those of its output, if it is given.
    void convolve(Call call, Sums* sums = nullptr);
    void activate(const Activation& activation, const float* x, float* out, int rows, int channels);
    void sum(const float* x, int rows, int channels, Sums& sums);
    void add(float* x, const float* y, int rows, int channels, Sums& sums);

    // work(item, thread) for each item on all threads; none is begun once it was cancelled.
    void each(int items, const std::function<void(int, int)>& work);

   private:
    void reserve_scratch(std::size_t bytes);
    const float* expanded(const Convolution& convolution, int blocks);
    static void reduce(const float* partial, int blocks, int channels, Sums& sums);

    const Kernels& kernels_;
    Threads threads_;
    std::atomic<bool> cancelled_{false};
    std::vector<Buffer> buffers_;
    std::vector<Buffer> scratch_;
    Buffer expanded_;
    std::vector<float> partial_;
};

}  // namespace kokoro
