// Breadth-first search with a frontier queue; the graph comes from standard input: vertices, edges, then the edges.
#include <algorithm>
#include <iostream>
#include <queue>
#include <vector>

struct Graph {
    std::vector<int> begin, to;

    Graph(int vertices, const std::vector<std::pair<int, int>>& edges) : begin(vertices + 1), to(2 * edges.size()) {
        for (auto [a, b] : edges) ++begin[a + 1], ++begin[b + 1];
        for (int v = 0; v < vertices; ++v) begin[v + 1] += begin[v];
        std::vector<int> next(begin.begin(), begin.end() - 1);
        for (auto [a, b] : edges) to[next[a]++] = b, to[next[b]++] = a;
    }
    int size() const { return static_cast<int>(begin.size()) - 1; }
};

__global__ void expand(const int* begin, const int* to, const int* frontier, int frontier_size, int* next,
                       int* next_size, int* level, int depth) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frontier_size) return;
    const int v = frontier[i];
    for (int e = begin[v]; e < begin[v + 1]; ++e) {
        const int w = to[e];
        if (atomicCAS(&level[w], -1, depth) == -1) next[atomicAdd(next_size, 1)] = w;
    }
}

std::vector<int> bfs_cpu(const Graph& graph, int source) {
    std::vector<int> level(graph.size(), -1);
    std::queue<int> open;
    level[source] = 0;
    open.push(source);
    while (!open.empty()) {
        const int v = open.front();
        open.pop();
        for (int e = graph.begin[v]; e < graph.begin[v + 1]; ++e)
            if (level[graph.to[e]] < 0) {
                level[graph.to[e]] = level[v] + 1;
                open.push(graph.to[e]);
            }
    }
    return level;
}

int main() {
    int vertices, count;
    if (!(std::cin >> vertices >> count)) {
        std::cerr << "no graph\n";
        return 1;
    }
    std::vector<std::pair<int, int>> edges(count);
    for (auto& [a, b] : edges) std::cin >> a >> b;
    const Graph graph(vertices, edges);
    std::cout << "graph of " << vertices << " vertices, " << count << " edges\n";

    int *begin, *to, *frontier, *next, *next_size, *d_level;
    cudaMalloc(&begin, graph.begin.size() * sizeof(int));
    cudaMalloc(&to, graph.to.size() * sizeof(int));
    cudaMalloc(&frontier, vertices * sizeof(int));
    cudaMalloc(&next, vertices * sizeof(int));
    cudaMalloc(&next_size, sizeof(int));
    cudaMalloc(&d_level, vertices * sizeof(int));
    cudaMemcpy(begin, graph.begin.data(), graph.begin.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(to, graph.to.data(), graph.to.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_level, 0xff, vertices * sizeof(int));

    const int source = 0, zero = 0;
    cudaMemcpy(frontier, &source, sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_level + source, &zero, sizeof(int), cudaMemcpyHostToDevice);
    int frontier_size = 1, depth = 0;
    while (frontier_size > 0) {
        std::cout << "level " << depth << ": " << frontier_size << "\n";
        cudaMemcpy(next_size, &zero, sizeof(int), cudaMemcpyHostToDevice);
        expand<<<(frontier_size + 31) / 32, 32>>>(begin, to, frontier, frontier_size, next, next_size, d_level,
                                                  ++depth);
        cudaMemcpy(&frontier_size, next_size, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(frontier, next);
    }
    std::vector<int> level(vertices);
    cudaMemcpy(level.data(), d_level, vertices * sizeof(int), cudaMemcpyDeviceToHost);
    for (int* p : {begin, to, frontier, next, next_size, d_level}) cudaFree(p);

    for (int v = 0; v < vertices; ++v) std::cout << level[v] << (v + 1 < vertices ? ' ' : '\n');
    const bool same = level == bfs_cpu(graph, source);
    std::cout << (same ? "PASSED" : "FAILED") << "\n";
    return same ? 0 : 1;
}
