__global__ void reduce(const int* d_in, int* d_sum, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? d_in[i] : 0;

    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }

    if (tid == 0) d_sum[blockIdx.x] = temp[0];
}

// the blocks' sums are copied to the host, which adds them
void sum(const int* d_in, int* d_total, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int* d_sum;
    cudaMalloc(&d_sum, blocks * sizeof(int));
    reduce<<<blocks, block, block * sizeof(int)>>>(d_in, d_sum, n);

    int* partial = new int[blocks];
    cudaMemcpy(partial, d_sum, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    int total = 0;
    for (int b = 0; b < blocks; ++b) total += partial[b];

    cudaMemcpy(d_total, &total, sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(d_sum);
    delete[] partial;
}
