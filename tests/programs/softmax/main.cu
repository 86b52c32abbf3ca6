// Row-wise softmax three ways: a thread a row, a block a row, a warp a row. All must agree with the CPU.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

void softmax_forward_cpu(float* out, const float* inp, int N, int C) {
    for (int i = 0; i < N; i++) {
        const float* row = inp + i * C;
        float maxval = -INFINITY;
        for (int j = 0; j < C; j++) maxval = std::max(maxval, row[j]);
        double sum = 0.0;
        for (int j = 0; j < C; j++) sum += out[i * C + j] = expf(row[j] - maxval);
        for (int j = 0; j < C; j++) out[i * C + j] /= (float)sum;
    }
}

__global__ void softmax_kernel1(float* out, const float* inp, int N, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float maxval = -INFINITY;
        for (int j = 0; j < C; j++) maxval = fmaxf(maxval, inp[i * C + j]);
        float sum = 0.0f;
        for (int j = 0; j < C; j++) {
            out[i * C + j] = expf(inp[i * C + j] - maxval);
            sum += out[i * C + j];
        }
        for (int j = 0; j < C; j++) out[i * C + j] /= sum;
    }
}

__global__ void softmax_kernel2(float* out, const float* inp, int N, int C) {
    extern __shared__ float shared[];
    const float* x = inp + blockIdx.x * C;
    int tid = threadIdx.x;
    float maxval = -INFINITY;
    for (int i = tid; i < C; i += blockDim.x) maxval = fmaxf(maxval, x[i]);
    shared[tid] = maxval;
    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (tid < stride) shared[tid] = fmaxf(shared[tid], shared[tid + stride]);
    }
    __syncthreads();
    float offset = shared[0];
    __syncthreads();
    float sumval = 0.0f;
    for (int i = tid; i < C; i += blockDim.x) sumval += expf(x[i] - offset);
    shared[tid] = sumval;
    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (tid < stride) shared[tid] += shared[tid + stride];
    }
    __syncthreads();
    float sum = shared[0];
    for (int i = tid; i < C; i += blockDim.x) out[blockIdx.x * C + i] = expf(x[i] - offset) / sum;
}

template <typename Op>
__device__ float warpReduce(float val, Op op) {
    for (int offset = 16; offset > 0; offset /= 2) val = op(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
    return val;
}
struct Max {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
struct Plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void softmax_kernel3(float* out, const float* inp, int N, int C) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= N) return;
    const float* x = inp + row * C;
    float maxval = -INFINITY, sum = 0.0f;
    for (int i = lane; i < C; i += 32) maxval = fmaxf(maxval, x[i]);
    maxval = warpReduce(maxval, Max());
    for (int i = lane; i < C; i += 32) sum += expf(x[i] - maxval);
    sum = warpReduce(sum, Plus());
    for (int i = lane; i < C; i += 32) out[row * C + i] = expf(x[i] - maxval) / sum;
}

void softmax_forward(int kernel_num, float* out, const float* inp, int N, int C, int block_size) {
    switch (kernel_num) {
        case 1: softmax_kernel1<<<(N + block_size - 1) / block_size, block_size>>>(out, inp, N, C); break;
        case 2: softmax_kernel2<<<N, block_size, block_size * sizeof(float)>>>(out, inp, N, C); break;
        case 3: softmax_kernel3<<<(N * 32 + block_size - 1) / block_size, block_size>>>(out, inp, N, C); break;
        default: printf("Invalid kernel number\n"); exit(1);
    }
}

int main(int argc, char** argv) {
    const int N = 24, C = 100;
    std::vector<float> inp(N * C), expected(N * C), out(N * C);
    for (int i = 0; i < N * C; i++) inp[i] = ((i * 2654435761u) >> 24) / 32.0f - 4.0f;
    softmax_forward_cpu(expected.data(), inp.data(), N, C);
    float *d_out, *d_inp;
    cudaMalloc(&d_out, N * C * sizeof(float));
    cudaMalloc(&d_inp, N * C * sizeof(float));
    cudaMemcpy(d_inp, inp.data(), N * C * sizeof(float), cudaMemcpyHostToDevice);
    int failed = 0;
    for (int kernel_num = 1; kernel_num <= 3; kernel_num++) {
        for (int block_size : {32, 128}) {
            cudaMemset(d_out, 0, N * C * sizeof(float));
            softmax_forward(kernel_num, d_out, d_inp, N, C, block_size);
            cudaMemcpy(out.data(), d_out, N * C * sizeof(float), cudaMemcpyDeviceToHost);
            int wrong = 0;
            for (int i = 0; i < N * C; i++) wrong += !(std::fabs(out[i] - expected[i]) < 1e-5f);
            printf("kernel %d, block %3d: %s\n", kernel_num, block_size, wrong ? "MISMATCH" : "ok");
            failed += wrong;
        }
    }
    float total = 0;
    for (int j = 0; j < C; j++) total += out[j];
    printf("row 0 sums to %.3f, its largest is %.3f\n", total, *std::max_element(out.begin(), out.begin() + C));
    cudaFree(d_out);
    cudaFree(d_inp);
    return failed ? 1 : 0;
}
