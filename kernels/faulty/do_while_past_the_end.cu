template <unsigned int blockSize>
__global__ void reduce(const int* g_idata, int* g_odata, unsigned int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    do {
        sdata[tid] += g_idata[i] + g_idata[i + blockSize];
        i += gridSize;
    } while (i < n);
    __syncthreads();

    for (unsigned int s = blockSize / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

// lanescope: title = Faulty: a grid-stride loop that reads past the end
// lanescope: family = faulty
// lanescope: order = 314
// lanescope: summary = do { } while (i < n) reads before it asks, and g_idata[i + blockSize] is never asked about: right only where n is a multiple of two blocks.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), final optimized kernel
// lanescope: words = The lecture's Reduction #7 loops while (i < n) { }, its final kernel do { } while (i < n). Neither asks whether i + blockSize is below n. The sound twin is reduce/grid-stride.
// lanescope: words = The final kernel also declares __shared__ int sdata[] without extern, which does not compile.
// lanescope: look = Choose block 1, where the mark stands at the load: in line 11 threads 3 to 7 read g_idata[59] to g_idata[63], and there are 59 elements.
// lanescope: look = The sums 82 and 62 are right all the same, since the emulator lets such a read give 0. On a GPU it gives whatever lies there.
// lanescope: look = With N 64, a multiple of two blocks, Findings is empty. reduce/grid-stride with N 59 gives 82 and 62 and no finding: it asks about both elements.
// lanescope: reading = Mark Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007
// lanescope: reading = Mark Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops", NVIDIA Developer Blog, 2013
// lanescope: reading = NVIDIA, compute-sanitizer, its documentation: "Memcheck"
// lanescope: template = block
// lanescope: arg g_idata = input(n)
// lanescope: arg g_odata = zeros(grid)
// lanescope: arg n = n
// lanescope: grid = min(2, ceil(n / (2 * block)))
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: shared = block * sizeof(int)
// lanescope: n = 59
// lanescope: input = classic
// lanescope: oracle = dealt-sum(2 * block)
// lanescope: output = g_odata
// lanescope: fault = out-of-bounds
