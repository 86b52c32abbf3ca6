__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    // each thread loads one element from global to shared memory
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    // do the reduction in shared memory
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction 1: interleaved, modulo
// lanescope: family = reduce
// lanescope: order = 20
// lanescope: summary = Only threads whose number the step divides work, so in every step each warp has fewer lanes that do.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #1: interleaved accesses
// lanescope: words = "A thread reduces two elements: the first two elements by the first thread, the next two by the next thread, and so on. At the end of each step: deactivate half of the threads. Terminate: when one thread left."
// lanescope: words = "Log(N) parallel steps, each step S does N / 2^S independent operations. For N = 2^D, performs N - 1 operations: work complexity is O(N), it is work-efficient, i.e. does not perform more operations than a sequential algorithm. Allocate O(N) threads: cost is O(N log N), not cost efficient."
// lanescope: words = "Highly divergent code leads to very poor performance."
// lanescope: words = Measured in the lecture on a G80, 2^22 ints in blocks of 128: 8.054 ms, 2.083 GB/s.
// lanescope: look = Step from pass 1 to pass 4 and watch Warps: of 16 lanes 8 are useful, then 4, 2 and 1. Counts has the same 30 instructions for each of these passes.
// lanescope: look = Choose instructions in Warps and go through pass 1: at the if the warp splits, and the odd lanes are masked off while the even ones add.
// lanescope: look = Set Block and N to 256: from s = 1 to s = 16 all 8 warps have to run, 240 instructions a pass, while the useful lanes of each go down from 16 of 32 to 1. Only from s = 32 on do whole warps rest.
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Reduction #1, Interleaved Addressing
// lanescope: reading = David B. Kirk, Wen-mei W. Hwu and Izzat El Hajj, Programming Massively Parallel Processors, 4th edition, 2022, chapter 10, Reduction: Minimizing Control Divergence
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: SIMT Architecture
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = The stride doubles until it is the block; in other sizes the last partners do not exist.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: work = n - grid
// lanescope: span = log2(block)
