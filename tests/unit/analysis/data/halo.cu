// A five-point stencil: the tile has a halo on all four sides, and no thread accesses its corners.
__global__ void halo(const int* in, int* out)
{
    __shared__ int tile[6][6];
    int x = threadIdx.x, y = threadIdx.y;
    int at = (y + 1) * 6 + x + 1;
    tile[y + 1][x + 1] = in[at];
    if (x == 0) tile[y + 1][0] = in[at - 1];
    if (x == 3) tile[y + 1][5] = in[at + 1];
    if (y == 0) tile[0][x + 1] = in[at - 6];
    if (y == 3) tile[5][x + 1] = in[at + 6];
    __syncthreads();
    out[y * 4 + x] = tile[y + 1][x + 1] + tile[y][x + 1] + tile[y + 2][x + 1] +
                     tile[y + 1][x] + tile[y + 1][x + 2];
}
