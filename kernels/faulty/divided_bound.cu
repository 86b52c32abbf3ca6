__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x / s)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Faulty: strided index with a divided bound
// lanescope: family = faulty
// lanescope: order = 304
// lanescope: summary = The index already holds the stride; dividing the bound by it too leaves elements out, and the sum is too short.
// lanescope: lecture = Hui Liu, Reduction, Reduction #2, as the slide prints it
// lanescope: words = The slide has if (index < blockDim.x / s). Harris has index < blockDim.x, as reduce/strided-index. With blocks of 2 and 4 both are the same.
// lanescope: look = Passes 1 to 4 have 8, 2, 1 and 1 lanes at work; reduce/strided-index has 8, 4, 2 and 1 in the same launch.
// lanescope: look = The cells 10, 12 and 14 of pass 1 are hatched: nobody takes their sums 9, 11 and 2. These are the 22 by which 19 falls short of 41.
// lanescope: look = No access is out of bounds and none is a race: the result is wrong, and only the comparison with the CPU tells. Step through pass 2 and see who ought to add cell 10 to cell 8.
// lanescope: reading = Mark Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007
// lanescope: reading = Hui Liu, Reduction: Reduction #2
// lanescope: reading = David Kirk, Wen-mei Hwu and Izzat El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter 10: Reduction, 2022
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = power of two, 8 to 1024
// lanescope: block reason = In smaller blocks there is nothing to see.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: fault = wrong result
