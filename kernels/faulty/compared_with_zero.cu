__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x == 0)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Faulty: a comparison compared with zero
// lanescope: family = faulty
// lanescope: order = 306
// lanescope: summary = index < blockDim.x == 0 asks whether the comparison is false: exactly those threads work whose elements do not exist.
// lanescope: lecture = Hui Liu, Reduction, Reduction #3: code changes, the old loop as the slide prints it
// lanescope: words = The slide mixes the conditions of its first two versions. Comparisons group from the left, so it reads (index < blockDim.x) == 0.
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = power of two, 4 to 1024
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: fault = out-of-bounds
