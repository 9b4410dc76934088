// The file of packed weights: written once for a level and a precision, then mapped. Its layout is private to this library and
// changes with kVersion; whatever does not fit is refused, never trusted.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "layout.hpp"

namespace kokoro {

constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kNameBytes = 64;
constexpr std::size_t kFingerprintBytes = 192;

struct FileHeader {
    char magic[8];
    std::uint32_t version;
    std::uint32_t panel;
    std::uint64_t file_bytes;
    std::uint64_t entries_offset;
    std::uint32_t entry_count;
    std::uint32_t checksum;  // of the fingerprint and the entries
    char fingerprint[kFingerprintBytes];
};

struct FileEntry {
    char name[kNameBytes];
    std::uint32_t form;
    std::int32_t inputs, outputs, taps, dilation;  // of a vector: outputs is its length
    float scale, zero;
    std::uint32_t reserved;
    std::uint64_t data_offset, data_bytes;
    std::uint64_t bias_offset;  // [outputs] floats; 0 of a vector
};

std::uint32_t checksum_of(const FileHeader& header, const FileEntry* entries);

// Bytes of the packed weights of that shape.
std::uint64_t packed_bytes(const FileEntry& entry, int panel);

// The file, mapped; lives as long as anything that points into it.
class PackedFile {
   public:
    // Throws Failure(kFileFailed, kFileUnfit).
    PackedFile(const std::string& path, const std::string& fingerprint, int panel);
    ~PackedFile();
    PackedFile(const PackedFile&) = delete;
    PackedFile& operator=(const PackedFile&) = delete;

    // Throw Failure(kFileUnfit) where there is none of that name and shape. Shapes are as padded.
    Convolution convolution(const std::string& name, int inputs, int outputs, int taps, int dilation) const;
    const float* vector(const std::string& name, int length) const;

   private:
    void check(const std::string& fingerprint, int panel);
    const FileEntry& entry(const std::string& name) const;
    template <typename Element>
    const Element* at(std::uint64_t offset) const {
        return reinterpret_cast<const Element*>(static_cast<const char*>(memory_) + offset);
    }

    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
    std::unordered_map<std::string, const FileEntry*> entries_;
};

}  // namespace kokoro
