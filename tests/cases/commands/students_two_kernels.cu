__global__ void scale(float* values, float factor)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

__global__ void transpose(const int* in, int* out)
{
    __shared__ int tile[4][4];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 4 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 4 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
