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
