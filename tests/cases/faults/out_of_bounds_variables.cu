// Variables of the file: an index counts elements as they are declared, in both views.
struct Point {
    float x, y;
};
__constant__ float weights[8];
__device__ short table[16];
__device__ float board[4][8];
__device__ Point points[4];
__constant__ Point corners[4];
__device__ int single;

__global__ void faulty_constant(int* out) { out[threadIdx.x] = weights[threadIdx.x / 2]; }

__global__ void faulty_short(int* out) {
    if (threadIdx.x < 17) table[threadIdx.x] = 1;
    out[threadIdx.x] = 0;
}

__global__ void faulty_rows(int* out) {
    board[threadIdx.x / 8 + 1][threadIdx.x % 8] = 1;
    out[threadIdx.x] = 0;
}

__global__ void faulty_structures(int* out) {
    if (threadIdx.x < 5) out[threadIdx.x] = points[threadIdx.x].y + corners[threadIdx.x].x;
}

__global__ void faulty_double_in_shared_memory(int* out) {
    __shared__ double sums[32];
    sums[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = sums[threadIdx.x + 1];
}

__global__ void faulty_race(int* out) {
    single = threadIdx.x;
    board[3][threadIdx.x / 16] = threadIdx.x;
    out[threadIdx.x] = 0;
}

__global__ void sound(int* out) {
    __shared__ double sums[33];
    sums[threadIdx.x] = weights[threadIdx.x % 8] + table[threadIdx.x % 16];
    if (threadIdx.x == 0) sums[32] = 0;
    __syncthreads();
    board[threadIdx.x / 8][threadIdx.x % 8] = sums[threadIdx.x + 1];
    out[threadIdx.x] = points[threadIdx.x % 4].y + corners[threadIdx.x % 4].x;
    if (threadIdx.x == 0) single = 1;
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: arg out = zeros(n)
