__global__ void count(const int* in, int* counts, int n)
{
    // a barrier that counts the threads whose element is kept
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int kept = __syncthreads_count(i < n && in[i] > 0);
    if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}

// one block: each count becomes the sum of those before it
__global__ void scan_counts(int* counts, int blocks)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int before = 0;
    for (int first = 0; first < blocks; first += blockDim.x) {
        int i = first + tid;
        int own = i < blocks ? counts[i] : 0;
        temp[tid] = own;
        for (int d = 1; d < blockDim.x; d <<= 1) {
            __syncthreads();
            int left = tid >= d ? temp[tid - d] : 0;
            __syncthreads();
            temp[tid] += left;
        }
        __syncthreads();
        if (i < blocks) counts[i] = before + temp[tid] - own;
        before += temp[blockDim.x - 1];
        __syncthreads();
    }
}

__global__ void scatter(const int* in, int* out, const int* before, int n)
{
    extern __shared__ int position[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    int value = i < n ? in[i] : 0;
    int keep = value > 0;
    position[tid] = keep;

    // a scan counts the kept elements of the block up to each one, itself included
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? position[tid - d] : 0;
        __syncthreads();
        position[tid] += left;
    }

    if (keep) out[before[blockIdx.x] + position[tid] - 1] = value;
}

// keeps the positive elements, in their order
void compact(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(int);
    int* counts;
    cudaMalloc(&counts, blocks * sizeof(int));

    count<<<blocks, block>>>(in, counts, n);
    scan_counts<<<1, block, shared>>>(counts, blocks);
    scatter<<<blocks, block, shared>>>(in, out, counts, n);

    cudaFree(counts);
}
