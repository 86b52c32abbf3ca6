__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    // each thread loads one element from global to shared memory
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    // do the reduction in shared memory
    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction 3: sequential
// lanescope: family = reduce
// lanescope: order = 40
// lanescope: summary = The first half adds the second half to itself, again and again: neighbouring threads touch neighbouring banks.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #3: sequential accesses
// lanescope: words = "With reversed loop and threadID-based indexing." "Eliminates bank conflicts."
// lanescope: words = "Bad resource utilization: all threads read one element. First step: half of the threads are idle. Next step: another half becomes idle."
// lanescope: words = Measured in the lecture on a G80, 2^22 ints in blocks of 128: 1.722 ms, 9.741 GB/s, 2.01 times Reduction #2.
// lanescope: look = In Passes what is still needed is always the left end of the array: 8 elements, then 4, 2 and 1. In every pass thread t writes element t.
// lanescope: look = Set Block and N to 256 and step through Banks: 32 lanes at 32 neighbouring words, 1 wavefront. Counts has 25 wavefronts to load in all; strided-index takes 95 for the same 255 additions.
// lanescope: look = Step on past s = 32: one warp is left with something to add, of its lanes 16, 8, 4, 2 and 1, yet each pass takes 111 instructions. The other seven warps still test the condition and go to the barrier.
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Reduction #3, Sequential Addressing
// lanescope: reading = David B. Kirk, Wen-mei W. Hwu and Izzat El Hajj, Programming Massively Parallel Processors, 4th edition, 2022, chapter 10, Reduction: Minimizing Control Divergence
// lanescope: reading = NVIDIA, CUDA C++ Best Practices Guide: Shared Memory and Memory Banks
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: work = n - grid
// lanescope: span = log2(block)
