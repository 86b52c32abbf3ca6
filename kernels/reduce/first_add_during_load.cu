__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    // each thread loads two elements from global to shared memory and performs the first step of the reduction
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    sdata[tid] = in[i] + in[i + blockDim.x];
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

// lanescope: title = Reduction 4: first add during load
// lanescope: family = reduce
// lanescope: order = 50
// lanescope: summary = Every thread loads two elements and adds them at once, so that no thread only copies, and half as many blocks do.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #4: read two elements and do the first step
// lanescope: words = "Original: each thread reads one element. Read two and do the first reduction step."
// lanescope: words = "Still way off: memory bandwidth is still underutilized. What is the potential bottleneck? Ancillary instructions that are not loads, stores, or arithmetic for the core computation: address arithmetic and loop overhead."
// lanescope: words = Measured in the lecture on a G80, 2^22 ints in blocks of 128: 0.965 ms, 17.377 GB/s, 1.78 times Reduction #3.
// lanescope: look = The load row of Passes holds sums already: Counts has 8 operator applications in that pass, with all 8 threads useful. Sequential adds the same 16 elements with half of its threads idle in its first step.
// lanescope: look = Hold Counts against that of sequential: the load takes 28 instructions instead of 20, and a whole pass of 27 is gone; 131 instead of 150 in all, and 7 wavefronts to load instead of 9.
// lanescope: look = Set Block to 256 and N to 512 and step from s = 16 to s = 1: 111 instructions a pass, for 16 additions in the first and one in the last. The next variant goes for these.
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Reduction #4, First Add During Load
// lanescope: reading = David B. Kirk, Wen-mei W. Hwu and Izzat El Hajj, Programming Massively Parallel Processors, 4th edition, 2022, chapter 10, Reduction: Thread Coarsening for Reduced Overhead
// lanescope: arg in = input(n, 2 * block * grid)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / (2 * block))
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum(2 * block)
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: work = n - grid
// lanescope: span = log2(2 * block)
