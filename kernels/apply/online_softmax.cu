__global__ void softmax(const float* in, float* out, int n)
{
    extern __shared__ float largest[];
    float* sum = largest + blockDim.x;
    const float lowest = -3.402823466e+38f;

    // a block has a row; each thread reads four of its elements, once
    int tid = threadIdx.x;
    int begin = blockIdx.x * 4 * blockDim.x + tid;
    float m = lowest;
    float s = 0;
    for (int k = 0; k < 4; k++) {
        int i = begin + k * blockDim.x;
        if (i < n) {
            // when the maximum grows, the sum so far is scaled down to it
            float x = in[i];
            float larger = fmaxf(m, x);
            s = s * expf(m - larger) + expf(x - larger);
            m = larger;
        }
    }
    largest[tid] = m;
    sum[tid] = s;

    // pairs of two threads become one in the same way
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            float a = largest[tid], b = largest[tid + d];
            float larger = fmaxf(a, b);
            sum[tid] = sum[tid] * expf(a - larger) + sum[tid + d] * expf(b - larger);
            largest[tid] = larger;
        }
    }
    __syncthreads();

    for (int k = 0; k < 4; k++) {
        int i = begin + k * blockDim.x;
        if (i < n) out[i] = expf(in[i] - largest[0]) / sum[0];
    }
}
