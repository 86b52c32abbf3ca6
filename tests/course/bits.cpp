#include "course/cuda.h"

#include <bit>
#include <limits>

namespace lanescope::course {
namespace {

std::vector<unsigned> random_words(std::size_t n, unsigned seed) {
    auto words = random_numbers<unsigned>(n, seed, 0, std::numeric_limits<unsigned>::max());
    words[0] = 0;
    if (n > 1) words[1] = ~0U;
    return words;
}
std::vector<std::int64_t> random_longs(std::size_t n, unsigned seed) {
    const auto low = random_words(n, seed), high = random_words(n, seed + 100);
    std::vector<std::int64_t> longs;
    for (std::size_t i = 0; i < n; ++i) {
        longs.push_back(static_cast<std::int64_t>(std::uint64_t{high[i]} << 32U | low[i]));
    }
    return longs;
}

template <class T>
T reversed(T x) {
    T result = 0;
    for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit) result |= ((x >> bit) & T{1}) << (sizeof(T) * 8 - 1 - bit);
    return result;
}
template <class T>
int first_set(T x) {
    return x == 0 ? 0 : std::countr_zero(x) + 1;
}

TEST(Bits, Counted) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_words(n, 1);
            std::vector<int> ones(n), leading(n), trailing(n), expected[3];
            std::vector<unsigned> mirrored(n), expected_mirrored;
            for (const unsigned x : in) {
                expected[0].push_back(std::popcount(x));
                expected[1].push_back(std::countl_zero(x));
                expected[2].push_back(first_set(x));
                expected_mirrored.push_back(reversed(x));
            }
            cuda.launch("count_bits", threads(n, 64), in, ones, leading, trailing, mirrored, static_cast<int>(n));
            EXPECT_EQ(ones, expected[0]);
            EXPECT_EQ(leading, expected[1]);
            EXPECT_EQ(trailing, expected[2]);
            EXPECT_EQ(mirrored, expected_mirrored);
        }
    });
}

TEST(Bits, CountedInLongWords) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_longs(n, 2);
            std::vector<int> out(n), expected;
            std::vector<std::uint64_t> mirrored(n), expected_mirrored;
            for (const std::int64_t value : in) {
                const auto x = static_cast<std::uint64_t>(value);
                expected.push_back(std::popcount(x) + 100 * std::countl_zero(x) + 10000 * first_set(x));
                expected_mirrored.push_back(reversed(x));
            }
            cuda.launch("count_long_bits", threads(n, 64), in, out, mirrored, static_cast<int>(n));
            EXPECT_EQ(out, expected);
            EXPECT_EQ(mirrored, expected_mirrored);
        }
    });
}

TEST(Bits, FieldsSwapped) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const int first = 13, count = 9;
            const auto in = random_words(n, 3);
            std::vector<unsigned> out(n), expected;
            for (const unsigned x : in) {
                const unsigned mask = (1U << count) - 1;
                const unsigned rest = x & ~mask & ~(mask << first);
                expected.push_back(rest | ((x & mask) << first) | ((x >> first) & mask));
            }
            cuda.launch("bit_fields", threads(n, 64), in, out, first, count, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Bits, Rotated) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_words(n, 4);
            const auto by = random_numbers<int>(n, 5, 0, 40);
            std::vector<unsigned> left(n), right(n), expected_left, expected_right;
            for (std::size_t i = 0; i < n; ++i) {
                expected_left.push_back(std::rotl(in[i], by[i] % 32));
                const std::uint64_t both = std::uint64_t{~in[i]} << 32U | in[i];
                expected_right.push_back(static_cast<unsigned>(both >> std::min(by[i], 32)));
            }
            cuda.launch("rotate", threads(n, 64), in, by, left, right, static_cast<int>(n));
            EXPECT_EQ(left, expected_left);
            EXPECT_EQ(right, expected_right);
        }
    });
}

TEST(Bits, BytesSwapped) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_words(n, 6);
            std::vector<unsigned> out(n), expected;
            for (const unsigned x : in) expected.push_back(__builtin_bswap32(x));
            cuda.launch("swap_bytes", threads(n, 64), in, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

TEST(Products, TheUpperHalf) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_longs(n, 7), b = random_longs(n, 8);
            std::vector<std::int64_t> high(n), expected;
            std::vector<unsigned> word(n), expected_word;
            for (std::size_t i = 0; i < n; ++i) {
                expected.push_back(static_cast<std::int64_t>(static_cast<Wide>(a[i]) * b[i] >> 64U));
                expected_word.push_back(static_cast<unsigned>(
                    std::uint64_t{static_cast<unsigned>(a[i])} * static_cast<unsigned>(b[i]) >> 32U));
            }
            cuda.launch("high_products", threads(n, 64), a, b, high, word, static_cast<int>(n));
            EXPECT_EQ(high, expected);
            EXPECT_EQ(word, expected_word);
        }
    });
}

TEST(Sums, CarryInto128Bits) {
    struct Long {
        std::uint64_t low, high;
        bool operator==(const Long&) const = default;
    };
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto words = random_longs(4 * n, 9);
            std::vector<Long> a, b, sum(n), expected;
            for (std::size_t i = 0; i < 4 * n; i += 4) {
                const auto word = [&](std::size_t k) { return static_cast<std::uint64_t>(words[i + k]); };
                a.push_back({word(0), word(1)});
                b.push_back({word(2), word(3)});
                const std::uint64_t low = word(0) + word(2);
                expected.push_back({low, word(1) + word(3) + (low < word(0) ? 1U : 0U)});
            }
            cuda.launch("long_sums", threads(n, 64), a, b, sum, static_cast<int>(n));
            EXPECT_TRUE(sum == expected);
        }
    });
}

TEST(Products, Of128Bits) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_longs(n, 10), b = random_longs(n, 11);
            std::vector<std::int64_t> high(n), triple(n), expected_high, expected_triple;
            for (std::size_t i = 0; i < n; ++i) {
                const auto product = static_cast<UnsignedWide>(static_cast<Wide>(a[i]) * b[i]) + 12345U;
                expected_high.push_back(static_cast<std::int64_t>(static_cast<Wide>(product) >> 40U));
                expected_triple.push_back(static_cast<std::int64_t>(product * 3U));
            }
            cuda.launch("int128", threads(n, 64), a, b, high, triple, static_cast<int>(n));
            EXPECT_EQ(high, expected_high);
            EXPECT_EQ(triple, expected_triple);
        }
    });
}

TEST(Sums, Saturate) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const std::int64_t least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
            const auto a = random_numbers<int>(n, 12, least, most), b = random_numbers<int>(n, 13, least, most);
            std::vector<int> sums(n), differences(n), expected_sums, expected_differences;
            for (std::size_t i = 0; i < n; ++i) {
                const std::int64_t x = a[i], y = b[i];
                expected_sums.push_back(static_cast<int>(std::clamp(x + y, least, most)));
                expected_differences.push_back(static_cast<int>(std::clamp(x - y, least, most)));
            }
            cuda.launch("saturate", threads(n, 64), a, b, sums, differences, static_cast<int>(n));
            EXPECT_EQ(sums, expected_sums);
            EXPECT_EQ(differences, expected_differences);
        }
    });
}

TEST(Products, OfBytes) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_words(n, 14), b = random_words(n, 15);
            std::vector<int> out(n), expected;
            std::vector<unsigned> distances(n), expected_distances;
            for (std::size_t i = 0; i < n; ++i) {
                int sum = 1000;
                for (unsigned byte = 0; byte < 4; ++byte) {
                    sum += static_cast<std::int8_t>(a[i] >> (8 * byte)) * static_cast<std::int8_t>(b[i] >> (8 * byte));
                }
                expected.push_back(sum);
                expected_distances.push_back(std::max(a[i], b[i]) - std::min(a[i], b[i]) + 7U);
            }
            cuda.launch("byte_dot_products", threads(n, 64), a, b, out, distances, static_cast<int>(n));
            EXPECT_EQ(out, expected);
            EXPECT_EQ(distances, expected_distances);
        }
    });
}

TEST(Bits, BytesInWords) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_words(n, 16), b = random_words(n, 17);
            std::vector<unsigned> sums(n), greater(n), expected_sums(n), expected_greater(n);
            for (std::size_t i = 0; i < n; ++i) {
                for (unsigned shift = 0; shift < 32; shift += 8) {
                    const unsigned x = (a[i] >> shift) & 0xFFU, y = (b[i] >> shift) & 0xFFU;
                    expected_sums[i] |= ((x + y) & 0xFFU) << shift;
                    expected_greater[i] |= (x > y ? 0xFFU : 0U) << shift;
                }
            }
            cuda.launch("bytes_in_words", threads(n, 64), a, b, sums, greater, static_cast<int>(n));
            EXPECT_EQ(sums, expected_sums);
            EXPECT_EQ(greater, expected_greater);
        }
    });
}

TEST(Bits, GrayCodeThereAndBack) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<unsigned> code(n), back(n), expected_code, expected_back;
            for (unsigned i = 0; i < n; ++i) {
                const unsigned x = i * 2654435761U;
                expected_code.push_back(x ^ (x >> 1U));
                expected_back.push_back(x);
            }
            cuda.launch("gray_code", threads(n, 64), code, back, static_cast<int>(n));
            EXPECT_EQ(code, expected_code);
            EXPECT_EQ(back, expected_back);
        }
    });
}

TEST(Integers, OfOneAndTwoBytes) {
    in_both_views("bits", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto a = random_numbers<std::int8_t>(n, 18, -128, 127);
            const auto b = random_numbers<std::int16_t>(n, 19, -32768, 32767);
            std::vector<std::uint8_t> bytes(n), expected_bytes;
            std::vector<std::int16_t> shorts(n), expected_shorts;
            std::vector<std::int64_t> sum(n), expected_sum;
            for (std::size_t i = 0; i < n; ++i) {
                expected_bytes.push_back(static_cast<std::uint8_t>(a[i] + b[i]));
                expected_shorts.push_back(static_cast<std::int16_t>(a[i] * b[i]));
                expected_sum.push_back(std::int64_t{a[i]} - b[i] + (b[i] >> 3) + static_cast<std::uint16_t>(b[i]) / 7 +
                                       a[i] % 5);
            }
            cuda.launch("small_integers", threads(n, 64), a, b, bytes, shorts, sum, static_cast<int>(n));
            EXPECT_EQ(bytes, expected_bytes);
            EXPECT_EQ(shorts, expected_shorts);
            EXPECT_EQ(sum, expected_sum);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
