// Everything behind the shared LSTM of Kokoro v1.0: pitch and energy, decoder, harmonic source, generator, inverse STFT.
// `frames` are the model's, 40 a second; pitch and energy have two values for each; a frame is 600 samples.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "residual_block.hpp"

namespace kokoro {

constexpr int kFeatures = 512;
constexpr int kSamplesPerFrame = 600;
constexpr int kSamplesPerPitch = 300;
constexpr int kHarmonics = 9;
constexpr int kWindow = 20;  // of the STFT
constexpr int kHop = 5;
constexpr int kBins = kWindow / 2 + 1;
constexpr int kSpectrum = 2 * kBins;  // magnitudes, then phases

inline int spectrum_rows(int pitches) { return kSamplesPerPitch / kHop * pitches + 1; }

// Pitch (Hz) and energy from the shared LSTM's output.
class Prosody {
   public:
    explicit Prosody(const PackedFile& file);

    // x [frames][kFeatures], style: the second half -> pitch, energy [2 * frames].
    void run(Session& session, const float* x, int frames, const float* style, float* pitch, float* energy) const;

   private:
    struct Predictor {
        AdaInBlock first, second, third;
        Convolution projection;
    };
    static Predictor predictor(const PackedFile& file, const std::string& name);
    static void predict(Session& session, const Predictor& predictor, const float* x, int frames, const float* style, float* out);

    Predictor pitch_, energy_;
};

class Decoder {
   public:
    explicit Decoder(const PackedFile& file);

    // features [kFeatures][frames], style: the first half -> out [2 * frames][kFeatures].
    void run(Session& session, const float* features, int frames, const float* pitch, const float* energy, const float* style,
             float* out) const;

   private:
    // A convolution of one channel, three taps and stride 2: [2 * frames] -> [frames].
    static std::vector<float> halved(const float* x, int frames, const float* weights, const float* bias);

    const float *pitch_weights_, *pitch_bias_, *energy_weights_, *energy_bias_;
    Convolution residual_;
    AdaInBlock encode_;
    std::vector<AdaInBlock> decode_;
};

// The sum of harmonics of the pitch, as the spectrum of short windows.
class HarmonicSource {
   public:
    explicit HarmonicSource(const PackedFile& file);

    // pitch [pitches] -> out [spectrum_rows][kSpectrum].
    void run(Session& session, const float* pitch, int pitches, float* out) const;

   private:
    std::vector<float> phases(const float* pitch, int pitches) const;
    void excite(const std::vector<float>& phases, const float* pitch, int pitches, int at, float* samples) const;
    void analyse(const float* samples, float* row) const;

    const float* mix_;       // [kHarmonics]
    const float* mix_bias_;  // [1]
    const float* filters_;   // [kSpectrum][kWindow]: real parts, then imaginary ones
    const float* offsets_;   // [kSpectrum]
};

class Generator {
   public:
    explicit Generator(const PackedFile& file);

    // x [pitches][kFeatures], source [spectrum_rows][kSpectrum] -> audio [pitches * kSamplesPerPitch].
    void run(Session& session, const float* x, const float* source, int pitches, const float* style, float* audio) const;

   private:
    struct Stage {
        int channels, stride;
        Convolution noise, up;
        int noise_step;  // rows of the source from output row to output row
        int noise_pad;
        std::unique_ptr<SnakeBlock> noise_block;
        std::vector<SnakeBlock> blocks;
    };
    static Stage stage(const PackedFile& file, int number, int inputs, int channels, int stride, int noise_taps, int noise_inputs);
    float* run_stage(Session& session, const Stage& stage, bool is_last, const float* x, int rows, const float* source, int out_rows,
                     const float* style) const;

    Stage first_, second_;
    Convolution post_;
    const float* basis_;  // [kSpectrum][kWindow]
};

// Log magnitudes and what the sine of is the phase, row by row [rows][stride], to samples [(rows - 1) * kHop].
void synthesise(Session& session, const float* spectrum, int stride, int rows, const float* basis, float* audio);

class Network {
   public:
    explicit Network(const PackedFile& file) : prosody(file), decoder(file), source(file), generator(file) {}

    // features [kFeatures][frames], hidden [frames][kFeatures], style [2 * kStyleWidth] -> audio [frames * kSamplesPerFrame].
    void speak(Session& session, const float* features, const float* hidden, int frames, const float* style, float* audio) const;

    const Prosody prosody;
    const Decoder decoder;
    const HarmonicSource source;
    const Generator generator;
};

// Numbers of the session's buffers, so that no two users that are alive together take the same.
enum Buffers : int {
    kBlockBuffers = 0,  // four of AdaInBlock
    kLayerBuffers = 4,  // six of prosody and decoder
    kStageBuffers = 10, // six of the generator
    kPitchBuffer = 16,
    kEnergyBuffer = 17,
    kDecodedBuffer = 18,
    kSourceBuffer = 19,
    kFramesBuffer = 20,
    kPaddedSourceBuffer = 21,
};

}  // namespace kokoro
