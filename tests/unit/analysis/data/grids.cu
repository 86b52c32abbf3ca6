// Arrays with rows: tile by its declaration, with a column of padding; staged, in and out by their accesses.
__global__ void grids(const int* in, int* out)
{
    __shared__ int tile[8][5];
    extern __shared__ int staged[];
    int x = threadIdx.x, y = threadIdx.y;
    int w = blockDim.x + 2;
    tile[y][x] = in[y * 12 + x + 2];
    staged[(y + 1) * w + x + 1] = in[y * 12 + x + 3];
    __syncthreads();
    out[x * 8 + y] = tile[y][x] + staged[(y + 1) * w + x + 1];
}
