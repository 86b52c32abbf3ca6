__global__ void mean_and_variance(const float* in, float* out, int n)
{
    extern __shared__ float count[];
    float* mean = count + blockDim.x;
    float* squares = mean + blockDim.x;

    // three numbers for a set of elements: how many, their mean, and the sum of (x - mean)^2
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    count[tid] = i < n ? 1 : 0;
    mean[tid] = i < n ? in[i] : 0;
    squares[tid] = 0;

    // two disjoint sets make one
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d && count[tid + d] > 0) {
            float both = count[tid] + count[tid + d];
            float delta = mean[tid + d] - mean[tid];
            float share = count[tid + d] / both;
            squares[tid] += squares[tid + d] + delta * delta * count[tid] * share;
            mean[tid] += delta * share;
            count[tid] = both;
        }
    }

    if (tid == 0) {
        out[2 * blockIdx.x] = mean[0];
        out[2 * blockIdx.x + 1] = squares[0] / count[0];
    }
}
