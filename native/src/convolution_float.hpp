// Convolution by definition, in floats: a tile of output rows and one panel stays in registers over all taps and channels.

static inline std::ptrdiff_t padded_stride(int channels) { return channels + 16; }  // not a power of two: cache sets

// acc[tile_rows][kPanel] = sum over `groups` steps of `step` floats in x, and `inputs` channels.
template <int tile_rows>
static void multiply_tile(const float* x, std::ptrdiff_t stride, std::ptrdiff_t step, int groups, int inputs, const float* weights,
                          float* acc) {
    Floats sum[tile_rows][2];
    KOKORO_UNROLL
    for (int i = 0; i < tile_rows; ++i) sum[i][0] = sum[i][1] = Floats{};
    for (int group = 0; group < groups; ++group) {
        const float* a = x + group * step;
        for (int c = 0; c < inputs; ++c, weights += kPanel) {
            const Floats low = load(weights), high = load(weights + kLanes);
            KOKORO_UNROLL
            for (int i = 0; i < tile_rows; ++i) {
                const Floats v = all(a[i * stride + c]);
                sum[i][0] += v * low;
                sum[i][1] += v * high;
            }
        }
    }
    KOKORO_UNROLL
    for (int i = 0; i < tile_rows; ++i) {
        store(acc + i * kPanel, sum[i][0]);
        store(acc + i * kPanel + kLanes, sum[i][1]);
    }
}

// The same for at most kTileRows rows; what is left of a last tile is computed in vain, so that is kept small.
static inline void multiply_rows(int rows, const float* x, std::ptrdiff_t stride, std::ptrdiff_t step, int groups, int inputs,
                                 const float* weights, float* acc) {
    if (rows > kTileRows / 2)
        multiply_tile<kTileRows>(x, stride, step, groups, inputs, weights, acc);
    else if (rows > kTileRows / 3)
        multiply_tile<kTileRows / 2>(x, stride, step, groups, inputs, weights, acc);
    else
        multiply_tile<kTileRows / 3>(x, stride, step, groups, inputs, weights, acc);
}

static void expand_bytes(const std::uint8_t* bytes, std::ptrdiff_t count, float zero, float* out) {
    for (std::ptrdiff_t i = 0; i < count; i += kLanes) store(out + i, widened(bytes + i) - zero);
}

static inline int float_buffer_rows(const Convolution& convolution) {
    return kBlockRows + (convolution.taps - 1) * convolution.dilation;
}

static std::size_t float_scratch(const Convolution& convolution) {
    const std::size_t rows = float_buffer_rows(convolution) * padded_stride(convolution.inputs);
    const std::size_t panel = static_cast<std::size_t>(convolution.taps) * convolution.inputs * kPanel;
    return (rows + panel + kTileRows * kPanel) * sizeof(float) + 3 * kAlignment;
}

static void convolve_float(const Call& call, int number, int first_panel, int last_panel, unsigned char* scratch) {
    const Convolution& convolution = *call.convolution;
    const Block block = block_at(call, number);
    const std::ptrdiff_t stride = padded_stride(convolution.inputs);
    const std::ptrdiff_t panel_size = static_cast<std::ptrdiff_t>(convolution.taps) * convolution.inputs * kPanel;
    float* x = carve<float>(scratch, float_buffer_rows(convolution) * stride);
    float* expanded = carve<float>(scratch, panel_size);
    float* acc = carve<float>(scratch, kTileRows * kPanel);
    float* sums = sums_of(call, number);
    const int rows = round_up(block.rows, kTileRows);
    fill(call, block.start - call.input.pad, rows + (convolution.taps - 1) * convolution.dilation, x, stride);
    for (int panel = first_panel; panel < last_panel; ++panel) {
        const float* weights = static_cast<const float*>(convolution.weights) + panel * panel_size;
        if (convolution.form == Form::kBytes) {
            const auto* bytes = static_cast<const std::uint8_t*>(convolution.weights) + panel * panel_size;
            expand_bytes(bytes, panel_size, convolution.zero, expanded);
            weights = expanded;
        }
        clear_sums(call, sums, panel * kPanel);
        for (int m = 0; m < block.rows; m += kTileRows) {
            const int tile_rows = block.rows - m < kTileRows ? block.rows - m : kTileRows;
            expect_rows(call, block.start + m, tile_rows, 1, panel * kPanel);
            multiply_rows(tile_rows, x + m * stride, stride, convolution.dilation * stride, convolution.taps, convolution.inputs, weights,
                          acc);
            finish_rows(call, acc, convolution.scale, block.start + m, tile_rows, 1, panel * kPanel, sums);
        }
    }
}
