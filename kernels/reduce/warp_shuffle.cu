__global__ void reduce(const int* in, int* out, int n)
{
    __shared__ int warpSums[32];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int sum = i < n ? in[i] : 0;

    // each warp reduces its registers: a lane takes the value of the lane `offset` above it
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);

    // the first warp reduces what the warps have
    if (lane == 0) warpSums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warpSums[lane] : 0;
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}

// lanescope: title = Reduction: warp shuffle
// lanescope: family = reduce
// lanescope: order = 90
// lanescope: summary = The lanes of a warp hand their registers to one another; shared memory holds one sum a warp, and two barriers become one.
// lanescope: lecture = GPU Programming - Reduce (moderngpu), Bottom-Up View; Dong Li and Tonghua Su, Lec 6 Reduction and Scan, additional reading: Reduction on Kepler
// lanescope: words = "From Kepler onward, NVIDIA introduced warp shuffle primitives that could do intra-warp thread communication more efficient. Threads can read other threads' registers without the need of shared memory. Nowadays using warp shuffle to write warp-level parallel algorithm has become a standard."
// lanescope: words = moderngpu fuses the two in PTX, by a macro SHFL_OP_MACRO that runs here as it stands in a file of one's own: shfl.sync.down.b32 r0|p, ...; @p add.s32 r0, r0, x; the predicate says whether the source lane is within the width, so that no comparison is needed.
// lanescope: words = Only lane 0 has the whole sum: the upper lanes add too, and what they get reaches no result.
// lanescope: look = The columns of Passes are lanes, not shared memory. From down 16 to down 1 all 32 lanes add, and the hatched results are of no use: work halves from 16 to 1, while ops stays at 32.
// lanescope: look = Wavefronts: 1 to store and 1 to load, in the whole run. Sequential with Block and N of 32 takes 6 and 11, and 6 barriers instead of one.
// lanescope: look = From pass 6 on the first warp shuffles one sum and 31 zeros: no work at all. Set Block and N to 256, and its last three steps have some: they join the sums of 8 warps by 4, 2 and 1 additions.
// lanescope: reading = Justin Luitjens, Faster Parallel Reductions on Kepler, NVIDIA Developer Blog, 2014
// lanescope: reading = Yuan Lin and Vinod Grover, Using CUDA Warp-Level Primitives, NVIDIA Developer Blog, 2018
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Warp Shuffle Functions
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(grid)
// lanescope: arg n = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 32
// lanescope: block rule = multiple of 32, 32 to 1024
// lanescope: block reason = The shuffles name all 32 lanes of a warp, so every warp has to be whole.
// lanescope: n = 32
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: elements = in, out, warpSums, sum
// lanescope: work = n - grid
