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

__global__ void add_before(int* out, const int* before, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += before[blockIdx.x];
}

// the host scans the partial sums, between two launches
void scan(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int* sums;
    cudaMalloc(&sums, blocks * sizeof(int));
    scan_blocks<<<blocks, block, block * sizeof(int)>>>(in, out, sums, n);

    int* partial = new int[blocks];
    cudaMemcpy(partial, sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    int before = 0;
    for (int b = 0; b < blocks; ++b) {
        int sum = partial[b];
        partial[b] = before;
        before += sum;
    }
    cudaMemcpy(sums, partial, blocks * sizeof(int), cudaMemcpyHostToDevice);

    add_before<<<blocks, block>>>(out, sums, n);
    cudaFree(sums);
    delete[] partial;
}
