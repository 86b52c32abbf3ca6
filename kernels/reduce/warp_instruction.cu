__global__ void reduce(const int* in, int* out, int n)
{
    __shared__ int warpSums[32];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    // one instruction sums a warp
    int sum = __reduce_add_sync(0xffffffff, i < n ? in[i] : 0);

    if (lane == 0) warpSums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = __reduce_add_sync(0xffffffff, lane < blockDim.x / 32 ? warpSums[lane] : 0);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}

// lanescope: title = Reduction: one instruction a warp (redux.sync)
// lanescope: family = reduce
// lanescope: order = 94
// lanescope: summary = Since Ampere the hardware sums 32 integers in one instruction; what the shuffles spelt out is inside it.
// lanescope: lecture = What became of the shuffles of GPU Programming - Reduce (moderngpu): __reduce_add_sync, of 32-bit integers, compute capability 8.0
// lanescope: words = The five shuffles and five additions of a warp are one instruction, redux.sync (PTX ISA 9.7.13.8).
// lanescope: look = Pass 1 (redux) is one fan of arcs: 32 values go in, and every lane gets 82, though one lane alone is useful. Counts still has 31 ops and a span of 5 there: the tree is inside the instruction.
// lanescope: look = Hold the totals of Counts against those of warp-shuffle: 105 instructions instead of 387 as written, 41 instead of 71 as compiled, with the same wavefronts and sectors.
// lanescope: look = The second redux sums one 82 and 31 zeros. Set Block and N to 256: it has 8 sums to join then, 7 additions with a span of 3.
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Warp Reduce Functions
// lanescope: reading = NVIDIA, PTX ISA: Parallel Synchronization and Communication Instructions, redux.sync
// lanescope: arch = 80
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(grid)
// lanescope: arg n = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 32
// lanescope: block rule = multiple of 32, 32 to 1024
// lanescope: block reason = The instruction names all 32 lanes of a warp, so every warp has to be whole.
// lanescope: n = 32
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: element reason = redux.sync sums whole numbers of 32 bits alone (PTX ISA 9.7.13.8).
