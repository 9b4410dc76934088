// Tries the library without Python, so that an emulator can run it: every level against the definition of a convolution, and,
// given packed weights and the tensors of one sentence, every level against the sound that another machine made of them.
//
//   check [PACK FINGERPRINT TENSORS [TILES]]   PACK for a panel of 8 channels; TENSORS: int32 frames, then floats: features, hidden,
//                                              style, pitch, energy, decoded, spectrum, sound; TILES: a pack of amx-emulated
//
// Each part gets the other machine's tensors: where there is no voice, the source's phases are rounding errors, and no two
// machines agree on those.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "../src/kokoro_vocoder.h"

namespace {

int failures = 0;

void report(const std::string& what, double decibels, double least) {
    const bool is_well = decibels > least;
    std::printf("%s %s: %.1f dB\n", is_well ? "ok    " : "FAILED", what.c_str(), decibels);
    if (!is_well) ++failures;
}

double decibels(const std::vector<double>& expected, const std::vector<float>& found) {
    double signal = 0, error = 1e-300;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        signal += expected[i] * expected[i];
        error += (expected[i] - found[i]) * (expected[i] - found[i]);
    }
    return std::isfinite(error) ? 10 * std::log10(signal / error) : -999;
}

std::vector<std::string> split(const char* names) {
    std::vector<std::string> result;
    std::string rest = names;
    for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest = rest.substr(comma + 1)) result.push_back(rest.substr(0, comma));
    result.push_back(rest);
    return result;
}

struct Case {
    int form, inputs, outputs, taps, dilation, rows;
};

struct Arrays {
    std::vector<float> weights, bias, gain, offset, alpha, x, residual;
    std::vector<unsigned char> bytes;
};

constexpr bool is_of_floats(int form) { return form == 1 || form == 7; }

// Decibels that rounding leaves: to bytes, to bf16, and to two parts of that.
double least_of(int form) {
    switch (form) {
        case 4: return 30;
        case 5: return 48;
        case 6:
        case 7: return 90;
        default: return 95;
    }
}

constexpr float kScale = 0.01f;
constexpr int kZero = 117;

Arrays arrays_of(const Case& c) {
    std::mt19937 dice(c.form * 1000 + c.rows);
    std::normal_distribution<float> normal;
    const auto fill = [&](std::size_t count) {
        std::vector<float> values(count);
        for (auto& value : values) value = normal(dice);
        return values;
    };
    Arrays a;
    a.weights = fill(static_cast<std::size_t>(c.outputs) * c.inputs * c.taps);
    for (auto& value : a.weights)
        if (!is_of_floats(c.form)) {
            a.bytes.push_back(static_cast<unsigned char>(dice() & 255));
            value = (a.bytes.back() - kZero) * kScale;
        }
    a.bias = fill(c.outputs), a.gain = fill(c.inputs), a.offset = fill(c.inputs), a.alpha = fill(c.inputs);
    for (auto& value : a.alpha) value = std::fabs(value) + 0.2f;
    a.x = fill(static_cast<std::size_t>(c.rows) * c.inputs);
    a.residual = fill(static_cast<std::size_t>(c.rows) * c.outputs);
    return a;
}

std::vector<double> by_definition(const Case& c, const Arrays& a) {
    std::vector<double> v(a.x.size()), y(static_cast<std::size_t>(c.rows) * c.outputs);
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double x = static_cast<double>(a.x[i]) * a.gain[i % c.inputs] + a.offset[i % c.inputs], alpha = a.alpha[i % c.inputs];
        v[i] = x + std::pow(std::sin(alpha * x), 2) / alpha;
    }
    const int pad = (c.taps - 1) * c.dilation / 2;
    for (int t = 0; t < c.rows; ++t)
        for (int n = 0; n < c.outputs; ++n) {
            double sum = a.bias[n] + a.residual[static_cast<std::size_t>(t) * c.outputs + n];
            for (int tap = 0; tap < c.taps; ++tap) {
                const int row = t - pad + tap * c.dilation;
                if (row < 0 || row >= c.rows) continue;
                for (int i = 0; i < c.inputs; ++i)
                    sum += v[static_cast<std::size_t>(row) * c.inputs + i] * a.weights[(static_cast<std::size_t>(n) * c.inputs + i) * c.taps + tap];
            }
            y[static_cast<std::size_t>(t) * c.outputs + n] = sum;
        }
    return y;
}

void try_case(const std::string& level, const Case& c) {
    const Arrays a = arrays_of(c);
    std::vector<float> out(static_cast<std::size_t>(c.rows) * c.outputs);
    kokoro_convolution call{};
    call.form = c.form, call.inputs = c.inputs, call.outputs = c.outputs, call.taps = c.taps, call.dilation = c.dilation;
    call.weights = is_of_floats(c.form) ? static_cast<const void*>(a.weights.data()) : a.bytes.data();
    call.scale = kScale, call.zero = kZero, call.bias = a.bias.data();
    call.curve = 1, call.gain = a.gain.data(), call.offset = a.offset.data(), call.alpha = a.alpha.data();
    call.x = a.x.data(), call.rows = c.rows, call.pad = (c.taps - 1) * c.dilation / 2;
    call.out = out.data(), call.out_rows = c.rows, call.residual = a.residual.data(), call.factor = 1, call.threads = 2;
    const std::string what = level + " form " + std::to_string(c.form) + ", " + std::to_string(c.taps) + " taps by " +
                             std::to_string(c.dilation) + ", " + std::to_string(c.rows) + " rows";
    if (kokoro_try_convolution(level.c_str(), &call) != KOKORO_OK) return report(what + ": " + kokoro_last_error(), -999, 0);
    report(what, decibels(by_definition(c, a), out), least_of(c.form));
}

template <typename Value>
std::vector<Value> read(std::FILE* file, std::size_t count) {
    std::vector<Value> values(count);
    if (std::fread(values.data(), sizeof(Value), count, file) != count) std::fprintf(stderr, "the tensors are cut off\n"), std::exit(2);
    return values;
}

std::vector<double> widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

// The magnitudes alone.
std::vector<float> magnitudes(const std::vector<float>& spectrum) {
    std::vector<float> result;
    for (std::size_t i = 0; i < spectrum.size(); ++i)
        if (i % 22 < 11) result.push_back(spectrum[i]);
    return result;
}

void try_speaking(const std::string& level, const char* pack, const char* fingerprint, const char* tensors, double least) {
    std::FILE* file = std::fopen(tensors, "rb");
    if (!file) return report(std::string(tensors) + " can't be read", -999, 0);
    const int frames = read<int>(file, 1)[0], pitches = 2 * frames;
    const auto features = read<float>(file, 512u * frames), hidden = read<float>(file, 512u * frames), style = read<float>(file, 256);
    const auto pitch = read<float>(file, pitches), energy = read<float>(file, pitches), decoded = read<float>(file, 512u * pitches);
    const auto spectrum = read<float>(file, 22u * (60u * pitches + 1)), sound = read<float>(file, 300u * pitches);
    std::fclose(file);
    kokoro_model* model = nullptr;
    kokoro_session* session = nullptr;
    auto pitch_here = pitch, energy_here = energy, decoded_here = decoded, spectrum_here = spectrum, sound_here = sound;
    std::vector<float> one_frame(600);
    const bool is_well =
        kokoro_model_open(pack, level.c_str(), fingerprint, &model) == KOKORO_OK && kokoro_session_open(model, 2, &session) == KOKORO_OK &&
        kokoro_prosody(session, hidden.data(), frames, style.data() + 128, pitch_here.data(), energy_here.data()) == KOKORO_OK &&
        kokoro_decode(session, features.data(), frames, pitch.data(), energy.data(), style.data(), decoded_here.data()) == KOKORO_OK &&
        kokoro_source(session, pitch.data(), pitches, spectrum_here.data()) == KOKORO_OK &&
        kokoro_generate(session, decoded.data(), spectrum.data(), pitches, style.data(), sound_here.data()) == KOKORO_OK &&
        kokoro_speak(session, features.data(), hidden.data(), 1, style.data(), one_frame.data()) == KOKORO_OK;
    kokoro_session_close(session);
    kokoro_model_close(model);
    if (!is_well) return report(level + " speaks: " + kokoro_last_error(), -999, 0);
    report(level + ": pitch", decibels(widened(pitch), pitch_here), 65);
    report(level + ": energy", decibels(widened(energy), energy_here), 65);
    report(level + ": decoder", decibels(widened(decoded), decoded_here), 80);
    report(level + ": source", decibels(widened(magnitudes(spectrum)), magnitudes(spectrum_here)), 60);
    report(level + ": generator", decibels(widened(sound), sound_here), least);
}

}  // namespace

int main(int count, char** arguments) {
    std::setvbuf(stdout, nullptr, _IOLBF, 1024);
    const Case cases[] = {{1, 32, 32, 1, 1, 1},  {1, 64, 96, 2, 1, 13},  {1, 32, 32, 7, 1, 241}, {2, 96, 64, 1, 1, 30}, {2, 32, 32, 2, 3, 244},
                          {3, 32, 32, 3, 1, 1}, {3, 64, 32, 7, 3, 241}, {3, 32, 64, 11, 5, 300}, {4, 32, 32, 3, 1, 5}, {4, 64, 32, 11, 5, 250},
                          {5, 32, 32, 3, 1, 1}, {5, 64, 32, 11, 5, 250}, {6, 96, 32, 2, 1, 17}, {7, 32, 64, 7, 1, 33}};
    bool has_spoken = count < 4;
    for (const auto& level : split(kokoro_levels())) {
        for (const auto& c : cases) try_case(level, c);
        if (has_spoken || (level != "neon" && level != "generic")) continue;  // the file fits these two
        try_speaking(level, arguments[1], arguments[2], arguments[3], 70);
        has_spoken = true;
    }
    if (kokoro_check_level("amx-emulated") != KOKORO_OK) report(kokoro_last_error(), -999, 0);
    if (count == 5) try_speaking("amx-emulated", arguments[4], arguments[2], arguments[3], 35);
    std::printf("%s\n", failures ? "some failed" : "all is well");
    return failures != 0;
}
