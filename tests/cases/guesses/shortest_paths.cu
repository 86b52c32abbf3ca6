// No path gets shorter by way of a vertex and back: row and column k stay, if no distance is negative.
__global__ void relax(int *d, int n, int k)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n) return;
    int by_way_of_k = d[i * n + k] + d[k * n + j];
    if (by_way_of_k < d[i * n + j]) d[i * n + j] = by_way_of_k;
}
