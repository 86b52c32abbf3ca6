// Two generations lie in one buffer, one after the other.
__global__ void step(float *u, int n, int cur, int prev)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) u[cur * n + i] = 0.5f * (u[prev * n + i - 1] + u[prev * n + i + 1]);
}
