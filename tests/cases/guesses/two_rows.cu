// Adds a multiple of one row to another.
__global__ void add_row(float *m, int rows, int cols, int r0, int r1, float factor)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < cols - 1) m[r0 * cols + j] += factor * m[r1 * cols + j + 1];
}
