const int bins = 8;

__global__ void histogram(const int* in, int* counts, int n)
{
    __shared__ int own[bins];

    // each block counts in shared memory
    for (int b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
    __syncthreads();

    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&own[in[i] & (bins - 1)], 1);
    __syncthreads();

    // and adds its counts to those of all blocks
    for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&counts[b], own[b]);
}
