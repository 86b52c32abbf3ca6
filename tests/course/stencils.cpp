#include "course/cuda.h"

#include <array>

namespace lanescope::course {
namespace {

Shape plane(int width, int height, std::uint32_t bx, std::uint32_t by) {
    return {.grid = {blocks_for(width, bx), blocks_for(height, by)}, .block = {bx, by}};
}
const std::vector<std::array<int, 2>> planes{{1, 1}, {16, 8}, {33, 17}, {40, 25}};

/// in[i], and `outside` where there is none.
template <class T>
T at(const std::vector<T>& in, std::int64_t i, T outside) {
    return i < 0 || i >= static_cast<std::int64_t>(in.size()) ? outside : in[i];
}

TEST(Stencils, InOneDimensionWithAHalo) {
    in_both_views("stencils", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const auto in = random_numbers<int>(n, 1, -99, 99);
            std::vector<int> out(n), expected(n);
            for (int i = 0; i < static_cast<int>(n); ++i) {
                for (int offset = -3; offset <= 3; ++offset) expected[i] += at(in, i + offset, 0);
            }
            cuda.launch("sum_of_neighbors", threads(n, 64), in, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Stencils, HeatInAPlate) {
    in_both_views("stencils", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            const auto in = random_reals(width * height, 2, 0.0F, 100.0F);
            std::vector<float> out(in.size()), expected = in;
            for (int y = 1; y < height - 1; ++y) {
                for (int x = 1; x < width - 1; ++x) {
                    const int i = y * width + x;
                    const float around = in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
                    const float change = cuda.multiply_add(-4.0F, in[i], around);
                    expected[i] = cuda.multiply_add(0.25F, change, in[i]);
                }
            }
            cuda.launch("heat_2d", plane(width, height, 16, 4), in, out, width, height);
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Stencils, SevenPointsInSpace) {
    in_both_views("stencils", [](Cuda& cuda) {
        for (const auto& [nx, ny, nz] : std::vector<std::array<int, 3>>{{1, 1, 1}, {8, 4, 4}, {9, 7, 5}}) {
            const auto in = random_numbers<int>(nx * ny * nz, 3, -99, 99);
            std::vector<int> out(in.size()), expected;
            const auto value = [&, nx = nx, ny = ny, nz = nz](int x, int y, int z) {
                const bool inside = x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
                return inside ? in[(z * ny + y) * nx + x] : 0;
            };
            for (int z = 0; z < nz; ++z) {
                for (int y = 0; y < ny; ++y) {
                    for (int x = 0; x < nx; ++x) {
                        expected.push_back(6 * value(x, y, z) - value(x - 1, y, z) - value(x + 1, y, z) -
                                           value(x, y - 1, z) - value(x, y + 1, z) - value(x, y, z - 1) -
                                           value(x, y, z + 1));
                    }
                }
            }
            const Shape shape{.grid = {blocks_for(nx, 4), blocks_for(ny, 2), blocks_for(nz, 3)}, .block = {4, 2, 3}};
            cuda.launch("seven_points", shape, in, out, nx, ny, nz);
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Stencils, GameOfLife) {
    in_both_views("stencils", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            auto cells = random_numbers<std::uint8_t>(width * height, 4, 0, 1);
            auto expected = cells;
            std::vector<std::uint8_t> next(cells.size());
            for (int generation = 0; generation < 4; ++generation) {
                cuda.queue("game_of_life", plane(width, height, 8, 8), cells, next, width, height);
                cuda.queue("game_of_life", plane(width, height, 8, 8), next, cells, width, height);
            }
            cuda.run();
            for (int generation = 0; generation < 8; ++generation) {
                const auto before = expected;
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x) {
                        int alive = -before[y * width + x];
                        for (int dy = height - 1; dy <= height + 1; ++dy) {
                            for (int dx = width - 1; dx <= width + 1; ++dx) {
                                alive += before[(y + dy) % height * width + (x + dx) % width];
                            }
                        }
                        expected[y * width + x] = alive == 3 || (alive == 2 && before[y * width + x] != 0);
                    }
                }
            }
            EXPECT_EQ(cells, expected);
        }
    });
}

TEST(Stencils, CellularAutomatonWithItsRuleInConstantMemory) {
    in_both_views("stencils", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            std::vector<std::uint8_t> cells(n), next(n);
            cells[n / 2] = 1;
            auto expected = cells;
            for (int step = 0; step < 5; ++step) {
                cuda.launch("cellular_automaton", threads(n, 64), cells, next, static_cast<int>(n));
                cells = next;
                const auto before = expected;
                for (int i = 0; i < static_cast<int>(n); ++i) {
                    const int left = at<std::uint8_t>(before, i - 1, 0), right = at<std::uint8_t>(before, i + 1, 0);
                    expected[i] = static_cast<std::uint8_t>(left ^ (before[i] | right));  // Wolfram's rule 30
                }
            }
            EXPECT_EQ(cells, expected);
        }
    });
}

TEST(Convolutions, InOneDimensionWithAConstantMask) {
    in_both_views("stencils", [](Cuda& cuda) {
        for (const std::size_t n : sizes) {
            const std::array<float, 5> mask{1, -2, 4, 3, -1};
            const auto in = random_numbers<float>(n, 5, -99, 99);
            std::vector<float> out(n), expected(n);
            for (int i = 0; i < static_cast<int>(n); ++i) {
                for (int k = 0; k < 5; ++k) expected[i] += at(in, i + k - 2, 0.0F) * mask[k];
            }
            cuda.launch("convolution_1d", threads(n, 64), in, out, static_cast<int>(n));
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Convolutions, InTwoDimensionsTiledWithAHalo) {
    in_both_views("stencils", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            const auto in = random_numbers<int>(width * height, 6, -99, 99);
            std::vector<int> out(in.size()), expected;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    int sum = 0;
                    for (int j = std::max(0, y - 2); j < std::min(height, y + 3); ++j) {
                        for (int i = std::max(0, x - 2); i < std::min(width, x + 3); ++i) {
                            sum += (5 - std::abs(x - i) - std::abs(y - j)) * in[j * width + i];
                        }
                    }
                    expected.push_back(sum);
                }
            }
            const Shape shape{.grid = {blocks_for(width, 12), blocks_for(height, 12)}, .block = {16, 16}};
            cuda.launch("convolution_2d_tiled", shape, in, out, width, height);
            EXPECT_EQ(out, expected);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
