template <unsigned int blockSize>
__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    // each thread loads two elements and performs the first step of the reduction
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    sdata[tid] = in[i] + in[i + blockSize];
    __syncthreads();

    // blockSize is known to the compiler: only the steps that it needs are left
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64)  sdata[tid] += sdata[tid + 64];  __syncthreads(); }

    if (tid < 32) {
        int sum = sdata[tid];
        if (blockSize >= 64) { sum += sdata[tid + 32]; __syncwarp(); sdata[tid] = sum; __syncwarp(); }
        if (blockSize >= 32) { sum += sdata[tid + 16]; __syncwarp(); sdata[tid] = sum; __syncwarp(); }
        if (blockSize >= 16) { sum += sdata[tid + 8];  __syncwarp(); sdata[tid] = sum; __syncwarp(); }
        if (blockSize >= 8)  { sum += sdata[tid + 4];  __syncwarp(); sdata[tid] = sum; __syncwarp(); }
        if (blockSize >= 4)  { sum += sdata[tid + 2];  __syncwarp(); sdata[tid] = sum; __syncwarp(); }
        if (blockSize >= 2)  { sum += sdata[tid + 1];  __syncwarp(); sdata[tid] = sum; __syncwarp(); }
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction 6: completely unrolled
// lanescope: family = reduce
// lanescope: order = 70
// lanescope: summary = The block size is a template argument, so every loop and every test of it is gone before the kernel runs.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #6: completely unrolled
// lanescope: words = "If we knew the number of iterations at compile time, we could completely unroll the reduction. Block size is limited to 512. We can restrict our attention to powers-of-two block sizes."
// lanescope: words = "What if block size is not known at compile time? There are only 10 possibilities": a switch over reduce5<512>, reduce5<256>, ..., reduce5<1>. Lanescope instantiates the one that the launch asks for.
// lanescope: words = Beyond the lecture: its code starts at sdata[tid + 256], so a block of 1024 leaves half of the elements out, and below 64 threads the last warp reads past the array; both can be seen by running it anyway.
// lanescope: words = Measured in the lecture on a G80, 2^22 ints in blocks of 128: 0.381 ms, 43.996 GB/s, 1.41 times Reduction #5.
// lanescope: look = Look at it as compiled; as written every test of blockSize is still made, and it takes more instructions than unrolled-last-warp, 261 against 224. As compiled it is 85 against 91.
// lanescope: look = Set Block to 256 and N to 512, as compiled, and look at the totals in Counts: 301 instructions, against 391 of unrolled-last-warp, for the same wavefronts. What is gone is the loop.
// lanescope: look = In a terminal: lanescope trace reduce/completely-unrolled --block 1024 --n 2048 --anyway. The sum is 2624, not 5248: after the load nobody reads elements 512 to 1023.
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Reduction #6, Completely Unrolled
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: #pragma unroll
// lanescope: template = block
// lanescope: arg in = input(n, 2 * block * grid)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / (2 * block))
// lanescope: block = 64
// lanescope: block rule = power of two, 64 to 512
// lanescope: block reason = The unrolled steps begin with sdata[tid + 256], and the last warp reads sdata[tid + 16] for all its 32 lanes.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 128
// lanescope: input = classic
// lanescope: oracle = block-sum(2 * block)
// lanescope: output = out
// lanescope: elements = in, out, sdata, sum
// lanescope: work = n - grid
// lanescope: span = log2(2 * block)
