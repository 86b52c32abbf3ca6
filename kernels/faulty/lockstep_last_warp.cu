__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    // each thread loads two elements and performs the first step of the reduction
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    sdata[tid] = in[i] + in[i + blockDim.x];
    __syncthreads();

    // do the reduction in shared memory, until one warp is left
    for (unsigned int s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // the last warp, as if its lanes always moved together
    if (tid < 32) {
        sdata[tid] += sdata[tid + 32];
        sdata[tid] += sdata[tid + 16];
        sdata[tid] += sdata[tid + 8];
        sdata[tid] += sdata[tid + 4];
        sdata[tid] += sdata[tid + 2];
        sdata[tid] += sdata[tid + 1];
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Faulty: the last warp in lockstep
// lanescope: family = faulty
// lanescope: order = 310
// lanescope: summary = Nothing orders a lane's write before another lane's read of the next line: a race, which happened to work before Volta.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #5: unrolling the last 6 iterations
// lanescope: words = "Instructions are SIMD-synchronous within a warp: they all happen in lock step. No need to use __syncthreads()."
// lanescope: words = "Elements 16-31 are inputs to threads 0-14. But threads 0-15 read them before they get written by threads 16-31: all reads proceed in parallel first, all writes proceed in parallel last. So, no correctness issues."
// lanescope: words = That held on the lecture's G80. Since Volta each lane has its own program counter, and a compiler may keep sdata[tid] in a register: without __syncwarp() or volatile nothing promises the order. The sound twin is reduce/unrolled-last-warp.
// lanescope: words = The lecture's first print of it lacks the braces behind if (tid < 32), so that only its first line is guarded: see faulty/unbraced-last-warp.
// lanescope: look = Passes 2 to 6 carry their marks at cells 16, 8, 4, 2 and 1: thread 0 reads there what another lane wrote one line before, and what that lane overwrites in the same line.
// lanescope: look = As written, the emulator goes in lockstep and 328 is right. Switch to as compiled: it becomes 74, for all reads come first and each lane stores only once, in line 25.
// lanescope: look = reduce/unrolled-last-warp, same launch: __syncwarp between reading and writing, no finding, 328 in both views. It takes 224 instructions, not 165, as written.
// lanescope: reading = Yuan Lin and Vinod Grover, "Using CUDA Warp-Level Primitives", NVIDIA Developer Blog, 2018
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "SIMT Architecture", on independent thread scheduling
// lanescope: reading = Mark Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007
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
// lanescope: fault = race
