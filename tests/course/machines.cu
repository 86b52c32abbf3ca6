// What lies between the language and the machine: inline PTX, volatile, assertions, module variables, dimensions.
#include <cassert>

__global__ void every_dimension(int* out) {
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] =
        10000 * block + 1000 * threadIdx.z + 100 * threadIdx.y + threadIdx.x;
}

__device__ int counter = 100;
__device__ float weights[4] = {0.5f, 0.25f, 2.0f, -1.0f};
__constant__ int offsets[3] = {7, 8, 9};

// Twice: the second launch finds what the first left.
__global__ void module_variables(float* out) {
    int i = threadIdx.x;
    float weight = weights[i % 4];
    __syncthreads();
    if (i < 4) weights[i] = weight * 2.0f;
    out[i] = weight + offsets[i % 3];
    if (i == 0) {
        out[32] = counter;
        counter += 1;
    }
}

// A reduction as before Volta: the last warp without barriers, by volatile; sound with __syncwarp between the steps.
__global__ void volatile_reduction(const int* in, int* sums) {
    __shared__ int s[64];
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        volatile int* v = s;
        int sum = v[threadIdx.x] + v[threadIdx.x + 32];
        __syncwarp();
        v[threadIdx.x] = sum;
        __syncwarp();
        for (int offset = 16; offset > 0; offset /= 2) {
            sum = v[threadIdx.x] + v[threadIdx.x ^ offset];
            __syncwarp();
            v[threadIdx.x] = sum;
            __syncwarp();
        }
        if (threadIdx.x == 0) sums[blockIdx.x] = v[0];
    }
}

__global__ void assertions_that_hold(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    assert(in[i] >= 0 && "only natural numbers");
    out[i] = in[i] + 1;
}

__device__ unsigned interleave(unsigned x) {
    unsigned result;
    asm("{\n\t"
        ".reg .u32 t;\n\t"
        "and.b32 %0, %1, 0xff;\n\t"
        "shl.b32 t, %0, 4;\n\t"
        "or.b32 t, t, %0;\n\t"
        "and.b32 %0, t, 0x0f0f;\n\t"
        "shl.b32 t, %0, 2;\n\t"
        "lop3.b32 t, t, %0, 0, 0xfc;\n\t"
        "and.b32 %0, t, 0x3333;\n\t"
        "mad.lo.u32 t, %0, 2, 0;\n\t"
        "or.b32 t, t, %0;\n\t"
        "and.b32 %0, t, 0x5555;\n\t"
        "}"
        : "=&r"(result)
        : "r"(x));
    return result;
}

// The place of a cell on the Z curve.
__global__ void z_order(unsigned* out, int width) {
    int x = threadIdx.x, y = threadIdx.y;
    out[y * width + x] = interleave(x) | interleave(y) << 1;
}

// Threads hand over to each other with acquire and release.
__global__ void hand_over(int* data, int* flag, int* out) {
    if (threadIdx.x == 0) {
        *data = 42;
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else if (threadIdx.x == 32) {
        int seen;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        } while (seen == 0);
        *out = *data;
    }
}

// The same column by lanes of a warp: in one bank, or by padding in 32.
template <int padding>
__global__ void columns(int* out) {
    __shared__ int tile[32][32 + padding];
    for (int row = 0; row < 32; ++row) tile[row][threadIdx.x] = row * 32 + threadIdx.x;
    __syncwarp();
    int sum = 0;
    for (int column = 0; column < 32; ++column) sum += tile[threadIdx.x][column];
    out[threadIdx.x] = sum;
}
