// Convolution in floats by Winograd's F(4, 3) or F(4, 4). Taps are taken in groups of three or four; all groups are added up at the
// points (0, 1, -1, 2, -2, with four taps 1/2, and infinity, in this order) and transformed back once. With dilation d, rows t, t+d,
// t+2d, ... are a sequence of their own: a tile is four rows of one.

struct Tiling {
    int dilation;
    int group_taps;
    int groups;
    int points;
    int step;   // rows from a tile to the next one of its sequence
    int tiles;  // of one block
    int padded_tiles;

    explicit Tiling(const Convolution& convolution, int rows)
        : dilation(convolution.dilation),
          group_taps(winograd_taps(convolution.taps)),
          groups(winograd_groups(convolution.taps)),
          points(winograd_points(group_taps)),
          step(kWinogradOutputs * convolution.dilation),
          tiles((rows + step - 1) / step * dilation),
          padded_tiles(round_up(tiles, kTileRows)) {}

    int row(int tile) const { return tile / dilation * step + tile % dilation; }
    int input_rows() const { return tiles / dilation * step + (groups * group_taps - 1) * dilation; }
};

// Floats of one panel's weights at the points: [points][groups][inputs][kPanel].
static inline std::ptrdiff_t winograd_panel(const Convolution& convolution) {
    const int group_taps = winograd_taps(convolution.taps);
    return static_cast<std::ptrdiff_t>(winograd_points(group_taps)) * winograd_groups(convolution.taps) * convolution.inputs * kPanel;
}

static std::size_t winograd_scratch(const Convolution& convolution) {
    const Tiling tiling(convolution, kBlockRows);
    const std::size_t stride = padded_stride(convolution.inputs);
    const std::size_t rows = tiling.input_rows() * stride;
    const std::size_t points = static_cast<std::size_t>(tiling.groups) * tiling.points * tiling.padded_tiles * stride;
    const std::size_t products = static_cast<std::size_t>(tiling.points) * tiling.padded_tiles * kPanel;
    return (rows + points + winograd_panel(convolution) + products) * sizeof(float) + 4 * kAlignment;
}

// Six neighbours of one channel to the points 0, 1, -1, 2, -2 and infinity.
struct SixPoints {
    Floats zero, one, minus_one, two, minus_two, infinity;
};

static inline SixPoints six_points(Floats x0, Floats x1, Floats x2, Floats x3, Floats x4, Floats x5) {
    const Floats even = x4 - x2 * 4.0f, odd = x3 - x1 * 4.0f;
    const Floats outer = x4 - x2, inner = (x3 - x1) * 2.0f;
    return {x0 * 4.0f - x2 * 5.0f + x4, even + odd, even - odd, outer + inner, outer - inner, x1 * 4.0f - x3 * 5.0f + x5};
}

// The rows of one tile, `row` floats apart, to its points, each `plane` floats behind the last. The seventh point, 1/2, comes in by
// taking off half a row from the next, which is what six points are then made of.
template <int group_taps>
static void transform_rows(const float* x, std::ptrdiff_t row, int channels, float* out, std::ptrdiff_t plane) {
    for (int c = 0; c < channels; c += kLanes) {
        const Floats x0 = load(x + c), x1 = load(x + row + c), x2 = load(x + 2 * row + c);
        const Floats x3 = load(x + 3 * row + c), x4 = load(x + 4 * row + c), x5 = load(x + 5 * row + c);
        SixPoints at;
        if constexpr (group_taps == 4) {
            const Floats x6 = load(x + 6 * row + c);
            at = six_points(x1 - x0 * 0.5f, x2 - x1 * 0.5f, x3 - x2 * 0.5f, x4 - x3 * 0.5f, x5 - x4 * 0.5f, x6 - x5 * 0.5f);
            store(out + 5 * plane + c, x1 * 4.0f - x3 * 5.0f + x5);
        } else {
            at = six_points(x0, x1, x2, x3, x4, x5);
        }
        store(out + c, at.zero);
        store(out + plane + c, at.one);
        store(out + 2 * plane + c, at.minus_one);
        store(out + 3 * plane + c, at.two);
        store(out + 4 * plane + c, at.minus_two);
        store(out + (group_taps + 2) * plane + c, at.infinity);
    }
}

// The weights of one panel at the points: out [points][channels][kPanel].
template <int group_taps>
static void transform_weights(const std::uint8_t* bytes, int channels, float zero, float* out) {
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(channels) * kPanel;
    for (int c = 0; c < channels; ++c, bytes += group_taps * kPanel, out += kPanel) {
        for (int z = 0; z < kPanel; z += kLanes) {
            const Floats w0 = widened(bytes + z) - zero;
            const Floats w1 = widened(bytes + kPanel + z) - zero;
            const Floats w2 = widened(bytes + 2 * kPanel + z) - zero;
            Floats even = w0 + w2, odd = w1, even_at_two = w0 + w2 * 4.0f, odd_at_two = w1 * 2.0f, last = w2;
            if constexpr (group_taps == 4) {
                last = widened(bytes + 3 * kPanel + z) - zero;
                odd += last;
                odd_at_two += last * 8.0f;
                store(out + z, w0 * -0.5f);
                store(out + plane + z, (even + odd) * (-1 / 3.0f));
                store(out + 2 * plane + z, (even - odd) * (1 / 9.0f));
                store(out + 3 * plane + z, (even_at_two + odd_at_two) * (1 / 36.0f));
                store(out + 4 * plane + z, (even_at_two - odd_at_two) * (-1 / 60.0f));
                store(out + 5 * plane + z, (w0 + w1 * 0.5f + w2 * 0.25f + last * 0.125f) * (32 / 45.0f));
            } else {
                store(out + z, w0 * 0.25f);
                store(out + plane + z, (even + odd) * (-1 / 6.0f));
                store(out + 2 * plane + z, (even - odd) * (-1 / 6.0f));
                store(out + 3 * plane + z, (even_at_two + odd_at_two) * (1 / 24.0f));
                store(out + 4 * plane + z, (even_at_two - odd_at_two) * (1 / 24.0f));
            }
            store(out + (group_taps + 2) * plane + z, last);
        }
    }
}

static void expand_winograd(const Convolution& convolution, int panel, float* out) {
    const int group_taps = winograd_taps(convolution.taps), channels = winograd_groups(convolution.taps) * convolution.inputs;
    const auto* bytes = static_cast<const std::uint8_t*>(convolution.weights) + static_cast<std::ptrdiff_t>(panel) * channels * group_taps * kPanel;
    if (group_taps == 4)
        transform_weights<4>(bytes, channels, convolution.zero, out);
    else
        transform_weights<3>(bytes, channels, convolution.zero, out);
}

// The points of one tile, `plane` floats apart, to four rows of kPanel.
template <int group_taps>
static inline void transform_back(const float* m, std::ptrdiff_t plane, float* y) {
    for (int z = 0; z < kPanel; z += kLanes) {
        const Floats m0 = load(m + z), m1 = load(m + plane + z), m2 = load(m + 2 * plane + z);
        const Floats m3 = load(m + 3 * plane + z), m4 = load(m + 4 * plane + z), last = load(m + (group_taps + 2) * plane + z);
        const Floats s12 = m1 + m2, d12 = m1 - m2, s34 = m3 + m4, d34 = m3 - m4;
        Floats half = {};
        if constexpr (group_taps == 4) half = load(m + 5 * plane + z);
        store(y + z, m0 + s12 + s34 + half);
        store(y + kPanel + z, d12 + d34 * 2.0f + half * 0.5f);
        store(y + 2 * kPanel + z, s12 + s34 * 4.0f + half * 0.25f);
        store(y + 3 * kPanel + z, d12 + d34 * 8.0f + half * 0.125f + last);
    }
}

static void finish_tiles(const Call& call, const Tiling& tiling, const Block& block, const float* products, int panel, float* sums) {
    const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(tiling.padded_tiles) * kPanel;
    alignas(kAlignment) float y[kWinogradOutputs * kPanel];
    for (int tile = 0; tile < tiling.tiles; ++tile) {
        if (tiling.group_taps == 4)
            transform_back<4>(products + tile * kPanel, plane, y);
        else
            transform_back<3>(products + tile * kPanel, plane, y);
        const int row = tiling.row(tile), left = (block.rows - row + tiling.dilation - 1) / tiling.dilation;
        const int rows = left < kWinogradOutputs ? left : kWinogradOutputs;
        finish_rows(call, y, call.convolution->scale, block.start + row, rows, tiling.dilation, panel * kPanel, sums);
    }
}

// All tiles at all points: points [groups][points][padded_tiles][stride].
static void transform_block(const Tiling& tiling, const float* x, std::ptrdiff_t stride, int inputs, float* points) {
    const std::ptrdiff_t plane = tiling.padded_tiles * stride, row = tiling.dilation * stride;
    for (int group = 0; group < tiling.groups; ++group, points += tiling.points * plane) {
        for (int tile = 0; tile < tiling.tiles; ++tile) {
            const float* first = x + tiling.row(tile) * stride + group * tiling.group_taps * row;
            if (tiling.group_taps == 4)
                transform_rows<4>(first, row, inputs, points + tile * stride, plane);
            else
                transform_rows<3>(first, row, inputs, points + tile * stride, plane);
        }
        for (int point = 0; point < tiling.points; ++point)
            memset(points + point * plane + tiling.tiles * stride, 0, (tiling.padded_tiles - tiling.tiles) * stride * sizeof(float));
    }
}

static void convolve_winograd(const Call& call, int number, int first_panel, int last_panel, unsigned char* scratch) {
    const Convolution& convolution = *call.convolution;
    const Block block = block_at(call, number);
    const Tiling tiling(convolution, block.rows), largest(convolution, kBlockRows);
    const int inputs = convolution.inputs;
    const std::ptrdiff_t stride = padded_stride(inputs), plane = tiling.padded_tiles * stride;
    const std::ptrdiff_t panel_size = winograd_panel(convolution);
    float* x = carve<float>(scratch, largest.input_rows() * stride);
    float* points = carve<float>(scratch, static_cast<std::ptrdiff_t>(largest.groups) * largest.points * largest.padded_tiles * stride);
    float* own = carve<float>(scratch, panel_size);
    float* products = carve<float>(scratch, static_cast<std::ptrdiff_t>(largest.points) * largest.padded_tiles * kPanel);
    float* sums = sums_of(call, number);
    fill(call, block.start - call.input.pad, tiling.input_rows(), x, stride);
    transform_block(tiling, x, stride, inputs, points);
    for (int panel = first_panel; panel < last_panel; ++panel) {
        const float* weights = call.expanded ? call.expanded + panel * panel_size : own;
        if (!call.expanded) expand_winograd(convolution, panel, own);
        clear_sums(call, sums, panel * kPanel);
        for (int point = 0; point < tiling.points; ++point)
            for (int tile = 0; tile < tiling.tiles; tile += kTileRows)
                multiply_rows(tiling.tiles - tile, points + point * plane + tile * stride, stride, tiling.points * plane, tiling.groups,
                              inputs, weights + static_cast<std::ptrdiff_t>(point) * tiling.groups * inputs * kPanel,
                              products + (static_cast<std::ptrdiff_t>(point) * tiling.padded_tiles + tile) * kPanel);
        finish_tiles(call, tiling, block, products, panel, sums);
    }
}
