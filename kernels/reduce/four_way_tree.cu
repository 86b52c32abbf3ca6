__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    // four quarters become one
    for (unsigned int s = blockDim.x / 4; s > 0; s /= 4) {
        if (tid < s)
            sdata[tid] = (sdata[tid] + sdata[tid + s]) + (sdata[tid + 2 * s] + sdata[tid + 3 * s]);
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction: a tree of degree four
// lanescope: family = reduce
// lanescope: order = 46
// lanescope: summary = A thread reduces four elements a step: half as many barriers as with pairs, and the same work.
// lanescope: lecture = Hui Liu, Reduction, Parallel Reduction: different degree-trees possible
// lanescope: words = "Pair-wise reduction in steps, tree-like: log2 N steps / N amount of work." "Different degree-trees possible: log4 N steps / N amount of work."
// lanescope: words = Written in pairs, a step has a depth of 2. As compiled it has 3: sums of whole numbers may be grouped otherwise, and the compiler does.
// lanescope: look = Two passes are enough for 16 elements: in pass 1 each of threads 0 to 3 takes in three others besides its own, in pass 2 thread 0 does. Counts has a span of 2 for each, so 4 in all, as a tree of pairs has.
// lanescope: look = Hold Counts against that of sequential, 16 elements as well: 9 wavefronts to load in both, but 3 to store instead of 5, and 130 instructions instead of 150.
// lanescope: look = Warps shows what it costs: in pass 1 only 4 of 16 lanes are useful, where the tree of pairs has 8.
// lanescope: reading = Joseph JaJa, An Introduction to Parallel Algorithms, Addison-Wesley, 1992, chapter 2, Basic Techniques: balanced trees
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: what each step of a tree of pairs costs
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = power of four, 4 to 1024
// lanescope: block reason = In each step four quarters become one, so the block has to come apart in quarters down to the last element.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: work = n - grid
// lanescope: span = log2(block)
