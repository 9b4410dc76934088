// The C API: checks what comes in, and turns every exception into a number.
#include "kokoro_vocoder.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <new>

#include "failure.hpp"
#include "levels.hpp"
#include "network.hpp"
#include "packing.hpp"
#include "tile_check.hpp"

struct kokoro_packer {
    kokoro::Packer packer;
    std::string path;
};

struct kokoro_model {
    const kokoro::Kernels& kernels;
    kokoro::PackedFile file;
    kokoro::Network network;

    kokoro_model(const std::string& path, const kokoro::Kernels& level, const std::string& fingerprint)
        : kernels(level), file(path, fingerprint, level.panel), network(file) {}
};

struct kokoro_session {
    const kokoro_model& model;
    kokoro::Session session;

    kokoro_session(const kokoro_model& model, int threads) : model(model), session(model.kernels, threads) {}
};

namespace {

using kokoro::Failure;
using kokoro::Status;

constexpr int kMostThreads = 256;
constexpr int kMostFrames = 8192;

// Of a fixed size, so that telling about a lack of memory needs none.
thread_local char last_error[512] = "";

int told(Status status, const char* message) {
    std::snprintf(last_error, sizeof last_error, "%s", message);
    return static_cast<int>(status);
}

template <typename Work>
int guarded(const Work& work) {
    try {
        work();
        return KOKORO_OK;
    } catch (const Failure& failure) {
        return told(failure.status, failure.what());
    } catch (const std::bad_alloc&) {
        return told(Status::kOutOfMemory, "there is not enough memory");
    } catch (const std::exception& error) {
        return told(Status::kInternal, error.what());
    } catch (...) {
        return told(Status::kInternal, "something unknown went wrong");
    }
}

void require(bool holds, const char* what) {
    if (!holds) throw Failure(Status::kInvalidArgument, what);
}

template <typename... Pointers>
void require_all(Pointers... pointers) {
    require((... && (pointers != nullptr)), "a pointer is null");
}

void require_count(int count, int most, const char* what) {
    if (count < 1 || count > most) throw Failure(Status::kInvalidArgument, std::string(what) + " must be from 1 to " + std::to_string(most));
}

template <typename Work>
int in_session(kokoro_session* session, int frames, int most, const Work& work) {
    return guarded([&] {
        require_all(session);
        require_count(frames, most, "the length");
        try {
            work(session->model.network, session->session);
        } catch (...) {
            session->session.release_large();
            throw;
        }
        session->session.release_large();
    });
}

void check(const kokoro_convolution& c) {
    using namespace kokoro;
    require(c.form >= 1 && c.form <= 7 && c.curve >= 0 && c.curve <= 2, "an unknown form or curve");
    require_all(c.weights, c.bias, c.x, c.out);
    for (int value : {c.inputs, c.outputs, c.taps, c.dilation, c.rows, c.out_rows}) require_count(value, 1 << 20, "a dimension");
    require(c.inputs % kChannelMultiple == 0 && c.outputs % kChannelMultiple == 0, "channels must be multiples of 32");
    require(!c.gain == !c.offset, "a gain needs an offset");
    require(c.curve != 1 || c.alpha, "Snake needs its alpha");
    require(c.residual_shift >= 0 && c.residual_shift < 8 && c.pad >= 0, "a shift or pad out of range");
    require_count(c.threads, kMostThreads, "threads");
}

void try_convolution(const kokoro::Kernels& level, const kokoro_convolution& c) {
    using namespace kokoro;
    const PlainConvolution plain{c.inputs, c.outputs, c.taps, c.dilation, c.weights, c.scale, c.zero, c.bias};
    FileEntry entry{};
    const auto packed = pack(plain, static_cast<Form>(c.form), level.panel, entry);
    Buffer weights;
    std::memcpy(weights.at_least(packed.size() / sizeof(float) + 1), packed.data(), packed.size());
    const float scale = is_of_floats(static_cast<Form>(c.form)) ? 1 : c.scale;
    const Convolution convolution{static_cast<Form>(c.form), c.inputs, c.outputs, c.taps, c.dilation, scale, c.zero, weights.at_least(0), c.bias};
    std::vector<float> alpha_over_pi, inverse_alpha;
    if (c.curve == 1)
        for (int i = 0; i < c.inputs; ++i) {
            alpha_over_pi.push_back(static_cast<float>(c.alpha[i] / M_PI));
            inverse_alpha.push_back(1 / c.alpha[i]);
        }
    const Activation activation{static_cast<Curve>(c.curve), c.gain, c.offset, alpha_over_pi.data(), inverse_alpha.data(), c.slope};
    const Output output{c.out, c.outputs, c.out_rows, c.residual, c.outputs, c.residual_shift, c.factor, c.accumulate != 0};
    Session session(level, c.threads);
    Sums sums;
    session.convolve({&convolution, activation, {c.x, c.inputs, c.rows, c.pad}, output}, c.sums ? &sums : nullptr);
    if (!c.sums) return;
    std::copy(sums.sum.begin(), sums.sum.end(), c.sums);
    std::copy(sums.squares.begin(), sums.squares.end(), c.sums + c.outputs);
}

}  // namespace

extern "C" {

int kokoro_interface_version(void) { return 1; }
int kokoro_file_version(void) { return static_cast<int>(kokoro::kVersion); }
const char* kokoro_last_error(void) { return last_error; }

const char* kokoro_levels(void) {
    thread_local char text[128];
    const int status = guarded([] {
        std::string names;
        for (const auto* level : kokoro::available_levels()) names += (names.empty() ? "" : ",") + std::string(level->level);
        std::snprintf(text, sizeof text, "%s", names.c_str());
    });
    return status == KOKORO_OK ? text : "";
}

const char* kokoro_refused_level(void) {
    const char* reason = "";
    guarded([&reason] { reason = kokoro::refused_level().c_str(); });
    return reason;
}

const char* kokoro_precisions(const char* level) {
    thread_local char text[64];
    const int status = guarded([level] {
        require_all(level);
        std::snprintf(text, sizeof text, "%s", kokoro::precisions_of(kokoro::level_named(level)).c_str());
    });
    return status == KOKORO_OK ? text : nullptr;
}

int kokoro_packer_open(const char* path, const char* level, const char* precision, const char* fingerprint, kokoro_packer** packer) {
    return guarded([&] {
        require_all(path, level, precision, fingerprint, packer);
        const auto& kernels = kokoro::level_named(level);
        *packer = new kokoro_packer{{path, kernels, kokoro::precision_named(kernels, precision), fingerprint}, path};
    });
}

int kokoro_packer_vector(kokoro_packer* packer, const char* name, const float* values, int length) {
    return guarded([&] {
        require_all(packer, name, values);
        packer->packer.add_vector(name, values, length);
    });
}

int kokoro_packer_bytes(kokoro_packer* packer, const char* name, const uint8_t* weights, int outputs, int inputs, int taps, int dilation,
                        float scale, float zero, const float* bias, int is_main) {
    return guarded([&] {
        require_all(packer, name, weights);
        packer->packer.add_bytes(name, {inputs, outputs, taps, dilation, weights, scale, zero, bias}, is_main != 0);
    });
}

int kokoro_packer_floats(kokoro_packer* packer, const char* name, const float* weights, int outputs, int inputs, int taps, int dilation,
                         const float* bias) {
    return guarded([&] {
        require_all(packer, name, weights);
        packer->packer.add_floats(name, {inputs, outputs, taps, dilation, weights, 1, 0, bias});
    });
}

int kokoro_packer_close(kokoro_packer* packer, int commit) {
    const std::unique_ptr<kokoro_packer> owned(packer);
    return guarded([&] {
        require_all(packer);
        if (commit) packer->packer.finish();
    });
}

int kokoro_model_open(const char* path, const char* level, const char* fingerprint, kokoro_model** model) {
    return guarded([&] {
        require_all(path, level, fingerprint, model);
        *model = new kokoro_model(path, kokoro::level_named(level), fingerprint);
    });
}

void kokoro_model_close(kokoro_model* model) { delete model; }

int kokoro_session_open(kokoro_model* model, int threads, kokoro_session** session) {
    return guarded([&] {
        require_all(model, session);
        require_count(threads, kMostThreads, "threads");
        *session = new kokoro_session(*model, threads);
    });
}

void kokoro_session_close(kokoro_session* session) { delete session; }

void kokoro_session_cancel(kokoro_session* session) {
    if (session) session->session.cancel();
}

void kokoro_session_begin(kokoro_session* session) {
    if (session) session->session.begin();
}

int kokoro_speak(kokoro_session* session, const float* features, const float* hidden, int frames, const float* style, float* audio) {
    return in_session(session, frames, kMostFrames, [&](const kokoro::Network& network, kokoro::Session& own) {
        require_all(features, hidden, style, audio);
        network.speak(own, features, hidden, frames, style, audio);
    });
}

int kokoro_prosody(kokoro_session* session, const float* hidden, int frames, const float* style, float* pitch, float* energy) {
    return in_session(session, frames, kMostFrames, [&](const kokoro::Network& network, kokoro::Session& own) {
        require_all(hidden, style, pitch, energy);
        network.prosody.run(own, hidden, frames, style, pitch, energy);
    });
}

int kokoro_decode(kokoro_session* session, const float* features, int frames, const float* pitch, const float* energy, const float* style,
                  float* decoded) {
    return in_session(session, frames, kMostFrames, [&](const kokoro::Network& network, kokoro::Session& own) {
        require_all(features, pitch, energy, style, decoded);
        network.decoder.run(own, features, frames, pitch, energy, style, decoded);
    });
}

int kokoro_source(kokoro_session* session, const float* pitch, int pitches, float* spectrum) {
    return in_session(session, pitches, 2 * kMostFrames, [&](const kokoro::Network& network, kokoro::Session& own) {
        require_all(pitch, spectrum);
        network.source.run(own, pitch, pitches, spectrum);
    });
}

int kokoro_generate(kokoro_session* session, const float* decoded, const float* spectrum, int pitches, const float* style, float* audio) {
    return in_session(session, pitches, 2 * kMostFrames, [&](const kokoro::Network& network, kokoro::Session& own) {
        require_all(decoded, spectrum, style, audio);
        network.generator.run(own, decoded, spectrum, pitches, style, audio);
    });
}

int kokoro_try_convolution(const char* level, const kokoro_convolution* convolution) {
    return guarded([&] {
        require_all(level, convolution);
        check(*convolution);
        try_convolution(kokoro::level_named(level), *convolution);
    });
}

int kokoro_check_level(const char* level) {
    return guarded([&] {
        require_all(level);
        if (!kokoro::multiplies_alike(kokoro::level_named(level), kokoro::kernels_generic))
            throw Failure(Status::kUnavailable, std::string("the level ") + level + " does not multiply in bf16 as it should");
    });
}

}  // extern "C"
