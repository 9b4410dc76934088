#include "session.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "failure.hpp"

namespace kokoro {
namespace {

constexpr int kBuffers = 22;
constexpr std::size_t kKeptBytes = 64u << 20;  // of a sentence of five seconds
constexpr std::size_t kLargePage = 2u << 20;
constexpr int kItemsPerThread = 4;  // enough to even out threads of different speed
constexpr int kFewBlocks = 3;  // weights that no more blocks use are expanded by each

// Large ones in large pages where the system has them: a sentence's buffers are new each time, and most of what that costs goes by pages.
void* allocated(std::size_t bytes) {
    const bool is_large = bytes >= kLargePage;
    void* memory = nullptr;
    if (posix_memalign(&memory, is_large ? kLargePage : kAlignment, bytes) != 0) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (is_large) madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
    return memory;
}

}  // namespace

void Buffer::Free::operator()(void* memory) const { std::free(memory); }

float* Buffer::at_least(std::size_t count) {
    if (count > count_) {
        release();
        memory_.reset(static_cast<float*>(allocated(count * sizeof(float))));
        count_ = count;
    }
    return memory_.get();
}

Session::Session(const Kernels& kernels, int threads)
    : kernels_(kernels), threads_(threads), buffers_(kBuffers), scratch_(static_cast<std::size_t>(threads_.count())) {}

void Session::release_large() {
    std::size_t bytes = 0;
    for (const auto& buffer : buffers_) bytes += buffer.bytes();
    if (bytes <= kKeptBytes) return;
    for (auto& buffer : buffers_) buffer.release();
    expanded_.release();
}

void Session::each(int items, const std::function<void(int, int)>& work) {
    threads_.each(items, [&](int item, int thread) {
        if (!cancelled_.load(std::memory_order_relaxed)) work(item, thread);
    });
    if (cancelled_) throw Failure(Status::kCancelled, "it was cancelled");
}

void Session::reserve_scratch(std::size_t bytes) {
    for (auto& scratch : scratch_) scratch.at_least(bytes / sizeof(float) + 1);
}

// The weights as they are multiplied, made by all threads; null where they are multiplied as they are, or each block makes its own.
const float* Session::expanded(const Convolution& convolution, int blocks) {
    const std::ptrdiff_t size = kernels_.expanded_panel(convolution);
    const int panels = convolution.outputs / kernels_.panel;
    if (size == 0 || blocks <= kFewBlocks) return nullptr;
    float* weights = expanded_.at_least(static_cast<std::size_t>(size) * panels);
    each(panels, [&](int panel, int) { kernels_.expand(convolution, panel, weights + panel * size); });
    return weights;
}

void Session::convolve(Call call, Sums* sums) {
    const Convolution& convolution = *call.convolution;
    const int blocks = blocks_of(call.output.rows), panels = convolution.outputs / kernels_.panel;
    if (sums) {
        partial_.resize(static_cast<std::size_t>(blocks) * 2 * convolution.outputs);
        call.output.sums = partial_.data();
    }
    reserve_scratch(kernels_.scratch_bytes(convolution));
    call.expanded = expanded(convolution, blocks);
    // Blocks that are one item, and those behind them whose panels are shared out, so that no thread waits long for the last.
    const int wanted = threads() > 1 ? kItemsPerThread * threads() : 1;
    const int whole = blocks < wanted ? 0 : blocks / threads() * threads();
    const int parts = std::min(panels, whole ? threads() : (wanted + blocks - 1) / blocks);
    each(whole + (blocks - whole) * parts, [&](int item, int thread) {
        auto* scratch = reinterpret_cast<unsigned char*>(scratch_[thread].at_least(0));
        if (item < whole) return kernels_.convolve(call, item, 0, panels, scratch);
        const int part = (item - whole) % parts;
        kernels_.convolve(call, whole + (item - whole) / parts, panels * part / parts, panels * (part + 1) / parts, scratch);
    });
    if (sums) reduce(partial_.data(), blocks, convolution.outputs, *sums);
}

void Session::activate(const Activation& activation, const float* x, float* out, int rows, int channels) {
    each(blocks_of(rows), [&](int block, int) {
        kernels_.activate(activation, x, out, block * kBlockRows, std::min(rows, (block + 1) * kBlockRows), channels);
    });
}

void Session::sum(const float* x, int rows, int channels, Sums& sums) {
    partial_.resize(static_cast<std::size_t>(blocks_of(rows)) * 2 * channels);
    each(blocks_of(rows), [&](int block, int) {
        float* out = partial_.data() + static_cast<std::size_t>(block) * 2 * channels;
        kernels_.sum_block(x, block * kBlockRows, std::min(rows, (block + 1) * kBlockRows), channels, out);
    });
    reduce(partial_.data(), blocks_of(rows), channels, sums);
}

void Session::add(float* x, const float* y, int rows, int channels, Sums& sums) {
    partial_.resize(static_cast<std::size_t>(blocks_of(rows)) * 2 * channels);
    each(blocks_of(rows), [&](int block, int) {
        float* out = partial_.data() + static_cast<std::size_t>(block) * 2 * channels;
        kernels_.add_block(x, y, block * kBlockRows, std::min(rows, (block + 1) * kBlockRows), channels, out);
    });
    reduce(partial_.data(), blocks_of(rows), channels, sums);
}

// In the order of the blocks, whichever thread made them.
void Session::reduce(const float* partial, int blocks, int channels, Sums& sums) {
    sums.sum.assign(channels, 0.0);
    sums.squares.assign(channels, 0.0);
    for (int block = 0; block < blocks; ++block, partial += 2 * channels)
        for (int c = 0; c < channels; ++c) {
            sums.sum[c] += partial[c];
            sums.squares[c] += partial[channels + c];
        }
}

}  // namespace kokoro
