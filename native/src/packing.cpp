#include "packing.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "failure.hpp"

namespace kokoro {
namespace {

constexpr int kLargestDimension = 1 << 16;
constexpr int kFewestWinogradTaps = 3;

void check(const PlainConvolution& plain) {
    for (int dimension : {plain.inputs, plain.outputs, plain.taps, plain.dilation})
        if (dimension < 1 || dimension > kLargestDimension) throw Failure(Status::kInvalidArgument, "a convolution of no possible shape");
    if (!plain.weights) throw Failure(Status::kInvalidArgument, "a convolution without weights");
}

// Walks through the weights in the order of `form` and gives each place its element; what is padding gets `padding`.
template <typename Element>
class Walk {
   public:
    Walk(const PlainConvolution& plain, const FileEntry& entry, int panel, Element padding)
        : plain_(plain), inputs_(entry.inputs), panels_(round_up(entry.outputs, panel) / panel), panel_(panel), padding_(padding) {}

    template <typename Out>
    void by_tap(Out& out) const {
        for (int n = 0; n < panels_; ++n)
            for (int tap = 0; tap < plain_.taps; ++tap)
                for (int c = 0; c < inputs_; ++c)
                    for (int z = 0; z < panel_; ++z) *out++ = element(n * panel_ + z, c, tap);
    }

    template <typename Out>
    void by_group(Out& out) const {
        const int group_taps = winograd_taps(plain_.taps);
        for (int n = 0; n < panels_; ++n)
            for (int group = 0; group < winograd_groups(plain_.taps); ++group)
                for (int c = 0; c < inputs_; ++c)
                    for (int tap = 0; tap < group_taps; ++tap)
                        for (int z = 0; z < panel_; ++z) *out++ = element(n * panel_ + z, c, group * group_taps + tap);
    }

    template <typename Out>
    void by_four(Out& out) const {
        for (int n = 0; n < panels_; ++n)
            for (int tap = 0; tap < plain_.taps; ++tap)
                for (int c = 0; c < inputs_; c += 4)
                    for (int z = 0; z < panel_; ++z)
                        for (int i = 0; i < 4; ++i) *out++ = element(n * panel_ + z, c + i, tap);
    }

    template <typename Out>
    void by_pair(Out& out) const {
        for (int n = 0; n < panels_; ++n)
            for (int tap = 0; tap < plain_.taps; ++tap)
                for (int c = 0; c < inputs_; c += kTileDepth)
                    for (int half = 0; half < panel_; half += panel_ / 2)
                        for (int pair = 0; pair < kTileDepth; pair += 2)
                            for (int z = 0; z < panel_ / 2; ++z)
                                for (int i = 0; i < 2; ++i) *out++ = element(n * panel_ + half + z, c + pair + i, tap);
    }

   private:
    Element element(int output, int input, int tap) const {
        if (output >= plain_.outputs || input >= plain_.inputs || tap >= plain_.taps) return padding_;
        const auto* weights = static_cast<const Element*>(plain_.weights);
        return weights[(static_cast<std::size_t>(output) * plain_.inputs + input) * plain_.taps + tap];
    }

    const PlainConvolution& plain_;
    const int inputs_, panels_, panel_;
    const Element padding_;
};

// To the nearest, halves to the even one.
Bf16 bf16(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<Bf16>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float widened(Bf16 value) {
    const std::uint32_t bits = static_cast<std::uint32_t>(value) << 16;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

// Where a walk's elements go, as one or two bf16 each. Of two, the second takes what rounding took of the first, a panel later.
class Bf16Out {
   public:
    Bf16Out(Bf16* out, float zero, std::ptrdiff_t panel_size = 0) : out_(out), zero_(zero), panel_size_(panel_size) {}

    Bf16Out& operator*() { return *this; }
    Bf16Out& operator++(int) { return *this; }
    template <typename Element>
    void operator=(Element element) {
        const float value = static_cast<float>(element) - zero_;
        *out_ = bf16(value);
        if (panel_size_) {
            out_[panel_size_] = bf16(value - widened(*out_));
            if (++filled_ % panel_size_ == 0) out_ += panel_size_;
        }
        ++out_;
    }

   private:
    Bf16* out_;
    float zero_;
    std::ptrdiff_t panel_size_, filled_ = 0;
};

}  // namespace

Form form_of_floats(Precision precision) { return precision == Precision::kBf16 ? Form::kBf16Floats : Form::kFloat; }

Form form_of_bytes(const PlainConvolution& plain, Precision precision, bool is_main) {
    if (precision == Precision::kBf16) return is_main ? Form::kBf16 : Form::kBf16Bytes;
    if (is_main && precision == Precision::kInt8) return Form::kInt8;
    return plain.taps >= kFewestWinogradTaps ? Form::kWinograd : Form::kBytes;
}

std::vector<unsigned char> pack(const PlainConvolution& plain, Form form, int panel, FileEntry& entry) {
    check(plain);
    entry.form = static_cast<std::uint32_t>(form);
    entry.inputs = round_up(plain.inputs, kChannelMultiple);
    entry.outputs = round_up(plain.outputs, kChannelMultiple);
    entry.taps = plain.taps;
    entry.dilation = plain.dilation;
    entry.scale = plain.scale;
    entry.zero = plain.zero;
    std::vector<unsigned char> packed(packed_bytes(entry, panel));
    if (form == Form::kFloat) {
        auto* out = reinterpret_cast<float*>(packed.data());
        Walk<float>(plain, entry, panel, 0.0f).by_tap(out);
        return packed;
    }
    if (form == Form::kBf16Floats) {
        Bf16Out out(reinterpret_cast<Bf16*>(packed.data()), 0, static_cast<std::ptrdiff_t>(entry.taps) * entry.inputs * panel);
        Walk<float>(plain, entry, panel, 0.0f).by_pair(out);
        return packed;
    }
    const Walk<std::uint8_t> walk(plain, entry, panel, static_cast<std::uint8_t>(plain.zero));
    auto* out = packed.data();
    if (form == Form::kWinograd)
        walk.by_group(out);
    else if (form == Form::kInt8)
        walk.by_four(out);
    else if (form == Form::kBf16Bytes)
        walk.by_pair(out);
    else if (form == Form::kBf16) {
        Bf16Out rounded(reinterpret_cast<Bf16*>(packed.data()), plain.zero);
        walk.by_pair(rounded);
    } else
        walk.by_tap(out);
    return packed;
}

std::vector<float> padded_bias(const PlainConvolution& plain, int outputs) {
    std::vector<float> bias(outputs, 0.0f);
    if (plain.bias) std::copy(plain.bias, plain.bias + plain.outputs, bias.begin());
    return bias;
}

Packer::Packer(const std::string& path, const Kernels& level, Precision precision, const std::string& fingerprint)
    : file_(std::fopen(path.c_str(), "wb")), panel_(level.panel), precision_(precision) {
    if (!file_) throw Failure(Status::kFileFailed, path + ": " + std::strerror(errno));
    if (fingerprint.size() >= kFingerprintBytes) throw Failure(Status::kInvalidArgument, "the fingerprint is too long");
    std::memcpy(header_.magic, "KOKOPACK", 8);
    header_.version = kVersion;
    header_.panel = static_cast<std::uint32_t>(panel_);
    std::memcpy(header_.fingerprint, fingerprint.data(), fingerprint.size());
    write(&header_, sizeof header_);
}

void Packer::add_vector(const std::string& name, const float* values, int length) {
    if (!values || length < 1) throw Failure(Status::kInvalidArgument, name + " is empty");
    FileEntry entry{};
    this->name(entry, name);
    entry.form = static_cast<std::uint32_t>(Form::kVector);
    entry.outputs = length;
    entry.data_bytes = length * sizeof(float);
    entry.data_offset = write(values, entry.data_bytes);
    entries_.push_back(entry);
}

void Packer::add_bytes(const std::string& name, const PlainConvolution& plain, bool is_main) {
    if (!(plain.zero >= 0 && plain.zero <= 255)) throw Failure(Status::kInvalidArgument, name + " has a zero point that is no byte");
    add(name, plain, form_of_bytes(plain, precision_, is_main));
}

void Packer::add_floats(const std::string& name, const PlainConvolution& plain) { add(name, plain, form_of_floats(precision_)); }

void Packer::add(const std::string& name, const PlainConvolution& plain, Form form) {
    FileEntry entry{};
    this->name(entry, name);
    const auto packed = pack(plain, form, panel_, entry);
    const auto bias = padded_bias(plain, entry.outputs);
    entry.data_bytes = packed.size();
    entry.data_offset = write(packed.data(), packed.size());
    entry.bias_offset = write(bias.data(), bias.size() * sizeof(float));
    entries_.push_back(entry);
}

void Packer::finish() {
    header_.entry_count = static_cast<std::uint32_t>(entries_.size());
    header_.checksum = checksum_of(header_, entries_.data());
    header_.entries_offset = write(entries_.data(), entries_.size() * sizeof(FileEntry));
    header_.file_bytes = static_cast<std::uint64_t>(std::ftell(file_.get()));
    std::rewind(file_.get());
    if (std::fwrite(&header_, sizeof header_, 1, file_.get()) != 1 || std::fflush(file_.get()) != 0 || fsync(fileno(file_.get())) != 0)
        throw Failure(Status::kFileFailed, std::string("the packed weights can't be written: ") + std::strerror(errno));
}

std::uint64_t Packer::write(const void* data, std::size_t bytes) {
    static const char padding[kAlignment] = {};
    const long at = std::ftell(file_.get());
    const std::size_t gap = (kAlignment - at % kAlignment) % kAlignment;
    if (at < 0 || std::fwrite(padding, 1, gap, file_.get()) != gap || std::fwrite(data, 1, bytes, file_.get()) != bytes)
        throw Failure(Status::kFileFailed, std::string("the packed weights can't be written: ") + std::strerror(errno));
    return at + gap;
}

void Packer::name(FileEntry& entry, const std::string& name) {
    if (name.empty() || name.size() >= kNameBytes) throw Failure(Status::kInvalidArgument, "no name for a layer: " + name);
    std::memcpy(entry.name, name.data(), name.size());
}

}  // namespace kokoro
