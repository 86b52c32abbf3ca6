// every block waits here until all blocks of the grid have come
__device__ void grid_barrier(unsigned int* arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile unsigned int*)arrived < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void reduce(const int* in, int* out, unsigned int* arrived)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];

    grid_barrier(arrived);

    // the sums of all blocks are there: the first block adds them
    if (blockIdx.x == 0 && tid == 0)
        for (unsigned int b = 1; b < gridDim.x; ++b) out[0] += out[b];
}
