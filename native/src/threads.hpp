// A few threads that do one loop at a time. Each session has its own, so sessions do not wait for each other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kokoro {

class Threads {
   public:
    // `count` includes the thread that calls `each`; at least 1.
    explicit Threads(int count);
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const { return static_cast<int>(workers_.size()) + 1; }

    // work(item, thread) for every item in [0, items), in any order, on threads numbered from 0; returns when all are done.
    // `work` must not throw.
    void each(int items, const std::function<void(int, int)>& work);

   private:
    void serve(int thread);
    void take_items(int thread);

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable begun_;
    std::condition_variable left_;
    std::atomic<unsigned> round_{0};
    std::atomic<int> next_{0};
    std::atomic<int> taking_part_{0};  // workers; one that wakes up too late does not join, so nobody waits for it
    bool is_open_ = false;
    bool is_closing_ = false;
    int items_ = 0;
    const std::function<void(int, int)>* work_ = nullptr;
};

}  // namespace kokoro
