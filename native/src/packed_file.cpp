#include "packed_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "failure.hpp"

namespace kokoro {
namespace {

constexpr int kLargest = 1 << 20;  // of any dimension: products of them stay far below 2^64

[[noreturn]] void unfit(const std::string& what) { throw Failure(Status::kFileUnfit, "the packed weights " + what); }

std::uint32_t fnv(std::uint32_t hash, const void* data, std::size_t bytes) {
    for (const auto* p = static_cast<const unsigned char*>(data); bytes--; ++p) hash = (hash ^ *p) * 16777619u;
    return hash;
}

bool in_range(std::int64_t value, std::int64_t multiple) { return value > 0 && value <= kLargest && value % multiple == 0; }

bool is_sound(const FileEntry& entry, std::uint64_t file_bytes, int panel) {
    const auto fits = [file_bytes](std::uint64_t offset, std::uint64_t bytes) {
        return offset % kAlignment == 0 && offset >= sizeof(FileHeader) && offset <= file_bytes && bytes <= file_bytes - offset;
    };
    if (!memchr(entry.name, 0, kNameBytes) || !fits(entry.data_offset, entry.data_bytes)) return false;
    if (static_cast<Form>(entry.form) == Form::kVector)
        return in_range(entry.outputs, 1) && entry.data_bytes == entry.outputs * sizeof(float);
    return entry.form <= static_cast<std::uint32_t>(Form::kBf16Floats) && in_range(entry.inputs, kChannelMultiple) &&
           in_range(entry.outputs, kChannelMultiple) && in_range(entry.taps, 1) && in_range(entry.dilation, 1) &&
           entry.data_bytes == packed_bytes(entry, panel) && fits(entry.bias_offset, entry.outputs * sizeof(float));
}

}  // namespace

std::uint32_t checksum_of(const FileHeader& header, const FileEntry* entries) {
    const std::uint32_t hash = fnv(2166136261u, header.fingerprint, sizeof header.fingerprint);
    return fnv(hash, entries, header.entry_count * sizeof(FileEntry));
}

std::uint64_t packed_bytes(const FileEntry& entry, int panel) {
    const std::uint64_t channels = static_cast<std::uint64_t>(round_up(entry.outputs, panel)) * entry.inputs;
    switch (static_cast<Form>(entry.form)) {
        case Form::kVector: return entry.outputs * sizeof(float);
        case Form::kFloat: return channels * entry.taps * sizeof(float);
        case Form::kBf16: return channels * entry.taps * sizeof(Bf16);
        case Form::kBf16Floats: return channels * entry.taps * 2 * sizeof(Bf16);
        case Form::kWinograd: return channels * winograd_groups(entry.taps) * winograd_taps(entry.taps);
        default: return channels * entry.taps;
    }
}

PackedFile::PackedFile(const std::string& path, const std::string& fingerprint, int panel) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw Failure(Status::kFileFailed, path + ": " + std::strerror(errno));
    struct stat status;
    const bool known = fstat(descriptor, &status) == 0;
    bytes_ = known ? static_cast<std::size_t>(status.st_size) : 0;
    memory_ = bytes_ ? mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (memory_ == MAP_FAILED) throw Failure(Status::kFileFailed, path + " can't be mapped");
    try {
        check(fingerprint, panel);
    } catch (...) {
        munmap(memory_, bytes_);
        throw;
    }
}

PackedFile::~PackedFile() { munmap(memory_, bytes_); }

void PackedFile::check(const std::string& fingerprint, int panel) {
    if (bytes_ < sizeof(FileHeader)) unfit("are cut off");
    const auto& header = *at<FileHeader>(0);
    if (std::memcmp(header.magic, "KOKOPACK", 8) != 0) unfit("are of another kind");
    if (header.version != kVersion || header.panel != static_cast<std::uint32_t>(panel)) unfit("are of another version");
    if (header.file_bytes != bytes_ || header.entries_offset % kAlignment != 0 || header.entries_offset > bytes_ ||
        header.entry_count > (bytes_ - header.entries_offset) / sizeof(FileEntry))
        unfit("are cut off");
    const auto* entries = at<FileEntry>(header.entries_offset);
    if (header.checksum != checksum_of(header, entries)) unfit("are damaged");
    if (!memchr(header.fingerprint, 0, kFingerprintBytes) || fingerprint != header.fingerprint) unfit("are of another model");
    for (std::uint32_t i = 0; i < header.entry_count; ++i) {
        if (!is_sound(entries[i], bytes_, panel)) unfit("are damaged");
        entries_[entries[i].name] = &entries[i];
    }
}

const FileEntry& PackedFile::entry(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) unfit("lack " + name);
    return *found->second;
}

Convolution PackedFile::convolution(const std::string& name, int inputs, int outputs, int taps, int dilation) const {
    const FileEntry& found = entry(name);
    if (static_cast<Form>(found.form) == Form::kVector || found.inputs != inputs || found.outputs != outputs || found.taps != taps ||
        found.dilation != dilation)
        unfit("have another shape of " + name);
    return {static_cast<Form>(found.form), inputs,     outputs, taps, dilation, found.scale, found.zero, at<char>(found.data_offset),
            at<float>(found.bias_offset)};
}

const float* PackedFile::vector(const std::string& name, int length) const {
    const FileEntry& found = entry(name);
    if (static_cast<Form>(found.form) != Form::kVector || found.outputs != length) unfit("have another shape of " + name);
    return at<float>(found.data_offset);
}

}  // namespace kokoro
