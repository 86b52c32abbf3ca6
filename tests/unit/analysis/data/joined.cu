// A block of 8 x 8 threads: `across` combines each row, `near` the cells around each one, `pairs` and `line` neither.
__global__ void joined(const int* in, int* out)
{
    __shared__ int across[64];
    __shared__ int near[64];
    __shared__ int pairs[64];
    __shared__ int line[64];
    unsigned int x = threadIdx.x, y = threadIdx.y, at = y * blockDim.x + x;
    across[at] = in[at];
    near[at] = in[at];
    pairs[at] = in[at];
    line[at] = in[at];
    __syncthreads();
    int sum = pairs[at ^ 1];
    if (x > 0 && x < 7 && y > 0 && y < 7) sum += near[at - 1] + near[at + 1] + near[at - 8] + near[at + 8];
    for (unsigned int s = 4; s > 0; s /= 2) {
        if (x < s) across[at] += across[at + s];
        __syncthreads();
    }
    for (unsigned int s = 32; s > 0; s /= 2) {
        if (at < s) line[at] += line[at + s];
        __syncthreads();
    }
    out[at] = sum + across[at] + line[at];
}
