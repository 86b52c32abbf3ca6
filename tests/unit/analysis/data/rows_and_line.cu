// Two arrays of as many elements as the block has threads: sums of rows of 8, and the sum of a line.
__global__ void rows_and_line(const int* in, int* out)
{
    __shared__ int rows[64];
    __shared__ int line[64];
    int x = threadIdx.x, y = threadIdx.y, t = y * 8 + x;
    rows[y * 8 + x] = in[t];
    line[y * 8 + x] = in[t];
    __syncthreads();
    if (y < 4) rows[y * 8 + x] += rows[(y + 4) * 8 + x];
    for (int s = 32; s > 0; s >>= 1) {
        if (t < s) line[t] += line[t + s];
        __syncthreads();
    }
    if (y == 0) out[x] = rows[x];
    if (t == 0) out[8] = line[0];
}
