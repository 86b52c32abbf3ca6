// The stride is divided by 4, so that every second level of the tree is missing.
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: n = 8
// lanescope: input = iota
// lanescope: shared = block * sizeof(int)
// lanescope: oracle = block-sum
// lanescope: output = out
__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];
    sdata[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 4) {
        if (threadIdx.x < s) sdata[threadIdx.x] += sdata[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sdata[0];
}
