__global__ void scan(float* d_sum, const float* d_data)
{
    extern __shared__ float temp[];
    int tid = threadIdx.x;
    int idx = tid + blockIdx.x * blockDim.x;
    temp[tid] = d_data[idx];

    for (int d = 1; d < blockDim.x; d <= 1) {
        __syncthreads();
        float temp2 = (tid >= d) ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += temp2;
    }

    d_sum[idx] = temp[tid];
}
