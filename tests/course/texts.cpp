#include "course/cuda.h"

#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

namespace lanescope::course {
namespace {

std::vector<char> letters(const std::string& text) { return {text.begin(), text.end()}; }
const std::string sentence = "a warp is a warp is thirty two lanes that walk as a warp does when warps are a warp";

TEST(Texts, FindAPattern) {
    in_both_views("texts", [](Cuda& cuda) {
        for (const std::string pattern : {"warp", "a", "zebra", "a warp"}) {
            const int n = static_cast<int>(sentence.size());
            std::vector<int> found(n), expected(n);
            for (int i = 0; i < n; ++i) expected[i] = sentence.compare(i, pattern.size(), pattern) == 0;
            cuda.launch("find_all", threads(n, 32), letters(sentence), n, letters(pattern),
                        static_cast<int>(pattern.size()), found);
            EXPECT_EQ(found, expected) << pattern;
        }
    });
}

TEST(Texts, ToUpperCase) {
    in_both_views("texts", [](Cuda& cuda) {
        auto text = letters("Lane 31, of (32)! z{a`");
        cuda.launch("to_upper", threads(text.size(), 16), text, static_cast<int>(text.size()));
        EXPECT_EQ(std::string(text.begin(), text.end()), "LANE 31, OF (32)! Z{A`");
    });
}

TEST(Texts, CountWords) {
    in_both_views("texts", [](Cuda& cuda) {
        for (const std::string& text : {sentence, std::string("  two  words "), std::string("one"), std::string(" ")}) {
            std::vector<int> words(1);
            cuda.launch("count_words", threads(text.size(), 32), letters(text), static_cast<int>(text.size()), words);
            std::istringstream stream(text);
            const auto count = std::distance(std::istream_iterator<std::string>(stream), {});
            EXPECT_EQ(words[0], count) << text;
        }
    });
}

TEST(DynamicProgramming, LongestCommonSubsequence) {
    in_both_views("texts", [](Cuda& cuda) {
        const std::string a = "AGGTABCCATGATTACAGA", b = "GXTXAYBCATTACCAGGATA";
        const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
        std::vector<int> table((n + 1) * (m + 1)), expected(table.size());
        for (int i = 1; i <= n; ++i) {
            for (int j = 1; j <= m; ++j) {
                int* cell = &expected[i * (m + 1) + j];
                *cell = a[i - 1] == b[j - 1] ? cell[-m - 2] + 1 : std::max(cell[-m - 1], cell[-1]);
            }
        }
        cuda.launch("longest_common_subsequence", threads(1, 8), letters(a), n, letters(b), m, table);
        EXPECT_EQ(table, expected);
    });
}

int edit_distance(const std::string& a, const std::string& b) {
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int diagonal = std::exchange(row[0], static_cast<int>(i));
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int change = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
            diagonal = std::exchange(row[j], std::min({change, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

TEST(DynamicProgramming, EditDistance) {
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
    in_both_views("texts", [](Cuda& cuda) {
        const std::vector<std::pair<std::string, std::string>> pairs{
            {"kitten", "sitting"}, {"a", "a"}, {"saturday", "sunday"}, {"a long sentence about lanes", "a longer one"}};
        for (const auto& [a, b] : pairs) {
            std::vector<int> distance(1, -1);
            const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
            cuda.launch("edit_distance", threads(1, 32, 3 * (n + 1) * sizeof(int)), letters(a), n, letters(b), m,
                        distance);
            EXPECT_EQ(distance[0], edit_distance(a, b)) << a << ", " << b;
        }
    });
}

TEST(DynamicProgramming, Knapsack) {
    in_both_views("texts", [](Cuda& cuda) {
        const std::vector<std::pair<int, int>> things{{12, 4}, {2, 2}, {1, 1}, {4, 10}, {1, 2}, {7, 9}};
        const int capacity = 90;
        std::vector<int> best(capacity + 1), next(capacity + 1), expected(capacity + 1);
        for (const auto& [weight, value] : things) {
            cuda.launch("knapsack", threads(capacity + 1, 32), best, next, weight, value, capacity);
            best = next;
            for (int c = capacity; c >= weight; --c) expected[c] = std::max(expected[c], expected[c - weight] + value);
        }
        EXPECT_EQ(best, expected);
    });
}

TEST(Checksums, Crc32) {
    in_both_views("texts", [](Cuda& cuda) {
        const std::string records = "123456789abcdefghi000000000";
        const auto text = letters(records);
        std::vector<unsigned> table(256), sums(3);
        cuda.queue("make_crc_table", threads(256, 256), table);
        cuda.queue("crc32", threads(3, 32), text, 9, table, sums, 3);
        cuda.run();
        EXPECT_EQ(sums[0], 0xCBF43926U);  // the check value of this checksum
        EXPECT_EQ(table[1], 0x77073096U);
        for (std::size_t i = 0; i < 3; ++i) {
            unsigned crc = ~0U;
            for (std::size_t k = 0; k < 9; ++k) {
                crc ^= static_cast<unsigned char>(records[9 * i + k]);
                for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? 0xEDB88320U ^ (crc >> 1U) : crc >> 1U;
            }
            EXPECT_EQ(sums[i], ~crc);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
