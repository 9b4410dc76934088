// Convolution in floats by Winograd's F(4, 3). Taps are taken in groups of three; all groups are added up at the six points and
// transformed back once. With dilation d, rows t, t+d, t+2d, ... are a sequence of their own: a tile is four rows of one.

struct Tiling {
    int dilation;
    int groups;
    int step;   // rows from a tile to the next one of its sequence
    int tiles;  // of one block
    int padded_tiles;

    explicit Tiling(const Convolution& convolution, int rows)
        : dilation(convolution.dilation),
          groups(winograd_groups(convolution.taps)),
          step(kWinogradOutputs * convolution.dilation),
          tiles((rows + step - 1) / step * dilation),
          padded_tiles(round_up(tiles, kTileRows)) {}

    int row(int tile) const { return tile / dilation * step + tile % dilation; }
    int input_rows() const { return tiles / dilation * step + (groups * kWinogradTaps - 1) * dilation; }
};

static std::size_t winograd_scratch(const Convolution& convolution) {
    const Tiling tiling(convolution, kBlockRows);
    const std::size_t stride = padded_stride(convolution.inputs);
    const std::size_t rows = tiling.input_rows() * stride;
    const std::size_t points = static_cast<std::size_t>(tiling.groups) * kWinogradPoints * tiling.padded_tiles * stride;
    const std::size_t weights = static_cast<std::size_t>(kWinogradPoints) * tiling.groups * convolution.inputs * kPanel;
    const std::size_t products = static_cast<std::size_t>(kWinogradPoints) * tiling.padded_tiles * kPanel;
    return (rows + points + weights + products) * sizeof(float) + 4 * kAlignment;
}

// Six rows, d apart, to six points, each `plane` floats behind the last.
static void transform_rows(const float* x, std::ptrdiff_t row, int channels, float* out, std::ptrdiff_t plane) {
    for (int c = 0; c < channels; c += kLanes) {
        const Floats x0 = load(x + c), x1 = load(x + row + c), x2 = load(x + 2 * row + c);
        const Floats x3 = load(x + 3 * row + c), x4 = load(x + 4 * row + c), x5 = load(x + 5 * row + c);
        const Floats even = x4 - x2 * 4.0f, odd = x3 - x1 * 4.0f;
        const Floats outer = x4 - x2, inner = (x3 - x1) * 2.0f;
        store(out + c, x0 * 4.0f - x2 * 5.0f + x4);
        store(out + plane + c, even + odd);
        store(out + 2 * plane + c, even - odd);
        store(out + 3 * plane + c, outer + inner);
        store(out + 4 * plane + c, outer - inner);
        store(out + 5 * plane + c, x1 * 4.0f - x3 * 5.0f + x5);
    }
}

// The weights of one panel at the six points: out [6][groups][inputs][kPanel].
static void transform_weights(const std::uint8_t* bytes, int channels, float zero, float* out) {
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(channels) * kPanel;
    for (int c = 0; c < channels; ++c, bytes += kWinogradTaps * kPanel, out += kPanel) {
        for (int z = 0; z < kPanel; z += kLanes) {
            const Floats w0 = widened(bytes + z) - zero;
            const Floats w1 = widened(bytes + kPanel + z) - zero;
            const Floats w2 = widened(bytes + 2 * kPanel + z) - zero;
            const Floats ends = w0 + w2;
            const Floats far = w0 * (1 / 24.0f) + w2 * (1 / 6.0f), middle = w1 * (1 / 12.0f);
            store(out + z, w0 * 0.25f);
            store(out + plane + z, (ends + w1) * (-1 / 6.0f));
            store(out + 2 * plane + z, (ends - w1) * (-1 / 6.0f));
            store(out + 3 * plane + z, far + middle);
            store(out + 4 * plane + z, far - middle);
            store(out + 5 * plane + z, w2);
        }
    }
}

// Six points of one tile, `plane` floats apart, to four rows of kPanel.
static inline void transform_back(const float* m, std::ptrdiff_t plane, float* y) {
    for (int z = 0; z < kPanel; z += kLanes) {
        const Floats m0 = load(m + z), m1 = load(m + plane + z), m2 = load(m + 2 * plane + z);
        const Floats m3 = load(m + 3 * plane + z), m4 = load(m + 4 * plane + z), m5 = load(m + 5 * plane + z);
        const Floats s12 = m1 + m2, d12 = m1 - m2, s34 = m3 + m4, d34 = m3 - m4;
        store(y + z, m0 + s12 + s34);
        store(y + kPanel + z, d12 + d34 * 2.0f);
        store(y + 2 * kPanel + z, s12 + s34 * 4.0f);
        store(y + 3 * kPanel + z, d12 + d34 * 8.0f + m5);
    }
}

static void finish_tiles(const Call& call, const Tiling& tiling, const Block& block, const float* products, int panel, float* sums) {
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(tiling.padded_tiles) * kPanel;
    alignas(kAlignment) float y[kWinogradOutputs * kPanel];
    for (int tile = 0; tile < tiling.tiles; ++tile) {
        transform_back(products + tile * kPanel, plane, y);
        const int row = tiling.row(tile), left = (block.rows - row + tiling.dilation - 1) / tiling.dilation;
        const int rows = left < kWinogradOutputs ? left : kWinogradOutputs;
        finish_rows(call, y, call.convolution->scale, block.start + row, rows, tiling.dilation, panel * kPanel, sums);
    }
}

static void convolve_winograd(const Call& call, int number, int first_panel, int last_panel, unsigned char* scratch) {
    const Convolution& convolution = *call.convolution;
    const Block block = block_at(call, number);
    const Tiling tiling(convolution, block.rows), largest(convolution, kBlockRows);
    const int inputs = convolution.inputs;
    const std::ptrdiff_t stride = padded_stride(inputs);
    const std::ptrdiff_t plane = tiling.padded_tiles * stride, group_plane = kWinogradPoints * plane;
    const std::ptrdiff_t panel_bytes = static_cast<std::ptrdiff_t>(tiling.groups) * inputs * kWinogradTaps * kPanel;
    float* x = carve<float>(scratch, largest.input_rows() * stride);
    float* points = carve<float>(scratch, static_cast<std::ptrdiff_t>(largest.groups) * kWinogradPoints * largest.padded_tiles * stride);
    float* weights = carve<float>(scratch, static_cast<std::ptrdiff_t>(kWinogradPoints) * tiling.groups * inputs * kPanel);
    float* products = carve<float>(scratch, static_cast<std::ptrdiff_t>(kWinogradPoints) * largest.padded_tiles * kPanel);
    float* sums = sums_of(call, number);
    fill(call, block.start - call.input.pad, tiling.input_rows(), x, stride);
    for (int group = 0; group < tiling.groups; ++group)
        for (int tile = 0; tile < tiling.tiles; ++tile)
            transform_rows(x + (tiling.row(tile) + group * kWinogradTaps * tiling.dilation) * stride, tiling.dilation * stride, inputs,
                           points + group * group_plane + tile * stride, plane);
    for (int group = 0; group < tiling.groups; ++group)
        for (int point = 0; point < kWinogradPoints; ++point)
            memset(points + group * group_plane + point * plane + tiling.tiles * stride, 0,
                   (tiling.padded_tiles - tiling.tiles) * stride * sizeof(float));
    for (int panel = first_panel; panel < last_panel; ++panel) {
        const auto* bytes = static_cast<const std::uint8_t*>(convolution.weights) + panel * panel_bytes;
        transform_weights(bytes, tiling.groups * inputs, convolution.zero, weights);
        clear_sums(call, sums, panel * kPanel);
        for (int point = 0; point < kWinogradPoints; ++point)
            for (int tile = 0; tile < tiling.tiles; tile += kTileRows)
                multiply_tile(points + point * plane + tile * stride, stride, group_plane, tiling.groups, inputs,
                              weights + static_cast<std::ptrdiff_t>(point) * tiling.groups * inputs * kPanel,
                              products + (static_cast<std::ptrdiff_t>(point) * tiling.padded_tiles + tile) * kPanel);
        finish_tiles(call, tiling, block, products, panel, sums);
    }
}
