__global__ void sum_blocks(const int* in, int* sums, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }

    // only the sum is stored: the elements will be read again
    if (tid == 0) sums[blockIdx.x] = temp[0];
}

// one block: each sum becomes the sum of those before it
__global__ void scan_sums(int* sums, int blocks)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int before = 0;
    for (int first = 0; first < blocks; first += blockDim.x) {
        int i = first + tid;
        int own = i < blocks ? sums[i] : 0;
        temp[tid] = own;
        for (int d = 1; d < blockDim.x; d <<= 1) {
            __syncthreads();
            int left = tid >= d ? temp[tid - d] : 0;
            __syncthreads();
            temp[tid] += left;
        }
        __syncthreads();
        if (i < blocks) sums[i] = before + temp[tid] - own;
        before += temp[blockDim.x - 1];
        __syncthreads();
    }
}

// the elements are scanned from the sum of the blocks before, and stored once
__global__ void scan_blocks(const int* in, int* out, const int* before, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;
    if (tid == 0) temp[0] += before[blockIdx.x];

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }

    if (i < n) out[i] = temp[tid];
}

void scan(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(int);
    int* sums;
    cudaMalloc(&sums, blocks * sizeof(int));

    sum_blocks<<<blocks, block, shared>>>(in, sums, n);
    scan_sums<<<1, block, shared>>>(sums, blocks);
    scan_blocks<<<blocks, block, shared>>>(in, out, sums, n);

    cudaFree(sums);
}
