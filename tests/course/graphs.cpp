#include "course/cuda.h"

#include <numeric>

namespace lanescope::course {
namespace {

/// Rows of (column, value), some of them empty.
using Rows = std::vector<std::vector<std::pair<int, float>>>;

Rows random_rows(int rows, int columns, unsigned seed) {
    std::mt19937 random(seed);
    Rows result(rows);
    for (auto& row : result) {
        for (int column = 0; column < columns; ++column) {
            if (random() % 4 == 0) row.emplace_back(column, static_cast<float>(static_cast<int>(random() % 19) - 9));
        }
    }
    if (rows > 2) result[1].clear();
    return result;
}

struct Compressed {
    std::vector<int> begins{0}, columns;
    std::vector<float> values;
    explicit Compressed(const Rows& rows) {
        for (const auto& row : rows) {
            for (const auto& [column, value] : row) {
                columns.push_back(column);
                values.push_back(value);
            }
            begins.push_back(static_cast<int>(columns.size()));
        }
        columns.push_back(0);  // never read: a buffer of no bytes is no buffer
        values.push_back(0);
    }
};

std::vector<float> product(const Rows& rows, const std::vector<float>& x) {
    std::vector<float> y;
    for (const auto& row : rows) {
        y.push_back(std::accumulate(row.begin(), row.end(), 0.0F,
                                    [&](float sum, const auto& cell) { return sum + cell.second * x[cell.first]; }));
    }
    return y;
}

void check_compressed(const char* kernel, std::uint32_t threads_a_row) {
    in_both_views("graphs", [&](Cuda& cuda) {
        for (const int count : {1, 40, 101}) {
            const Rows rows = random_rows(count, 50, 1);
            const Compressed matrix(rows);
            const auto x = random_numbers<float>(50, 2, -9, 9);
            std::vector<float> y(count);
            cuda.launch(kernel, threads(count * threads_a_row, 64), matrix.begins, matrix.columns, matrix.values, x, y,
                        count);
            EXPECT_EQ(y, product(rows, x));
        }
    });
}

TEST(SparseMatrices, CompressedThreadForEachRow) { check_compressed("csr_by_threads", 1); }
TEST(SparseMatrices, CompressedWarpForEachRow) { check_compressed("csr_by_warps", 32); }

TEST(SparseMatrices, PaddedRows) {
    in_both_views("graphs", [](Cuda& cuda) {
        for (const int count : {1, 40, 101}) {
            const Rows rows = random_rows(count, 30, 3);
            int width = 1;
            for (const auto& row : rows) width = std::max(width, static_cast<int>(row.size()));
            std::vector<int> columns(width * count, -1);
            std::vector<float> values(width * count);
            for (int row = 0; row < count; ++row) {
                for (std::size_t k = 0; k < rows[row].size(); ++k) {
                    columns[k * count + row] = rows[row][k].first;
                    values[k * count + row] = rows[row][k].second;
                }
            }
            const auto x = random_numbers<float>(30, 4, -9, 9);
            std::vector<float> y(count);
            cuda.launch("ell", threads(count, 32), columns, values, x, y, count, width);
            EXPECT_EQ(y, product(rows, x));
        }
    });
}

TEST(SparseMatrices, ByCoordinates) {
    in_both_views("graphs", [](Cuda& cuda) {
        for (const int count : {3, 40, 101}) {
            const Rows rows = random_rows(count, 30, 5);
            const Compressed matrix(rows);
            std::vector<int> row_of;
            for (int row = 0; row < count; ++row) row_of.insert(row_of.end(), rows[row].size(), row);
            const auto x = random_numbers<float>(30, 6, -9, 9);
            std::vector<float> y(count);
            const int cells = static_cast<int>(row_of.size());
            cuda.launch("coo", threads(cells, 64), row_of, matrix.columns, matrix.values, x, y, cells);
            EXPECT_EQ(y, product(rows, x));
        }
    });
}

/// Undirected, in pieces.
Compressed random_graph(int nodes, unsigned seed) {
    std::mt19937 random(seed);
    Rows edges(nodes);
    for (int k = 0; k < nodes; ++k) {
        const int a = static_cast<int>(random() % nodes), b = static_cast<int>(random() % nodes);
        edges[a].emplace_back(b, 1.0F);
        edges[b].emplace_back(a, 1.0F);
    }
    return Compressed(edges);
}

TEST(Graphs, BreadthFirstSearchLevelByLevel) {
    in_both_views("graphs", [](Cuda& cuda) {
        cuda.order_shows_in_counts();
        for (const int nodes : {1, 60, 200}) {
            const Compressed graph = random_graph(nodes, 7);
            std::vector<int> levels(nodes, -1), expected(nodes, -1);
            levels[0] = expected[0] = 0;
            std::vector<int> changed{1};
            for (int level = 0; changed[0] != 0; ++level) {
                changed[0] = 0;
                cuda.launch("bfs_level", threads(nodes, 64), graph.begins, graph.columns, levels, changed, level,
                            nodes);
            }
            std::vector<int> queue{0};
            for (std::size_t at = 0; at < queue.size(); ++at) {
                for (int k = graph.begins[queue[at]]; k < graph.begins[queue[at] + 1]; ++k) {
                    int& level = expected[graph.columns[k]];
                    if (level >= 0) continue;
                    level = expected[queue[at]] + 1;
                    queue.push_back(graph.columns[k]);
                }
            }
            EXPECT_EQ(levels, expected);
        }
    });
}

TEST(Graphs, AllShortestPaths) {
    in_both_views("graphs", [](Cuda& cuda) {
        for (const int nodes : {1, 9, 21}) {
            auto distances = random_numbers<int>(nodes * nodes, 8, 1, 100);
            for (int i = 0; i < nodes; ++i) distances[i * nodes + i] = 0;
            auto expected = distances;
            for (int k = 0; k < nodes; ++k) {
                for (int i = 0; i < nodes * nodes; ++i) {
                    expected[i] =
                        std::min(expected[i], expected[i / nodes * nodes + k] + expected[k * nodes + i % nodes]);
                }
            }
            const Shape shape{.grid = {blocks_for(nodes, 8), blocks_for(nodes, 8)}, .block = {8, 8}};
            for (int k = 0; k < nodes; ++k) cuda.queue("floyd_warshall", shape, distances, nodes, k);
            cuda.run();
            EXPECT_EQ(distances, expected);
        }
    });
}

TEST(Graphs, ConnectedPiecesByLabels) {
    in_both_views("graphs", [](Cuda& cuda) {
        for (const int nodes : {1, 30, 90}) {
            const Compressed graph = random_graph(nodes, 9);
            std::vector<int> labels(nodes), next(nodes);
            std::iota(labels.begin(), labels.end(), 0);
            auto expected = labels;
            for (int round = 0; round < nodes; ++round) {
                cuda.launch("spread_labels", threads(nodes, 32), graph.begins, graph.columns, labels, next, nodes);
                if (std::exchange(labels, next) == next) break;
            }
            for (int round = 0; round < nodes; ++round) {
                for (int node = 0; node < nodes; ++node) {
                    for (int k = graph.begins[node]; k < graph.begins[node + 1]; ++k) {
                        expected[node] = std::min(expected[node], expected[graph.columns[k]]);
                    }
                }
            }
            EXPECT_EQ(labels, expected);
        }
    });
}

TEST(Lists, GrowFromManyThreads) {
    in_both_views("graphs", [](Cuda& cuda) {
        for (const int n : {1, 100, 500}) {
            const auto in = random_numbers<int>(n, 10, -99, 99);
            std::vector<int> result(2);
            cuda.queue("push_all", threads(n, 64), in, n);
            cuda.queue("sum_list", threads(1, 1), result);
            cuda.run();
            EXPECT_EQ(result, (std::vector<int>{std::accumulate(in.begin(), in.end(), 0), n}));
        }
    });
}

}  // namespace
}  // namespace lanescope::course
