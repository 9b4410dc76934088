// Convolution by tiles: 16 rows by 16 pairs of inputs in bf16, times 16 pairs by half a panel of weights, into sums in floats that
// stay in tiles over all taps and channels. Bytes less their zero point are whole numbers below 256, so bf16 holds them exactly and
// only the input is rounded: once where the precision is about that convolution, else in two parts, which keep 16 bits of it.
// Weights in floats are in two parts as well.

#if defined(KOKORO_AMX)
constexpr bool kHasBf16 = true;
#else
constexpr bool kHasBf16 = false;
#endif

constexpr int kTilePart = kTileHeight * 2 * kLanes;  // elements of one tile of weights; two lie side by side

#if defined(__AVX512BF16__)
static inline void store_bf16(Bf16* to, Floats x) {
    const __m256bh halves = _mm512_cvtneps_pbh((__m512)x);
    memcpy(to, &halves, sizeof halves);
}
#else
// To the nearest, halves to the even one; what is too small for a normal number is zero. No input is infinite or no number.
static inline void store_bf16(Bf16* to, Floats x) {
    Words bits = (Words)x;
    bits &= ~(((bits & 0x7f800000) == 0) & 0x7fffffff);
    bits = ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) & 0xffff;
#if defined(__AVX512F__)
    const __m256i halves = _mm512_cvtepi32_epi16((__m512i)bits);
    memcpy(to, &halves, sizeof halves);
#else
    for (int i = 0; i < kLanes; ++i) to[i] = static_cast<Bf16>(bits[i]);
#endif
}
#endif

static inline Floats load_bf16(const Bf16* from) {
#if defined(__AVX512F__)
    __m256i halves;
    memcpy(&halves, from, sizeof halves);
    return (Floats)_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16);
#else
    Words bits;
    for (int i = 0; i < kLanes; ++i) bits[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(from[i]) << 16);
    return (Floats)bits;
#endif
}

static inline std::ptrdiff_t bf16_stride(int channels) { return channels + 32; }  // not a power of two: cache sets

static inline std::ptrdiff_t bf16_panel(const Convolution& convolution) {
    return static_cast<std::ptrdiff_t>(convolution.taps) * convolution.inputs * kPanel;
}

static std::size_t bf16_scratch(const Convolution& convolution) {
    const std::size_t rows = 2 * float_buffer_rows(convolution) * bf16_stride(convolution.inputs) * sizeof(Bf16);
    return rows + bf16_panel(convolution) * sizeof(Bf16) + (convolution.inputs + 2 * kTileHeight * kPanel) * sizeof(float) + 5 * kAlignment;
}

// The activated input rows [first, first + count), rounded; what rounding took goes into `low`, unless that is null.
static void fill_bf16(const Call& call, int first, int count, float* row_buffer, Bf16* high, Bf16* low) {
    const int channels = call.convolution->inputs;
    for (int i = 0; i < count; ++i) {
        Bf16* high_row = high + i * bf16_stride(channels);
        Bf16* low_row = low ? low + i * bf16_stride(channels) : nullptr;
        fill(call, first + i, 1, row_buffer, channels);
        for (int c = 0; c < channels; c += kLanes) {
            const Floats x = load(row_buffer + c);
            store_bf16(high_row + c, x);
            if (low) store_bf16(low_row + c, x - load_bf16(high_row + c));
        }
    }
}

static void expand_bf16(const std::uint8_t* bytes, std::ptrdiff_t count, float zero, Bf16* out) {
    for (std::ptrdiff_t i = 0; i < count; i += kLanes) store_bf16(out + i, widened(bytes + i) - zero);
}

// What one block multiplies: the rows' two parts, or only the first, and the panel's.
struct Bf16Operands {
    const Bf16* high;
    const Bf16* low;  // null: not wanted
    std::ptrdiff_t stride;
    std::ptrdiff_t step;  // from tap to tap
    int taps;
    int inputs;
};

// Tiles 0 and 1 (and 2 and 3, of 16 more rows) += rows times weights.
template <bool is_tall>
static inline void multiply_rows(Tiles& tiles, const Bf16* a, std::ptrdiff_t stride) {
    const std::ptrdiff_t bytes = stride * static_cast<std::ptrdiff_t>(sizeof(Bf16));
    tiles.load<4>(a, bytes);
    if (is_tall) tiles.load<5>(a + kTileHeight * stride, bytes);
    tiles.multiply<0, 4, 6>();
    tiles.multiply<1, 4, 7>();
    if (!is_tall) return;
    tiles.multiply<2, 5, 6>();
    tiles.multiply<3, 5, 7>();
}

template <bool is_tall>
static inline void multiply_panel(Tiles& tiles, const Bf16Operands x, int row, const Bf16* weights, bool takes_low) {
    for (int tap = 0; tap < x.taps; ++tap) {
        std::ptrdiff_t at = row * x.stride + tap * x.step;
        for (int c = 0; c < x.inputs; c += kTileDepth, at += kTileDepth, weights += 2 * kTilePart) {
            tiles.load<6>(weights, 4 * kLanes);
            tiles.load<7>(weights + kTilePart, 4 * kLanes);
            multiply_rows<is_tall>(tiles, x.high + at, x.stride);
            if (takes_low) multiply_rows<is_tall>(tiles, x.low + at, x.stride);
        }
    }
}

// acc[rows of one or two tiles][kPanel]; `weights_low` is null where the first part of the weights is all.
template <bool is_tall>
static void multiply_tiles(Tiles& tiles, const Bf16Operands& x, int row, const Bf16* weights, const Bf16* weights_low, float* acc) {
    tiles.zero<0>();
    tiles.zero<1>();
    if (is_tall) tiles.zero<2>(), tiles.zero<3>();
    multiply_panel<is_tall>(tiles, x, row, weights, x.low != nullptr);
    if (weights_low) multiply_panel<is_tall>(tiles, x, row, weights_low, false);
    constexpr std::ptrdiff_t bytes = kPanel * sizeof(float);
    tiles.store<0>(acc, bytes);
    tiles.store<1>(acc + kLanes, bytes);
    if (!is_tall) return;
    tiles.store<2>(acc + kTileHeight * kPanel, bytes);
    tiles.store<3>(acc + kTileHeight * kPanel + kLanes, bytes);
}

// The panel's weights, expanded where they are bytes.
static const Bf16* bf16_weights(const Convolution& convolution, int panel, Bf16* expanded) {
    const std::ptrdiff_t size = bf16_panel(convolution);
    const int parts = convolution.form == Form::kBf16Floats ? 2 : 1;
    if (convolution.form != Form::kBf16Bytes) return static_cast<const Bf16*>(convolution.weights) + panel * parts * size;
    expand_bf16(static_cast<const std::uint8_t*>(convolution.weights) + panel * size, size, convolution.zero, expanded);
    return expanded;
}

static void convolve_bf16(const Call& call, int number, int first_panel, int last_panel, unsigned char* scratch) {
    const Convolution& convolution = *call.convolution;
    const Block block = block_at(call, number);
    const std::ptrdiff_t stride = bf16_stride(convolution.inputs);
    const int reach = (convolution.taps - 1) * convolution.dilation;
    Bf16* high = carve<Bf16>(scratch, float_buffer_rows(convolution) * stride);
    Bf16* low = carve<Bf16>(scratch, float_buffer_rows(convolution) * stride);
    Bf16* expanded = carve<Bf16>(scratch, bf16_panel(convolution));
    float* row_buffer = carve<float>(scratch, convolution.inputs);
    float* acc = carve<float>(scratch, 2 * kTileHeight * kPanel);
    float* sums = sums_of(call, number);
    if (convolution.form == Form::kBf16) low = nullptr;
    fill_bf16(call, block.start - call.input.pad, round_up(block.rows, kTileHeight) + reach, row_buffer, high, low);
    const Bf16Operands x = {high, low, stride, convolution.dilation * stride, convolution.taps, convolution.inputs};
    Tiles tiles;
    for (int panel = first_panel; panel < last_panel; ++panel) {
        const Bf16* weights = bf16_weights(convolution, panel, expanded);
        const Bf16* weights_low = convolution.form == Form::kBf16Floats ? weights + bf16_panel(convolution) : nullptr;
        clear_sums(call, sums, panel * kPanel);
        for (int m = 0; m < block.rows; m += 2 * kTileHeight) {
            const int left = block.rows - m, rows = left < 2 * kTileHeight ? left : 2 * kTileHeight;
            expect_rows(call, block.start + m, rows, 1, panel * kPanel);
            (rows > kTileHeight ? multiply_tiles<true> : multiply_tiles<false>)(tiles, x, m, weights, weights_low, acc);
            finish_rows(call, acc, convolution.scale, block.start + m, rows, 1, panel * kPanel, sums);
        }
    }
}
