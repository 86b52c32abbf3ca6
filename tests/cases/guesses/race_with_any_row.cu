// Threads write elements that their neighbors read, whichever rows these are.
__global__ void shift(float *m, int cols, int r0, int r1)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= cols - 1) return;
    float sum = m[r0 * cols + j + 1] + m[r1 * cols + j + 1];
    m[r0 * cols + j] = sum;
    m[r1 * cols + j] = sum;
}
