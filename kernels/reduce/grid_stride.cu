__global__ void reduce(const int* in, int* out, unsigned int n)
{
    extern __shared__ int sdata[];

    // each thread adds as many elements as necessary, in steps as wide as the grid
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    unsigned int gridSize = blockDim.x * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += in[i];
        if (i + blockDim.x < n) sdata[tid] += in[i + blockDim.x];
        i += gridSize;
    }
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

// lanescope: title = Reduction 7: multiple adds a thread (grid-stride)
// lanescope: family = reduce
// lanescope: order = 80
// lanescope: summary = Each thread first sums many elements by itself, then the block makes a tree of what its threads have: algorithm cascading.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #7: multiple adds / thread
// lanescope: words = "Replace load and add two elements with a loop to add as many as necessary. gridSize steps to achieve coalescing."
// lanescope: words = "Brent's theorem suggests O(N / log N) threads. Each thread does O(log N) sequential work. Then all O(N / log N) threads cooperate for O(log N) steps. Can lead to significant speedups in practice."
// lanescope: words = Brent's theorem as the lecture has it: t_p <= t + (W - t) / p, for work W, depth t and p processors. A reduction has t = log N and W = N - 1: N / log N threads take about 2 log N steps, at a cost of O(N); N threads take log N steps, at a cost of O(N log N).
// lanescope: words = "On G80, best perf with 64-256 blocks of 128 threads, 1024-4096 elements per thread."
// lanescope: words = The lecture adds g_idata[i] + g_idata[i + blockSize] without asking whether i + blockSize is below n, and its final kernel loops do { } while (i < n): both read past the end where n is no multiple of two blocks. See faulty/do-while-past-the-end.
// lanescope: words = Measured in the lecture on a G80, 2^22 ints in blocks of 128: 0.268 ms, 62.671 GB/s, 1.42 times Reduction #6, 30.04 times Reduction #1.
// lanescope: look = Point at the first 16 of the load row: it is made of elements 0, 8, 32 and 40. Block 0 takes the first and the third 16 elements, block 1 the others.
// lanescope: look = Counts of a block: 24 of its 31 additions are in the load pass, with all 8 lanes useful; the tree has 3 passes for the other 7. Set N to 1024: 504 of 511 are, and the tree stays as it is.
// lanescope: look = Switch to as compiled: in the load pass the wavefronts to load go from 4 to none, those to store from 5 to 2: the running sum has moved from shared memory to a register.
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Reduction #7, Multiple Adds / Thread
// lanescope: reading = Mark Harris, CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops, NVIDIA Developer Blog, 2013
// lanescope: reading = Richard P. Brent, The Parallel Evaluation of General Arithmetic Expressions, Journal of the ACM 21(2), 1974
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(grid)
// lanescope: arg n = n
// lanescope: grid = min(2, ceil(n / (2 * block)))
// lanescope: timed grid = min(2048 / block * multiprocessors, ceil(n / (2 * block)))
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 64
// lanescope: input = classic
// lanescope: oracle = dealt-sum(2 * block)
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: work = n - grid
