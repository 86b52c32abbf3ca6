const int bins = 8;

__global__ void histogram(const int* in, int* counts, int n)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&counts[in[i] & (bins - 1)], 1);
}
