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

    // the last warp needs no barrier of the block: read, wait for the warp, write, wait for the warp
    if (tid < 32) {
        int sum = sdata[tid];
        sum += sdata[tid + 32]; __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 16]; __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 8];  __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 4];  __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 2];  __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 1];  __syncwarp(); sdata[tid] = sum; __syncwarp();
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction 5: unrolled last warp
// lanescope: family = reduce
// lanescope: order = 60
// lanescope: summary = Once a single warp is left, its lanes wait only for one another: no barrier of the block, no loop, no branch.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #5: unrolling the last 6 iterations
// lanescope: words = "At every step the number of active threads halves. When s <= 32 there is only one warp left. This saves work in all warps, not just the last one: without unrolling all warps execute the for loop and if statement."
// lanescope: words = "We don't need if (tid < s) since it does not save any work. Half of the threads, 16-31, are doing useless work. At the end they destroy elements 16-31. The units and bandwidth are there: no harm (only power)."
// lanescope: words = The lecture's code has no __syncwarp(): it relies on "instructions are SIMD-synchronous within a warp, they all happen in lock step". Since Volta lanes of a warp may run apart, so that is a race: see faulty/lockstep-last-warp.
// lanescope: words = Measured in the lecture on a G80, 2^22 ints in blocks of 128: 0.536 ms, 31.289 GB/s, 1.8 times Reduction #4.
// lanescope: look = Step through Warps: in pass 1 warp 1 only finds out that it has nothing to do, and from pass 2 on its row is dots: it has returned. Nobody waits for it.
// lanescope: look = In Passes the hatched cells are sums that nobody needs: from pass 2 on all 32 lanes add, and 16, 8, 4, 2 and 1 of these additions count. In Counts ops stays at 32, and work halves.
// lanescope: look = Passes 2 to 5 take 20 instructions each. Set first-add-during-load to Block 64 and N 128: its passes from s = 16 on take 39 each, for the same sums.
// lanescope: look = Findings is empty here. Open faulty/lockstep-last-warp: the same sum of 328, and races, since nothing orders the lanes where here stands __syncwarp().
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Reduction #5, Unroll the Last Warp
// lanescope: reading = Yuan Lin and Vinod Grover, Using CUDA Warp-Level Primitives, NVIDIA Developer Blog, 2018
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Independent Thread Scheduling
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
// lanescope: elements = in, out, sdata, sum
// lanescope: work = n - grid
// lanescope: span = log2(2 * block)
