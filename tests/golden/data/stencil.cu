// Five points of a tile with a halo; only the accesses imply its rows.
__global__ void stencil(const int* in, int* out, int width, int height)
{
    extern __shared__ int tile[];
    int w = blockDim.x + 2;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int j = threadIdx.y; j < blockDim.y + 2; j += blockDim.y) {
        for (int i = threadIdx.x; i < w; i += blockDim.x) {
            int from_x = min(max((int)(blockIdx.x * blockDim.x + i) - 1, 0), width - 1);
            int from_y = min(max((int)(blockIdx.y * blockDim.y + j) - 1, 0), height - 1);
            tile[j * w + i] = in[from_y * width + from_x];
        }
    }
    __syncthreads();
    int at = (threadIdx.y + 1) * w + threadIdx.x + 1;
    if (x < width && y < height)
        out[y * width + x] = tile[at] + tile[at - 1] + tile[at + 1] + tile[at - w] + tile[at + w];
}
