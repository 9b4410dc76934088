// Convolution in bytes: the weights as they are stored (0..255), the activated input rounded to -127..127 with one scale for each
// block. All products are added exactly; the weights' zero point is taken off by the sum of the inputs under the window.

#if defined(__AVX512VNNI__) && defined(__AVX512F__)
constexpr bool kHasInt8 = true;
typedef __m512i Quads;
static inline Quads load_quads(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
static inline Quads all_quads(std::int32_t four) { return _mm512_set1_epi32(four); }
static inline Words multiply_add(Words sum, Quads bytes, Quads signed_bytes) {
    return (Words)_mm512_dpbusd_epi32((__m512i)sum, bytes, signed_bytes);
}
#elif defined(__AVXVNNI__)
constexpr bool kHasInt8 = true;
typedef __m256i Quads;
static inline Quads load_quads(const std::uint8_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
static inline Quads all_quads(std::int32_t four) { return _mm256_set1_epi32(four); }
static inline Words multiply_add(Words sum, Quads bytes, Quads signed_bytes) {
    return (Words)_mm256_dpbusd_avx_epi32((__m256i)sum, bytes, signed_bytes);
}
#else
// The same by plain arithmetic: what the others are tested against.
constexpr bool kHasInt8 = false;
struct Quads {
    std::uint8_t byte[4 * kLanes];
};
static inline Quads load_quads(const std::uint8_t* from) {
    Quads result;
    memcpy(&result, from, sizeof result);
    return result;
}
static inline Quads all_quads(std::int32_t four) {
    Quads result;
    for (int i = 0; i < kLanes; ++i) memcpy(result.byte + 4 * i, &four, sizeof four);
    return result;
}
static inline Words multiply_add(Words sum, const Quads& bytes, const Quads& signed_bytes) {
    for (int i = 0; i < 4 * kLanes; ++i) sum[i / 4] += bytes.byte[i] * static_cast<std::int8_t>(signed_bytes.byte[i]);
    return sum;
}
#endif

static inline void store_bytes(std::int8_t* to, Floats whole) {
#if defined(__AVX512F__)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(_mm512_cvtps_epi32((__m512)whole)));
#elif defined(__AVX2__)
    const __m256i words = _mm256_cvtps_epi32((__m256)whole);
    const __m128i shorts = _mm_packs_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(shorts, shorts));
#else
    for (int i = 0; i < kLanes; ++i) to[i] = static_cast<std::int8_t>(whole[i]);
#endif
}

static inline std::ptrdiff_t int8_stride(int channels) { return channels + 64; }

static std::size_t int8_scratch(const Convolution& convolution) {
    const std::size_t rows = float_buffer_rows(convolution);
    return rows * (padded_stride(convolution.inputs) * sizeof(float) + int8_stride(convolution.inputs) + sizeof(float)) +
           (kBlockRows + kTileRows * kPanel) * sizeof(float) + 5 * kAlignment;
}

static inline float largest_of(Floats lanes) {
    float result = 0;
    for (int i = 0; i < kLanes; ++i) result = lanes[i] > result ? lanes[i] : result;
    return result;
}

// Rounds the rows, and gives the sum of each.
static void quantise(const float* x, std::ptrdiff_t stride, int rows, int channels, float scale, std::int8_t* out,
                     std::int32_t* row_sums) {
    for (int row = 0; row < rows; ++row) {
        Floats sum = {};
        for (int c = 0; c < channels; c += kLanes) {
            const Floats whole = rounded(load(x + row * stride + c) * scale);
            sum += whole;
            store_bytes(out + row * int8_stride(channels) + c, whole);
        }
        float total = 0;
        for (int i = 0; i < kLanes; ++i) total += sum[i];
        row_sums[row] = static_cast<std::int32_t>(total);
    }
}

// acc[kTileRows][kPanel] = what each row begins with, and the sum of the products.
static inline void multiply_int8_tile(const std::int8_t* x, const Convolution& convolution, const std::uint8_t* weights,
                                      const std::int32_t* begin, float* acc) {
    const std::ptrdiff_t stride = int8_stride(convolution.inputs);
    const int taps = convolution.taps, inputs = convolution.inputs, dilation = convolution.dilation;
    Words sum[kTileRows][2];
    KOKORO_UNROLL
    for (int i = 0; i < kTileRows; ++i) sum[i][0] = sum[i][1] = begin[i] - Words{};
    for (int tap = 0; tap < taps; ++tap) {
        const std::int8_t* a = x + tap * dilation * stride;
        for (int c = 0; c < inputs; c += 4, weights += 4 * kPanel) {
            const Quads low = load_quads(weights), high = load_quads(weights + 4 * kLanes);
            KOKORO_UNROLL
            for (int i = 0; i < kTileRows; ++i) {
                std::int32_t four;
                memcpy(&four, a + i * stride + c, sizeof four);
                const Quads v = all_quads(four);
                sum[i][0] = multiply_add(sum[i][0], low, v);
                sum[i][1] = multiply_add(sum[i][1], high, v);
            }
        }
    }
    KOKORO_UNROLL
    for (int i = 0; i < kTileRows; ++i) {
        store(acc + i * kPanel, __builtin_convertvector(sum[i][0], Floats));
        store(acc + i * kPanel + kLanes, __builtin_convertvector(sum[i][1], Floats));
    }
}

// What takes the weights' zero point off each output row: it, times the sum of the inputs under the window.
static void windows_of(const std::int32_t* row_sums, const Convolution& convolution, int rows, std::int32_t* windows) {
    const auto zero = static_cast<std::int32_t>(convolution.zero);
    for (int row = 0; row < rows; ++row) {
        std::int32_t sum = 0;
        for (int tap = 0; tap < convolution.taps; ++tap) sum += row_sums[row + tap * convolution.dilation];
        windows[row] = -sum * zero;
    }
}

static void convolve_int8(const Call& call, int number, int first_panel, int last_panel, unsigned char* scratch) {
    const Convolution& convolution = *call.convolution;
    const Block block = block_at(call, number);
    const int inputs = convolution.inputs;
    const std::ptrdiff_t stride = padded_stride(inputs);
    const std::ptrdiff_t panel_bytes = static_cast<std::ptrdiff_t>(convolution.taps) * inputs * kPanel;
    float* x = carve<float>(scratch, float_buffer_rows(convolution) * stride);
    auto* bytes = carve<std::int8_t>(scratch, float_buffer_rows(convolution) * int8_stride(inputs));
    auto* row_sums = carve<std::int32_t>(scratch, float_buffer_rows(convolution));
    auto* windows = carve<std::int32_t>(scratch, kBlockRows);
    float* acc = carve<float>(scratch, kTileRows * kPanel);
    float* sums = sums_of(call, number);
    const int out_rows = round_up(block.rows, kTileRows), rows = out_rows + (convolution.taps - 1) * convolution.dilation;
    const float largest = largest_of(fill(call, block.start - call.input.pad, rows, x, stride));
    const float quantum = largest > 0 ? largest / 127 : 1;
    quantise(x, stride, rows, inputs, 1 / quantum, bytes, row_sums);
    windows_of(row_sums, convolution, out_rows, windows);
    for (int panel = first_panel; panel < last_panel; ++panel) {
        const auto* weights = static_cast<const std::uint8_t*>(convolution.weights) + panel * panel_bytes;
        clear_sums(call, sums, panel * kPanel);
        for (int m = 0; m < block.rows; m += kTileRows) {
            const int tile_rows = block.rows - m < kTileRows ? block.rows - m : kTileRows;
            expect_rows(call, block.start + m, tile_rows, 1, panel * kPanel);
            multiply_int8_tile(bytes + m * int8_stride(inputs), convolution, weights, windows + m, acc);
            finish_rows(call, acc, convolution.scale * quantum, block.start + m, tile_rows, 1, panel * kPanel, sums);
        }
    }
}
