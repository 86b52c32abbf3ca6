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

// one block scans any number of sums, a tile of blockDim.x after the other
__global__ void scan_sums(const int* sums, int* scanned, int blocks)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int carry = 0;
    for (int tile = 0; tile < blocks; tile += blockDim.x) {
        int i = tile + tid;
        temp[tid] = i < blocks ? sums[i] : 0;
        if (tid == 0) temp[tid] += carry;

        for (int d = 1; d < blockDim.x; d <<= 1) {
            __syncthreads();
            int left = tid >= d ? temp[tid - d] : 0;
            __syncthreads();
            temp[tid] += left;
        }

        __syncthreads();
        if (i < blocks) scanned[i] = temp[tid];
        carry = temp[blockDim.x - 1];
        __syncthreads();
    }
}

__global__ void add_sums(int* out, const int* scanned, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += scanned[blockIdx.x - 1];
}

// scan the blocks, scan their sums, add to each block the sum of those before it
void scan(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(int);
    int* sums;
    int* scanned;
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&scanned, blocks * sizeof(int));

    scan_blocks<<<blocks, block, shared>>>(in, out, sums, n);
    scan_sums<<<1, block, shared>>>(sums, scanned, blocks);
    add_sums<<<blocks, block>>>(out, scanned, n);

    cudaFree(sums);
    cudaFree(scanned);
}
