template <unsigned int blockSize>
__global__ void reduce(const int* g_idata, int* g_odata, unsigned int n)
{
    extern __shared__ int sdata[];

    // each thread adds as many elements as necessary, in steps as wide as the grid
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i];
        if (i + blockSize < n) sdata[tid] += g_idata[i + blockSize];
        i += gridSize;
    }
    __syncthreads();

    // blockSize is known to the compiler: only the steps that it needs are left
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64)  sdata[tid] += sdata[tid + 64];  __syncthreads(); }

    // the last warp: read, sync the warp, write, sync the warp
    if (tid < 32) {
        int sum = sdata[tid];
        if (blockSize >= 64) {sum += sdata[tid + 32]; __syncwarp(); sdata[tid] = sum; __syncwarp();}
        if (blockSize >= 32) {sum += sdata[tid + 16]; __syncwarp(); sdata[tid] = sum; __syncwarp();}
        if (blockSize >= 16) {sum += sdata[tid + 8];  __syncwarp(); sdata[tid] = sum; __syncwarp();}
        if (blockSize >= 8)  {sum += sdata[tid + 4];  __syncwarp(); sdata[tid] = sum; __syncwarp();}
        if (blockSize >= 4)  {sum += sdata[tid + 2];  __syncwarp(); sdata[tid] = sum; __syncwarp();}
        if (blockSize >= 2)  {sum += sdata[tid + 1];  __syncwarp(); sdata[tid] = sum; __syncwarp();}
    }

    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
