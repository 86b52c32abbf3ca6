__global__ void reduce(int* data, int n)
{
    // one tree over all blocks, as if the barrier waited for all of them
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int s = 1; s < n; s *= 2) {
        if (i % (2 * s) == 0 && i + s < n)
            data[i] += data[i + s];
        __syncthreads();
    }
}
