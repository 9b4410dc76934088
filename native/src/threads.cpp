#include "threads.hpp"

namespace kokoro {
namespace {

// The next loop mostly follows within microseconds: look for it a little while before sleeping.
constexpr int kLooks = 2000;

inline void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

}  // namespace

Threads::Threads(int count) {
    workers_.reserve(count > 1 ? count - 1 : 0);
    try {
        for (int i = 1; i < count; ++i) workers_.emplace_back([this, i] { serve(i); });
    } catch (const std::system_error&) {
        // The system grants no more: go on with those that are there.
    }
}

Threads::~Threads() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        is_closing_ = true;
        round_.fetch_add(1);
    }
    begun_.notify_all();
    for (auto& worker : workers_) worker.join();
}

void Threads::each(int items, const std::function<void(int, int)>& work) {
    if (workers_.empty() || items <= 1) {
        for (int item = 0; item < items; ++item) work(item, 0);
        return;
    }
    {
        std::lock_guard<std::mutex> lock(mutex_);
        items_ = items;
        work_ = &work;
        next_ = 0;
        is_open_ = true;
        round_.fetch_add(1);
    }
    begun_.notify_all();
    take_items(0);
    for (int look = 0; look < kLooks && taking_part_.load(); ++look) relax();
    std::unique_lock<std::mutex> lock(mutex_);
    is_open_ = false;
    left_.wait(lock, [this] { return taking_part_.load() == 0; });
}

void Threads::take_items(int thread) {
    for (int item; (item = next_.fetch_add(1)) < items_;) (*work_)(item, thread);
}

void Threads::serve(int thread) {
    for (unsigned seen = 0;;) {
        for (int look = 0; look < kLooks && round_.load() == seen; ++look) relax();
        std::unique_lock<std::mutex> lock(mutex_);
        begun_.wait(lock, [this, seen] { return round_.load() != seen; });
        if (is_closing_) return;
        seen = round_.load();
        if (!is_open_) continue;
        taking_part_.fetch_add(1);
        lock.unlock();
        take_items(thread);
        lock.lock();
        if (taking_part_.fetch_sub(1) == 1) left_.notify_one();
    }
}

}  // namespace kokoro
