// What follows the multiplications: scale, bias, residual, factor, and the sums for the next normalisation.

struct Block {
    int start;
    int rows;
};

static inline Block block_at(const Call& call, int block) {
    const int start = block * kBlockRows;
    const int left = call.output.rows - start;
    return {start, left < kBlockRows ? left : kBlockRows};
}

static inline float* sums_of(const Call& call, int block) {
    return call.output.sums ? call.output.sums + static_cast<std::ptrdiff_t>(block) * 2 * call.convolution->outputs : nullptr;
}

static inline void clear_sums(const Call& call, float* sums, int channel) {
    if (!sums) return;
    memset(sums + channel, 0, kPanel * sizeof(float));
    memset(sums + call.convolution->outputs + channel, 0, kPanel * sizeof(float));
}

// Rows of one panel, `step` apart, from acc [rows][kPanel]. `scale` is the convolution's, times that of a quantised input.
static inline void finish_rows(const Call& call, const float* acc, float scale, int first, int rows, int step, int channel, float* sums) {
    const Output output = call.output;  // copies, which no store can be thought to change
    const int outputs = call.convolution->outputs;
    const float* bias = call.convolution->bias + channel;
    for (int z = 0; z < kPanel; z += kLanes) {
        const Floats offset = load(bias + z);
        Floats sum = {}, squares = {};
        for (int i = 0; i < rows; ++i) {
            const int row = first + i * step;
            float* out = output.data + row * output.stride + channel + z;
            Floats y = load(acc + i * kPanel + z) * scale + offset;
            if (output.residual) y += load(output.residual + (row >> output.residual_shift) * output.residual_stride + channel + z);
            y *= output.factor;
            if (output.accumulate) y += load(out);
            store(out, y);
            sum += y;
            squares = y * y + squares;
        }
        if (!sums) continue;
        store(sums + channel + z, load(sums + channel + z) + sum);
        store(sums + outputs + channel + z, load(sums + outputs + channel + z) + squares);
    }
}

// Asks for the memory that `finish_rows` will need, while there is something to multiply.
static inline void expect_rows(const Call& call, int first, int rows, int step, int channel) {
    constexpr int kLine = 16;  // floats
    const Output& output = call.output;
    for (int i = 0; i < rows; ++i) {
        const int row = first + i * step;
        for (int z = 0; z < kPanel; z += kLine) {
            __builtin_prefetch(output.data + row * output.stride + channel + z, 1);
            if (output.residual)
                __builtin_prefetch(output.residual + (row >> output.residual_shift) * output.residual_stride + channel + z);
        }
    }
}
