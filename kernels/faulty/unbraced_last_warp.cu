__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    sdata[tid] = in[i] + in[i + blockDim.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // as printed: the if guards one line, and every warp runs the others
    if (tid < 32)
        sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16];
    sdata[tid] += sdata[tid + 8];
    sdata[tid] += sdata[tid + 4];
    sdata[tid] += sdata[tid + 2];
    sdata[tid] += sdata[tid + 1];

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Faulty: the last warp without braces
// lanescope: family = faulty
// lanescope: order = 312
// lanescope: summary = Without braces the if guards its first line only: the upper warps go on adding, and read past the end of the array.
// lanescope: lecture = Hui Liu, Reduction, Reduction #5: unrolling the last 6 iterations, as the slide prints it
// lanescope: words = The slide indents all six lines behind if (tid <32) and has no braces. The last thread of the block then reads sdata[tid + 16], 16 elements past the array's last one.
// lanescope: look = Passes 1 to 5 have 64 of 64 lanes at work, and everything from cell 32 on is hatched: no result is made of it. faulty/lockstep-last-warp has 32 there.
// lanescope: look = Findings: lines 19 to 23 read past the end 16, 8, 4, 2 and 1 times. The first is thread 48, which reads sdata[64] of 64 elements.
// lanescope: look = Worse is the race between the warps: thread 32 writes sdata[32] in line 19, while thread 0 reads it in line 18. As written 328 comes out, as compiled 108.
// lanescope: reading = Mark Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007
// lanescope: reading = NVIDIA, compute-sanitizer, its documentation: "Memcheck"
// lanescope: reading = Yuan Lin and Vinod Grover, "Using CUDA Warp-Level Primitives", NVIDIA Developer Blog, 2018
// lanescope: arg in = input(n, 2 * block * grid)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / (2 * block))
// lanescope: block = 64
// lanescope: block rule = power of two, 64 to 1024
// lanescope: block reason = The last warp begins with sdata[tid + 32], which smaller blocks do not have.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 128
// lanescope: input = classic
// lanescope: oracle = block-sum(2 * block)
// lanescope: output = out
// lanescope: fault = out-of-bounds
