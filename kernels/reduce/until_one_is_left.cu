__global__ void reduce(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// launch the same kernel on the sums of the launch before, until one is left
void sum(const int* data, int* result, int n, int block)
{
    int *sums, *next;
    cudaMalloc(&sums, n * sizeof(int));
    cudaMalloc(&next, n * sizeof(int));

    const int* in = data;
    do {
        int blocks = (n + block - 1) / block;
        int* out = blocks == 1 ? result : sums;
        reduce<<<blocks, block, block * sizeof(int)>>>(in, out, n);
        in = out;
        std::swap(sums, next);
        n = blocks;
    } while (n > 1);

    cudaFree(sums);
    cudaFree(next);
}
