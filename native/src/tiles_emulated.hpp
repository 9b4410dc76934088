// The same tiles by plain arithmetic, for processors that have none: what the tests run, bit by bit what the instructions are
// defined to do. A row of weights or sums is as wide as the level's vectors, the rest of a tile's row is not there.

class Tiles {
   public:
    template <int tile>
    void zero() {
        memset(rows_[tile], 0, sizeof rows_[tile]);
    }

    template <int tile>
    void load(const void* from, std::ptrdiff_t stride) {
        constexpr int bytes = tile < kFirstWeights && tile >= kFirstInputs ? 64 : 4 * kLanes;
        for (int row = 0; row < kTileHeight; ++row) memcpy(rows_[tile][row], static_cast<const char*>(from) + row * stride, bytes);
    }

    template <int tile>
    void store(void* to, std::ptrdiff_t stride) const {
        for (int row = 0; row < kTileHeight; ++row) memcpy(static_cast<char*>(to) + row * stride, rows_[tile][row], 4 * kLanes);
    }

    // Even and odd products are added up by themselves, one pair after the other, then together, then to the sum. Products of two
    // bf16 are exact in a float, so adding one rounds once, to the nearest even; what is too small for a normal number is zero.
    template <int sums, int inputs, int weights>
    void multiply() {
        static_assert(inputs >= kFirstInputs && inputs < kFirstWeights && weights >= kFirstWeights, "other tiles have other widths");
        const Flushing flushing;
        Floats even[kTilePairs], odd[kTilePairs];
        for (int k = 0; k < kTilePairs; ++k) {
            const Words pairs = *reinterpret_cast<const WordsInMemory*>(rows_[weights][k]);
            even[k] = flushed((Floats)(pairs << 16));
            odd[k] = flushed((Floats)(pairs & kUpper));
        }
        for (int m = 0; m < kTileHeight; ++m) {
            Floats even_sum = {}, odd_sum = {};
            for (int k = 0; k < kTilePairs; ++k) {
                std::int32_t pair;
                memcpy(&pair, rows_[inputs][m] + 4 * k, sizeof pair);
                even_sum = flushed(even_sum + flushed((Floats)same(static_cast<std::int32_t>(static_cast<std::uint32_t>(pair) << 16))) * even[k]);
                odd_sum = flushed(odd_sum + flushed((Floats)same(pair & kUpper)) * odd[k]);
            }
            auto* sum = reinterpret_cast<FloatsAnywhere*>(rows_[sums][m]);
            *sum = flushed(flushed(*sum) + flushed(even_sum + odd_sum));
        }
    }

   private:
#if defined(__SSE__)
    // The processor itself takes numbers that are too small for zero. What is computed meanwhile comes from memory and goes there.
    struct Flushing {
        Flushing() : before(_mm_getcsr()) { set(before | 0x8040); }
        ~Flushing() { set(before); }
        static void set(unsigned control) { asm volatile("ldmxcsr %0" ::"m"(control) : "memory"); }
        const unsigned before;
    };
    static Floats flushed(Floats x) { return x; }
#else
    struct Flushing {};
    static Floats flushed(Floats x) {
        const Words bits = (Words)x;
        return (Floats)(bits & ~(((bits & 0x7f800000) == 0) & 0x7fffffff));
    }
#endif

    typedef std::int32_t WordsInMemory __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));
    static constexpr int kFirstInputs = 4, kFirstWeights = 6;
    static constexpr std::int32_t kUpper = -65536;

    static Words same(std::int32_t value) { return value - Words{}; }

    alignas(kAlignment) unsigned char rows_[8][kTileHeight][64];
};
