// Calls what the second unit defines; defines what it reads.
#include "shared.h"

__device__ int counter = 5;
static __device__ int offset = 1;
__constant__ int weights[4] = {1, 2, 3, 4};

static __global__ void reset(int* out) { out[0] = offset; }

__global__ void first(int* out)
{
    __shared__ int tile[32];
    int lane = threadIdx.x;
    tile[lane] = out[lane];
    __syncthreads();
    Pair pair = {tile[lane], counter};
    out[lane] = scaled(pair, lane) + twice(offset);
}

void launch_first(int* out)
{
    reset<<<1, 1>>>(out);
    first<<<1, 32>>>(out);
    fill<3><<<1, 32, 128>>>(out);
}
