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

// One row of one panel. `scale` is the convolution's, times that of a quantised input.
static inline void finish_row(const Call& call, const float* acc, float scale, int row, int channel, float* sums) {
    const Output& output = call.output;
    const Convolution& convolution = *call.convolution;
    float* out = output.data + row * output.stride + channel;
    const float* residual =
        output.residual ? output.residual + (row >> output.residual_shift) * output.residual_stride + channel : nullptr;
    for (int z = 0; z < kPanel; z += kLanes) {
        Floats y = load(acc + z) * scale + load(convolution.bias + channel + z);
        if (residual) y += load(residual + z);
        y *= output.factor;
        if (output.accumulate) y += load(out + z);
        store(out + z, y);
        if (sums) {
            float* sum = sums + channel + z;
            float* squares = sum + convolution.outputs;
            store(sum, load(sum) + y);
            store(squares, y * y + load(squares));
        }
    }
}
