// Conway's Game of Life on a torus. The pattern comes from standard input: '#' is alive, anything else is dead.
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using Cell = unsigned char;

struct World {
    int width = 32, height = 16;
    std::vector<Cell> cells = std::vector<Cell>(width * height);
    friend std::ostream& operator<<(std::ostream& out, const World& world) {
        for (int y = 0; y < world.height; ++y) {
            for (int x = 0; x < world.width; ++x) out << (world.cells[y * world.width + x] ? '#' : '.');
            out << '\n';
        }
        return out;
    }
};

__host__ __device__ inline Cell next_state(int neighbours, Cell alive) {
    return neighbours == 3 || (neighbours == 2 && alive);
}

__global__ void life_step(const Cell* now, Cell* next, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy) neighbours += now[(y + dy + height) % height * width + (x + dx + width) % width];
    next[y * width + x] = next_state(neighbours, now[y * width + x]);
}

World step_on_host(const World& world) {
    World next = world;
    for (int y = 0; y < world.height; ++y)
        for (int x = 0; x < world.width; ++x) {
            int neighbours = -world.cells[y * world.width + x];
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    neighbours += world.cells[(y + dy + world.height) % world.height * world.width +
                                              (x + dx + world.width) % world.width];
            next.cells[y * world.width + x] = next_state(neighbours, world.cells[y * world.width + x]);
        }
    return next;
}

int main(int argc, char** argv) {
    const int generations = argc > 1 ? std::stoi(argv[1]) : 10;
    World world;
    std::string line;
    for (int y = 1; y < world.height && std::getline(std::cin, line); ++y)
        for (size_t x = 0; x < line.size() && x + 1 < size_t(world.width); ++x)
            world.cells[y * world.width + x + 1] = line[x] == '#';
    std::cout << "generation 0\n" << world;

    Cell *now, *next;
    cudaMalloc(&now, world.cells.size());
    cudaMalloc(&next, world.cells.size());
    cudaMemcpy(now, world.cells.data(), world.cells.size(), cudaMemcpyHostToDevice);
    const dim3 block(16, 8);
    const dim3 grid((world.width + block.x - 1) / block.x, (world.height + block.y - 1) / block.y);
    World expected = world;
    for (int generation = 0; generation < generations; ++generation) {
        life_step<<<grid, block>>>(now, next, world.width, world.height);
        std::swap(now, next);
        expected = step_on_host(expected);
    }
    cudaMemcpy(world.cells.data(), now, world.cells.size(), cudaMemcpyDeviceToHost);
    cudaFree(now);
    cudaFree(next);
    std::cout << "generation " << generations << "\n" << world;
    std::cout << (world.cells == expected.cells ? "as on the CPU" : "DIFFERS FROM THE CPU") << "\n";
    return world.cells == expected.cells ? 0 : 1;
}
