__global__ void sum(float* d_sum, const float* d_data)
{
    extern __shared__ float temp[];
    int tid = threadIdx.x;

    temp[tid] = d_data[tid + blockIdx.x * blockDim.x];

    for (int d = blockDim.x >> 1; d >= 1; d >>= 1) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }

    if (tid == 0) d_sum[blockIdx.x] = temp[0];
}

// the third number of a launch is bytes, and an element has sizeof(float) of them
void sum_blocks(float* d_sum, const float* d_data, int grid, int block)
{
    sum<<<grid, block, block>>>(d_sum, d_data);
}
