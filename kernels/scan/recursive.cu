__global__ void scan_blocks(const int* in, int* out, int* sums, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }

    if (i < n) out[i] = temp[tid];
    if (tid == blockDim.x - 1) sums[blockIdx.x] = temp[tid];
}

__global__ void add_sums(int* out, const int* sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

// scan the blocks; their sums are scanned the same way, until one block is enough
void scan(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int *sums, *scanned;
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&scanned, blocks * sizeof(int));

    scan_blocks<<<blocks, block, block * sizeof(int)>>>(in, out, sums, n);
    if (blocks > 1) {
        scan(sums, scanned, blocks, block);
        add_sums<<<blocks, block>>>(out, scanned, n);
    }

    cudaFree(sums);
    cudaFree(scanned);
}
