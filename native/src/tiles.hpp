// The processor's eight tiles (AMX): 16 rows of 64 bytes each, and one instruction that multiplies two of them into a third.
// Written as assembler, so that every compiler makes the same of it and none holds back a store that a tile is to read.

class Tiles {
   public:
    // Tiles belong to the thread that configures them, until they are released.
    Tiles() {
        alignas(kAlignment) Configuration configuration = {};
        configuration.palette = 1;
        for (int tile = 0; tile < 8; ++tile) configuration.row_bytes[tile] = 64, configuration.rows[tile] = kTileHeight;
        asm volatile("ldtilecfg %0" ::"m"(configuration) : "memory");
    }
    ~Tiles() { asm volatile("tilerelease" ::: "memory"); }
    Tiles(const Tiles&) = delete;
    Tiles& operator=(const Tiles&) = delete;

    template <int tile>
    void zero() {
        asm volatile("tilezero %%tmm%c0" ::"i"(tile));
    }

    // kTileHeight rows, `stride` bytes apart.
    template <int tile>
    void load(const void* from, std::ptrdiff_t stride) {
        asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(tile) : "memory");
    }

    template <int tile>
    void store(void* to, std::ptrdiff_t stride) const {
        asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(stride), "i"(tile) : "memory");
    }

    // sums[m][n] += the sum over 16 pairs k of inputs[m][k] * weights[k][n], bf16 by bf16.
    template <int sums, int inputs, int weights>
    void multiply() {
        asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sums), "i"(inputs), "i"(weights));
    }

   private:
    struct Configuration {
        std::uint8_t palette, first_row, reserved[14];
        std::uint16_t row_bytes[16];
        std::uint8_t rows[16];
    };
};
