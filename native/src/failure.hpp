// What can go wrong, as the C API tells it. The numbers are part of the interface.
#pragma once

#include <stdexcept>
#include <string>

namespace kokoro {

enum class Status : int {
    kOk = 0,
    kInvalidArgument = 1,
    kOutOfMemory = 2,
    kFileFailed = 3,      // can't be read or written
    kFileUnfit = 4,       // damaged, of another version, or of other weights
    kCancelled = 5,
    kUnavailable = 6,     // this processor does not have that level, or that level not this precision
    kInternal = 7,
};

class Failure : public std::runtime_error {
   public:
    Failure(Status status, const std::string& message) : std::runtime_error(message), status(status) {}
    const Status status;
};

}  // namespace kokoro
