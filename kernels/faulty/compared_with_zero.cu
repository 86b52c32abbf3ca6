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
// lanescope: look = In Passes the store follows right upon the load: no row changes sdata in between. out[0] is 10, the first input, where 41 is the sum.
// lanescope: look = Findings has 147 accesses past the end, all in line 13. The first is thread 8 with s = 1: its index is 16, and sdata[17] is two past the end of 16 elements.
// lanescope: look = reduce/strided-index with the same launch shows what was meant: 8, 4, 2 and 1 additions in four passes, by threads 0 to 7 and fewer.
// lanescope: reading = NVIDIA, compute-sanitizer, its documentation: "Memcheck"
// lanescope: reading = Brian Kernighan and Dennis Ritchie, "The C Programming Language", 2nd edition, 2.12: Precedence and Order of Evaluation, 1988
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
