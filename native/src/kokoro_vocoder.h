/* The vocoder of Kokoro v1.0: everything behind the model's shared LSTM, on the CPU.
 *
 * Every function that can fail returns 0 or one of the numbers below, and then kokoro_last_error() says in this thread what was
 * wrong. None of them aborts the process. Strings are UTF-8 and end with a zero; pointers may be null only where it says so.
 *
 * A model is read-only and may be used by any number of sessions and threads. A session serves one call at a time; only
 * kokoro_session_cancel may come in between, from any thread. Results depend neither on the number of threads nor on what
 * other sessions do.
 */
#ifndef KOKORO_VOCODER_H
#define KOKORO_VOCODER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KOKORO_API __attribute__((visibility("default")))

enum {
    KOKORO_OK = 0,
    KOKORO_INVALID_ARGUMENT = 1,
    KOKORO_OUT_OF_MEMORY = 2,
    KOKORO_FILE_FAILED = 3, /* can't be read or written */
    KOKORO_FILE_UNFIT = 4,  /* damaged, of another version, or of other weights: pack again */
    KOKORO_CANCELLED = 5,
    KOKORO_UNAVAILABLE = 6, /* this processor has no such level, or that level no such precision */
    KOKORO_INTERNAL = 7
};

typedef struct kokoro_packer kokoro_packer;
typedef struct kokoro_model kokoro_model;
typedef struct kokoro_session kokoro_session;

/* Goes up whenever a function here changes its meaning. */
KOKORO_API int kokoro_interface_version(void);
/* Goes up whenever the file of packed weights changes. */
KOKORO_API int kokoro_file_version(void);
KOKORO_API const char *kokoro_last_error(void);

/* Levels of this processor, fastest first, separated by commas. */
KOKORO_API const char *kokoro_levels(void);
/* Why a level that the processor seems to have is not among them; an empty text where there is none. */
KOKORO_API const char *kokoro_refused_level(void);
/* Precisions of a level, best first, separated by commas; null where there is no such level. */
KOKORO_API const char *kokoro_precisions(const char *level);

/* Packing: open, add everything, close with commit = 1. Nobody may read the file before that. */
KOKORO_API int kokoro_packer_open(const char *path, const char *level, const char *precision, const char *fingerprint,
                                  kokoro_packer **packer);
KOKORO_API int kokoro_packer_vector(kokoro_packer *packer, const char *name, const float *values, int length);
/* weights [outputs][inputs][taps], each standing for (byte - zero) * scale; bias [outputs] or null.
 * is_main: one of the convolutions that take most of the time, which the precision is about. */
KOKORO_API int kokoro_packer_bytes(kokoro_packer *packer, const char *name, const uint8_t *weights, int outputs, int inputs, int taps,
                                   int dilation, float scale, float zero, const float *bias, int is_main);
KOKORO_API int kokoro_packer_floats(kokoro_packer *packer, const char *name, const float *weights, int outputs, int inputs, int taps,
                                    int dilation, const float *bias);
KOKORO_API int kokoro_packer_close(kokoro_packer *packer, int commit);

KOKORO_API int kokoro_model_open(const char *path, const char *level, const char *fingerprint, kokoro_model **model);
/* After all its sessions. */
KOKORO_API void kokoro_model_close(kokoro_model *model);

/* threads: 1 to 256, the calling one among them. */
KOKORO_API int kokoro_session_open(kokoro_model *model, int threads, kokoro_session **session);
KOKORO_API void kokoro_session_close(kokoro_session *session);
/* The call under way ends with KOKORO_CANCELLED at its next block, and so does every later one until kokoro_session_begin. */
KOKORO_API void kokoro_session_cancel(kokoro_session *session);
KOKORO_API void kokoro_session_begin(kokoro_session *session);

/* frames: 1 to 8192, 40 a second. features [512][frames], hidden [frames][512], style [256], audio [600 * frames]. */
KOKORO_API int kokoro_speak(kokoro_session *session, const float *features, const float *hidden, int frames, const float *style,
                            float *audio);

/* The parts of kokoro_speak, one by one. pitch, energy [2 * frames]; decoded [2 * frames][512]; spectrum
 * [60 * pitches + 1][22]; style is that half of 128 values which the part takes. */
KOKORO_API int kokoro_prosody(kokoro_session *session, const float *hidden, int frames, const float *style, float *pitch, float *energy);
KOKORO_API int kokoro_decode(kokoro_session *session, const float *features, int frames, const float *pitch, const float *energy,
                             const float *style, float *decoded);
KOKORO_API int kokoro_source(kokoro_session *session, const float *pitch, int pitches, float *spectrum);
KOKORO_API int kokoro_generate(kokoro_session *session, const float *decoded, const float *spectrum, int pitches, const float *style,
                               float *audio);

/* The check by itself that a level with tiles must pass before it is used. */
KOKORO_API int kokoro_check_level(const char *level);

/* One convolution by itself, to try a level's kernels. form: 1 float, 2 bytes, 3 Winograd, 4 int8, 5 bf16, 6 bf16 out of bytes,
 * 7 bf16 out of floats; weights are floats for the first and the last, and bytes for the others. curve: 0 none, 1 Snake, 2 leaky; gain and offset (both or none), alpha of Snake [inputs].
 * x [rows][inputs], out [out_rows][outputs]; residual [out_rows >> residual_shift][outputs] or null;
 * sums [2][outputs] or null: sum and sum of squares of every output. inputs and outputs are multiples of 32. */
typedef struct {
    int form, inputs, outputs, taps, dilation;
    const void *weights;
    float scale, zero;
    const float *bias;
    int curve;
    const float *gain, *offset, *alpha;
    float slope;
    const float *x;
    int rows, pad;
    float *out;
    int out_rows;
    const float *residual;
    int residual_shift;
    float factor;
    int accumulate;
    double *sums;
    int threads;
} kokoro_convolution;
KOKORO_API int kokoro_try_convolution(const char *level, const kokoro_convolution *convolution);

#ifdef __cplusplus
}
#endif
#endif
