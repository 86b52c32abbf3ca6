__global__ void sum(float *d_sum, float *d_data)
{
    extern __shared__ float temp[];
    int tid = threadIdx.x;

    temp[tid] = d_data[tid+blockIdx.x*blockDim.x];

    for (int d=blockDim.x>>1; d>=1; d>>=1) {
        __syncthreads();
        if (tid<d) temp[tid] += temp[tid+d];
    }

    if (tid==0) d_sum[blockIdx.x] = temp[0];
}

__global__ void hsh_scan(float *X, float *Y, int len)
{
    __shared__ float XY[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < len) XY[threadIdx.x] = X[i];
    for (uint s = 1; s < blockDim.x; s *= 2) {
        __syncthreads();
        float t = threadIdx.x >= s ? XY[threadIdx.x - s] : 0;
        __syncthreads();
        XY[threadIdx.x] += t;
    }
    if (i < len) Y[i] = XY[threadIdx.x];
}
