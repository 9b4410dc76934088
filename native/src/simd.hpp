// One vector type for every level: the compiler's vector extension, as wide as the level's registers.
// To be included in a namespace of the level's own, so that no two levels share a symbol.

#if defined(__AVX512F__)
constexpr int kLanes = 16;
constexpr int kTileRows = 12;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
constexpr int kTileRows = 6;
#elif defined(__aarch64__) && !defined(KOKORO_GENERIC)
constexpr int kLanes = 4;
constexpr int kTileRows = 12;
#else
constexpr int kLanes = 4;
constexpr int kTileRows = 6;
#endif
constexpr int kPanel = 2 * kLanes;

#if defined(__clang__)
#define KOKORO_UNROLL _Pragma("clang loop unroll(full)")
#else
#define KOKORO_UNROLL _Pragma("GCC unroll 16")
#endif

typedef float Floats __attribute__((vector_size(kLanes * 4)));
typedef float FloatsAnywhere __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
typedef std::int32_t Words __attribute__((vector_size(kLanes * 4)));

static inline Floats load(const float* from) { return *reinterpret_cast<const FloatsAnywhere*>(from); }
static inline void store(float* to, Floats value) { *reinterpret_cast<FloatsAnywhere*>(to) = value; }
static inline Floats all(float value) { return value - Floats{}; }
static inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }
static inline Floats magnitude(Floats a) { return a < 0 ? -a : a; }

// To the nearest whole number; halves to the even one.
static inline Floats rounded(Floats x) {
#if defined(__AVX512F__)
    return (Floats)_mm512_roundscale_ps((__m512)x, 8);
#elif defined(__AVX2__)
    return (Floats)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__aarch64__) && !defined(KOKORO_GENERIC)
    return (Floats)vrndnq_f32((float32x4_t)x);
#else
    const Floats magic = all(12582912.0f);  // 1.5 * 2^23: larger numbers than 2^22 do not occur
    return (x + magic) - magic;
#endif
}

// kLanes bytes as floats.
static inline Floats widened(const std::uint8_t* from) {
#if defined(__AVX512F__)
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return (Floats)_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
#elif defined(__AVX2__)
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return (Floats)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
#else
    const Words words = {from[0], from[1], from[2], from[3]};
    return __builtin_convertvector(words, Floats);
#endif
}
