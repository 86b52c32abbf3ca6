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
    if (sums != nullptr && tid == blockDim.x - 1) sums[blockIdx.x] = temp[tid];
}

__global__ void add_sums(int* out, const int* sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

// scan the blocks, scan their sums, add to each block the sum of those before it
void scan(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(int);
    int *sums, *scanned;
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&scanned, blocks * sizeof(int));

    scan_blocks<<<blocks, block, shared>>>(in, out, sums, n);
    scan_blocks<<<1, block, shared>>>(sums, scanned, nullptr, blocks);
    add_sums<<<blocks, block>>>(out, scanned, n);

    cudaFree(sums);
    cudaFree(scanned);
}
