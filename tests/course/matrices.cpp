#include "course/cuda.h"

namespace lanescope::course {
namespace {

constexpr int tile = 8;

/// Whole numbers, small enough that every sum is exact whatever its order.
template <class T>
std::vector<T> matrix(int rows, int columns, unsigned seed) {
    return random_numbers<T>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), seed, -9, 9);
}

template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b, int rows, int inner, int columns) {
    std::vector<T> c;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            T sum = 0;
            for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
            c.push_back(sum);
        }
    }
    return c;
}

template <class T>
std::vector<T> transposed(const std::vector<T>& in, int width, int height) {
    std::vector<T> out;
    for (int x = 0; x < width; ++x) {
        for (int y = 0; y < height; ++y) out.push_back(in[y * width + x]);
    }
    return out;
}

Shape in_tiles(int columns, int rows, std::uint32_t side, trace::Dim3 block) {
    return {.grid = {blocks_for(columns, side), blocks_for(rows, side)}, .block = block};
}

void check_product(const char* kernel) {
    in_both_views("matrices", [&](Cuda& cuda) {
        const std::vector<std::array<int, 3>> extents{{1, 1, 1}, {8, 8, 8}, {17, 9, 20}, {24, 40, 7}};
        for (const auto& [rows, inner, columns] : extents) {
            const auto a = matrix<float>(rows, inner, 1);
            const auto b = matrix<float>(inner, columns, 2);
            std::vector<float> c(rows * columns);
            cuda.launch(kernel, in_tiles(columns, rows, tile, {tile, tile}), a, b, c, rows, inner, columns);
            EXPECT_EQ(c, product(a, b, rows, inner, columns)) << rows << " x " << inner << " x " << columns;
        }
    });
}

TEST(MatrixProduct, Naive) { check_product("product_naive"); }
TEST(MatrixProduct, TiledInSharedMemory) { check_product("product_tiled"); }

TEST(MatrixProduct, TiledInRegisters) {
    in_both_views("matrices", [](Cuda& cuda) {
        for (const int n : {1, 16, 21, 40}) {
            const auto a = matrix<float>(n, n, 3);
            const auto b = matrix<float>(n, n, 4);
            std::vector<float> c(n * n);
            cuda.launch("product_in_registers", in_tiles(n, n, 2 * tile, {tile, tile}), a, b, c, n);
            EXPECT_EQ(c, product(a, b, n, n, n)) << n;
        }
    });
}

TEST(MatrixVector, ThreadForEachRow) {
    in_both_views("matrices", [](Cuda& cuda) {
        for (const int rows : {1, 63, 130}) {
            const int columns = 45;
            const auto a = matrix<double>(rows, columns, 5);
            const auto x = matrix<double>(columns, 1, 6);
            std::vector<double> y(rows);
            cuda.launch("matrix_vector", threads(rows, 64), a, x, y, rows, columns);
            EXPECT_EQ(y, product(a, x, rows, columns, 1));
        }
    });
}

TEST(MatrixVector, WarpForEachRow) {
    in_both_views("matrices", [](Cuda& cuda) {
        for (const int columns : {1, 32, 75}) {
            const int rows = 11;
            const auto a = matrix<float>(rows, columns, 7);
            const auto x = matrix<float>(columns, 1, 8);
            std::vector<float> y(rows);
            cuda.launch("matrix_vector_by_warps", threads(rows * 32, 128), a, x, y, rows, columns);
            EXPECT_EQ(y, product(a, x, rows, columns, 1));
        }
    });
}

void check_transpose(const char* kernel, trace::Dim3 block) {
    in_both_views(
        "matrices",
        [&](Cuda& cuda) {
            for (const auto& [width, height] : std::vector<std::array<int, 2>>{{1, 1}, {16, 16}, {33, 20}, {5, 64}}) {
                const auto in = matrix<int>(height, width, 9);
                std::vector<int> out(in.size());
                cuda.launch(kernel, in_tiles(width, height, 16, block), in, out, width, height);
                EXPECT_EQ(out, transposed(in, width, height)) << width << " x " << height;
            }
        },
        {"transpose_tiled<0>", "transpose_tiled<1>"});
}

TEST(Transpose, Naive) { check_transpose("transpose_naive", {16, 16}); }
TEST(Transpose, Tiled) { check_transpose("transpose_tiled<0>", {16, 4}); }
TEST(Transpose, TiledAndPadded) { check_transpose("transpose_tiled<1>", {16, 8}); }

}  // namespace
}  // namespace lanescope::course
