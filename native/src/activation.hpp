// Instance normalisation with a style (as gain and offset) and the curve behind it, in one pass.

// v + sin(alpha v)^2 / alpha. With r the distance of alpha v / pi from a whole number and u = r r, sin^2 is u times a polynomial
// in u; its largest error is 6e-9.
static inline Floats snake(Floats v, Floats alpha_over_pi, Floats inverse_alpha) {
    const Floats turns = v * alpha_over_pi;
    const Floats r = turns - rounded(turns);
    const Floats u = r * r;
    Floats p = u * -3.272945724f + 12.99073013f;
    p = u * p - 30.08595311f;
    p = u * p + 42.72538478f;
    p = u * p - 32.46958112f;
    p = u * p + 9.86960292f;
    return u * p * inverse_alpha + v;
}

static inline Floats curved(const Activation& activation, Floats v, int channel) {
    if (activation.curve == Curve::kSnake)
        return snake(v, load(activation.alpha_over_pi + channel), load(activation.inverse_alpha + channel));
    if (activation.curve == Curve::kLeaky) return v > 0 ? v : v * activation.slope;
    return v;
}

// Gives the largest magnitude of what it wrote, lane by lane. The activation comes as a copy, which no store can be thought to change.
static inline Floats activate_row(const Activation activation, const float* x, float* out, int channels) {
    Floats largest = {};
    for (int c = 0; c < channels; c += kLanes) {
        Floats v = load(x + c);
        if (activation.gain) v = v * load(activation.gain + c) + load(activation.offset + c);
        v = curved(activation, v, c);
        largest = larger(magnitude(v), largest);
        store(out + c, v);
    }
    return largest;
}

static void activate(const Activation& activation, const float* x, float* out, int first, int last, int channels) {
    for (int row = first; row < last; ++row) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * channels;
        activate_row(activation, x + at, out + at, channels);
    }
}

// The activated input rows [first, first + count) into `buffer`, zeros where there are none. Gives the largest magnitude, lane by lane.
static Floats fill(const Call& call, int first, int count, float* buffer, std::ptrdiff_t buffer_stride) {
    const int channels = call.convolution->inputs;
    Floats largest = {};
    for (int i = 0; i < count; ++i) {
        const int row = first + i;
        float* out = buffer + i * buffer_stride;
        if (row < 0 || row >= call.input.rows)
            memset(out, 0, channels * sizeof(float));
        else
            largest = larger(activate_row(call.activation, call.input.data + row * call.input.stride, out, channels), largest);
    }
    return largest;
}
