#include "course/cuda.h"

#include <algorithm>
#include <array>

namespace lanescope::course {
namespace {

using Pixel = std::array<std::uint8_t, 4>;
using Bytes = std::vector<std::uint8_t>;

Shape plane(int width, int height) {
    return {.grid = {blocks_for(width, 16), blocks_for(height, 4)}, .block = {16, 4}};
}
const std::vector<std::array<int, 2>> planes{{1, 1}, {16, 4}, {37, 11}};

std::vector<Pixel> random_pixels(int count, unsigned seed) {
    const auto bytes = random_numbers<std::uint8_t>(4 * count, seed, 0, 255);
    std::vector<Pixel> pixels(count);
    for (int i = 0; i < 4 * count; ++i) pixels[i / 4][i % 4] = bytes[i];
    return pixels;
}

TEST(Images, ToGray) {
    in_both_views("images", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            const auto in = random_pixels(width * height, 1);
            Bytes out(in.size()), expected;
            for (const Pixel& p : in)
                expected.push_back(static_cast<std::uint8_t>((77 * p[0] + 151 * p[1] + 28 * p[2]) >> 8));
            cuda.launch("gray", plane(width, height), in, out, width, height);
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Images, Blurred) {
    in_both_views("images", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            const auto in = random_numbers<std::uint8_t>(width * height, 2, 0, 255);
            Bytes out(in.size()), expected;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    int sum = 0, count = 0;
                    for (int j = 0; j < height; ++j) {
                        for (int i = 0; i < width; ++i) {
                            if (std::abs(i - x) > 2 || std::abs(j - y) > 2) continue;
                            sum += in[j * width + i];
                            ++count;
                        }
                    }
                    expected.push_back(static_cast<std::uint8_t>(sum / std::max(count, 1)));
                }
            }
            cuda.launch("blur", plane(width, height), in, out, width, height, 2);
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Images, EdgesBySobel) {
    in_both_views("images", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            const auto in = random_numbers<std::uint8_t>(width * height, 3, 0, 90);
            Bytes out(in.size()), expected;
            constexpr std::array<int, 9> kernel{-1, 0, 1, -2, 0, 2, -1, 0, 1};
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    int gx = 0, gy = 0;
                    for (int k = 0; k < 9; ++k) {
                        const int i = std::clamp(x + k % 3 - 1, 0, width - 1);
                        const int j = std::clamp(y + k / 3 - 1, 0, height - 1);
                        gx += kernel[k] * in[j * width + i];
                        gy += kernel[k % 3 * 3 + k / 3] * in[j * width + i];
                    }
                    expected.push_back(static_cast<std::uint8_t>(std::min(255, std::abs(gx) + std::abs(gy))));
                }
            }
            cuda.launch("sobel", plane(width, height), in, out, width, height);
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Images, MirroredRowByRow) {
    in_both_views("images", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            auto picture = random_pixels(width * height, 4);
            auto expected = picture;
            for (int y = 0; y < height; ++y) {
                std::reverse(expected.begin() + y * width, expected.begin() + (y + 1) * width);
            }
            const Shape shape{.grid = {static_cast<std::uint32_t>(height)}, .block = {32}, .shared_bytes = 4U * width};
            cuda.launch("mirror", shape, picture, width);
            EXPECT_EQ(picture, expected);
        }
    });
}

TEST(Images, EnlargedBetweenPixels) {
    in_both_views("images", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            // Whole numbers and quarters: exact, contracted or not.
            const auto in = random_numbers<float>(width * height, 5, 0, 255);
            std::vector<float> out(4 * in.size()), expected;
            const auto weight = [](int at, float& w) {
                const float f = std::max(0.5F * static_cast<float>(at) - 0.25F, 0.0F);
                w = f - std::floor(f);
                return static_cast<int>(std::floor(f));
            };
            for (int y = 0; y < 2 * height; ++y) {
                for (int x = 0; x < 2 * width; ++x) {
                    float wx = 0, wy = 0;
                    const int x0 = weight(x, wx), y0 = weight(y, wy);
                    const int x1 = std::min(x0 + 1, width - 1), y1 = std::min(y0 + 1, height - 1);
                    const auto row = [&, w = width](int j) { return in[j * w + x0] * (1 - wx) + in[j * w + x1] * wx; };
                    expected.push_back(row(y0) * (1 - wy) + row(y1) * wy);
                }
            }
            cuda.launch("enlarge", plane(2 * width, 2 * height), in, out, width, height);
            EXPECT_EQ(out, expected);
        }
    });
}

TEST(Images, MandelbrotSet) {
    in_both_views("images", [](Cuda& cuda) {
        for (const auto& [width, height] : planes) {
            std::vector<int> iterations(width * height), expected;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    // No product is added to anything: the compiler contracts nothing.
                    const double cr = -2.0 + 3.0 * x / width, ci = -1.5 + 3.0 * y / height;
                    double zr = 0, zi = 0;
                    int count = 0;
                    for (; count < 50 && zr * zr + zi * zi <= 4.0; ++count) {
                        const double next = zr * zr - zi * zi + cr;
                        zi = 2.0 * zr * zi + ci;
                        zr = next;
                    }
                    expected.push_back(count);
                }
            }
            cuda.launch("mandelbrot", plane(width, height), iterations, width, height, 50);
            EXPECT_EQ(iterations, expected);
        }
    });
}

}  // namespace
}  // namespace lanescope::course
