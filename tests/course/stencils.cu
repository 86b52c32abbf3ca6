// Neighbors in one, two and three dimensions.

#define RADIUS 3
#define BLOCK 64

__global__ void sum_of_neighbors(const int* in, int* out, int n) {
    __shared__ int tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int own = threadIdx.x + RADIUS;
    tile[own] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        tile[own - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
        tile[own + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    int sum = 0;
    for (int offset = -RADIUS; offset <= RADIUS; ++offset) sum += tile[own + offset];
    out[i] = sum;
}

// One step of heat diffusion in a plate whose edges stay.
__global__ void heat_2d(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[i] = in[i];
    } else {
        out[i] = in[i] + 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4.0f * in[i]);
    }
}

// Seven points in space; the launch has three dimensions.
__global__ void seven_points(const int* in, int* out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    auto at = [&](int i, int j, int k) {
        return i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz ? 0 : in[(k * ny + j) * nx + i];
    };
    out[(z * ny + y) * nx + x] = 6 * at(x, y, z) - at(x - 1, y, z) - at(x + 1, y, z) - at(x, y - 1, z) -
                                 at(x, y + 1, z) - at(x, y, z - 1) - at(x, y, z + 1);
}

// Conway's Game of Life on a torus.
__global__ void game_of_life(const unsigned char* in, unsigned char* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
        }
    }
    out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
}

// Rule 30: a cell from three bits.
__constant__ unsigned char rule[8] = {0, 1, 1, 1, 1, 0, 0, 0};

__global__ void cellular_automaton(const unsigned char* in, unsigned char* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int left = i > 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
    out[i] = rule[left * 4 + in[i] * 2 + right];
}

#define MASK 5
__constant__ float mask[MASK] = {1.0f, -2.0f, 4.0f, 3.0f, -1.0f};

__global__ void convolution_1d(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < MASK; ++k) {
        int at = i + k - MASK / 2;
        if (at >= 0 && at < n) sum += in[at] * mask[k];
    }
    out[i] = sum;
}

#define OUT_TILE 12
#define IN_TILE (OUT_TILE + 4)
__constant__ int square_mask[5][5] = {
    {1, 2, 3, 2, 1}, {2, 3, 4, 3, 2}, {3, 4, 5, 4, 3}, {2, 3, 4, 3, 2}, {1, 2, 3, 2, 1}};

// A block loads a tile with its halo; its inner threads compute.
__global__ void convolution_2d_tiled(const int* in, int* out, int width, int height) {
    __shared__ int tile[IN_TILE][IN_TILE];
    int x = blockIdx.x * OUT_TILE + threadIdx.x - 2;
    int y = blockIdx.y * OUT_TILE + threadIdx.y - 2;
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[threadIdx.y][threadIdx.x] = inside ? in[y * width + x] : 0;
    __syncthreads();
    int tx = threadIdx.x - 2, ty = threadIdx.y - 2;
    if (!inside || tx < 0 || tx >= OUT_TILE || ty < 0 || ty >= OUT_TILE) return;
    int sum = 0;
    for (int j = 0; j < 5; ++j) {
        for (int i = 0; i < 5; ++i) sum += square_mask[j][i] * tile[ty + j][tx + i];
    }
    out[y * width + x] = sum;
}
