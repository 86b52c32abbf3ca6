// Products and transposes of matrices, row by row in memory.

__global__ void product_naive(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || column >= columns) return;
    float sum = 0.0f;
    for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = sum;
}

#define TILE 8

__global__ void product_tiled(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < inner; first += TILE) {
        int a_column = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] = row < rows && a_column < inner ? a[row * inner + a_column] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = b_row < inner && column < columns ? b[b_row * columns + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

// Each thread computes a square of 2 x 2 results in registers.
__global__ void product_in_registers(const float* a, const float* b, float* c, int n) {
    __shared__ float a_tile[2 * TILE][TILE + 1];
    __shared__ float b_tile[TILE][2 * TILE];
    int first_row = blockIdx.y * 2 * TILE;
    int first_column = blockIdx.x * 2 * TILE;
    float sums[2][2] = {};
    for (int first = 0; first < n; first += TILE) {
        for (int half = 0; half < 2; ++half) {
            int row = first_row + threadIdx.y + half * TILE;
            int column = first_column + threadIdx.x + half * TILE;
            int k = first + threadIdx.x;
            a_tile[threadIdx.y + half * TILE][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0.0f;
            k = first + threadIdx.y;
            b_tile[threadIdx.y][threadIdx.x + half * TILE] = k < n && column < n ? b[k * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            float left[2] = {a_tile[threadIdx.y][k], a_tile[threadIdx.y + TILE][k]};
            float right[2] = {b_tile[k][threadIdx.x], b_tile[k][threadIdx.x + TILE]};
            for (int i = 0; i < 2; ++i) {
                for (int j = 0; j < 2; ++j) sums[i][j] += left[i] * right[j];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            int row = first_row + threadIdx.y + i * TILE;
            int column = first_column + threadIdx.x + j * TILE;
            if (row < n && column < n) c[row * n + column] = sums[i][j];
        }
    }
}

__global__ void matrix_vector(const double* matrix, const double* vector, double* result, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0.0;
    for (int column = 0; column < columns; ++column) sum += matrix[row * columns + column] * vector[column];
    result[row] = sum;
}

// A warp a row.
__global__ void matrix_vector_by_warps(const float* matrix, const float* vector, float* result, int rows, int columns) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int column = lane; column < columns; column += warpSize) {
        sum += matrix[row * columns + column] * vector[column];
    }
    for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) result[row] = sum;
}

__global__ void transpose_naive(const int* in, int* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

template <int padding>
__global__ void transpose_tiled(const int* in, int* out, int width, int height) {
    __shared__ int tile[16][16 + padding];
    int x = blockIdx.x * 16 + threadIdx.x;
    for (int j = 0; j < 16; j += blockDim.y) {
        int y = blockIdx.y * 16 + threadIdx.y + j;
        if (x < width && y < height) tile[threadIdx.y + j][threadIdx.x] = in[y * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    for (int j = 0; j < 16; j += blockDim.y) {
        int y = blockIdx.x * 16 + threadIdx.y + j;
        if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}
