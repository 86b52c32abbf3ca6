#include "course/cuda.h"

#include <algorithm>

namespace lanescope::course {
namespace {

void check_histogram(const char* kernel, std::uint32_t block) {
    in_both_views("histograms", [&](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            auto data = random_numbers<unsigned char>(n, 1, 0, 255);
            std::fill_n(data.begin(), n / 2, static_cast<unsigned char>(7));  // half of them contend
            std::vector<unsigned> bins(256), expected(256);
            for (const unsigned char value : data) ++expected[value];
            cuda.launch(kernel, threads(n, block), data, static_cast<int>(n), bins);
            EXPECT_EQ(bins, expected);
        }
    });
}

TEST(Histogram, ByGlobalAtomics) { check_histogram("histogram_global", 128); }
TEST(Histogram, PrivatizedInSharedMemory) { check_histogram("histogram_privatized", 96); }

TEST(Histogram, OfLetters) {
    in_both_views("histograms", [](Cuda& cuda) {
        const std::string words = "programming massively parallel processors, a hands-on approach!";
        const std::vector<char> text(words.begin(), words.end());
        std::vector<int> bins(7), expected(7);
        for (const char letter : words) {
            if (letter >= 'a' && letter <= 'z') ++expected[(letter - 'a') / 4];
        }
        cuda.launch("histogram_of_letters", threads(text.size(), 32), text, static_cast<int>(text.size()), bins);
        EXPECT_EQ(bins, expected);
    });
}

TEST(Histogram, Weighted) {
    in_both_views("histograms",
                  [](Cuda& cuda) {
                      for (const std::size_t n : sizes) {
                          const auto values = random_reals(n, 2);
                          const auto weights = random_numbers<float>(n, 3, 0, 20);
                          std::vector<float> sums(10), expected(10);
                          for (std::size_t i = 0; i < n; ++i) {
                              expected[std::min(static_cast<int>(values[i] * 10), 9)] += weights[i];
                          }
                          cuda.launch("histogram_weighted<10>", threads(n, 64), values, weights, static_cast<int>(n),
                                      sums);
                          EXPECT_EQ(sums, expected);
                      }
                  },
                  {"histogram_weighted<10>"});
}

}  // namespace
}  // namespace lanescope::course
