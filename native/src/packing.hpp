// Packs weights into the forms that the kernels read, and writes the file.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "levels.hpp"
#include "packed_file.hpp"

namespace kokoro {

// One convolution as the model has it.
struct PlainConvolution {
    int inputs, outputs, taps, dilation;
    const void* weights;  // [outputs][inputs][taps], bytes or floats
    float scale, zero;    // of bytes
    const float* bias;    // [outputs], or null
};

// The form of a convolution in bytes, and of one in floats. `is_main`: it is one of those that take most of the time.
Form form_of_bytes(const PlainConvolution& plain, Precision precision, bool is_main);

Form form_of_floats(Precision precision);

// Packed weights; `entry` gets its shape, padded.
std::vector<unsigned char> pack(const PlainConvolution& plain, Form form, int panel, FileEntry& entry);
std::vector<float> padded_bias(const PlainConvolution& plain, int outputs);

class Packer {
   public:
    // Throws Failure(kFileFailed).
    Packer(const std::string& path, const Kernels& level, Precision precision, const std::string& fingerprint);

    void add_vector(const std::string& name, const float* values, int length);
    void add_bytes(const std::string& name, const PlainConvolution& plain, bool is_main);
    void add_floats(const std::string& name, const PlainConvolution& plain);

    // Nothing is to be read of the file before this.
    void finish();

   private:
    void add(const std::string& name, const PlainConvolution& plain, Form form);
    std::uint64_t write(const void* data, std::size_t bytes);
    void name(FileEntry& entry, const std::string& name);

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
    FileHeader header_{};
    std::vector<FileEntry> entries_;
    int panel_;
    Precision precision_;
};

}  // namespace kokoro
