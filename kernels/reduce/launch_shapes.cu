// vt values a thread, in blocks of nt threads
__global__ void reduce_tiles(const int* input, int count, int vt, int* partials)
{
    extern __shared__ int data[];

    // a thread adds values that are nt apart; the last tile may be short
    int tid = threadIdx.x;
    int nt = blockDim.x;
    int begin = blockIdx.x * nt * vt;
    int x = 0;
    for (int i = 0; i < vt; ++i) {
        int j = begin + i * nt + tid;
        if (j < count) x += input[j];
    }
    data[tid] = x;
    __syncthreads();

    for (int s = nt / 2; s > 0; s /= 2) {
        if (tid < s) data[tid] += data[tid + s];
        __syncthreads();
    }

    if (tid == 0) partials[blockIdx.x] = data[0];
}

// calls itself on the partials, with another shape, until one block is enough
void reduce(const int* input, int count, int* reduction, int nt, int vt, int next_nt, int next_vt)
{
    int shared = nt * sizeof(int);
    int blocks = (count + nt * vt - 1) / (nt * vt);
    if (blocks == 1) {
        reduce_tiles<<<1, nt, shared>>>(input, count, vt, reduction);
        return;
    }

    int* partials;
    cudaMalloc(&partials, blocks * sizeof(int));
    reduce_tiles<<<blocks, nt, shared>>>(input, count, vt, partials);
    reduce(partials, blocks, reduction, next_nt, next_vt, next_nt, next_vt);
    cudaFree(partials);
}
