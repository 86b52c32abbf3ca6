__device__ void add_tree(float* temp)
{
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) temp[threadIdx.x] += temp[threadIdx.x + d];
    }
}

__global__ void sum(const float* in, float* out, volatile float* sums, unsigned int* done, int n)
{
    extern __shared__ float temp[];
    __shared__ bool last;

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;
    add_tree(temp);

    // a block has its own place for its sum; whichever is the last to come adds them all
    if (tid == 0) {
        sums[blockIdx.x] = temp[0];
        __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;

    // in the order of the blocks, not in the order in which they came
    temp[tid] = 0;
    for (int b = tid; b < gridDim.x; b += blockDim.x) temp[tid] += sums[b];
    add_tree(temp);
    if (tid == 0) *out = temp[0];
}
