__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    // each thread loads one element from global to shared memory
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    // do the reduction in shared memory
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        unsigned int index = 2 * s * tid;
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction 2: interleaved, strided index
// lanescope: family = reduce
// lanescope: order = 30
// lanescope: summary = The first threads do the work, so whole warps rest together; but their elements lie 2, 4, 8, ... apart and collide in the banks.
// lanescope: lecture = Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), Reduction #2: interleaved addressing, non-divergent branching
// lanescope: words = "2-way bank conflicts at every step. Recall there are more than 16 threads. To see the conflicts see what happens with 128 threads."
// lanescope: words = Measured in the lecture on a G80, 2^22 ints in blocks of 128: 3.456 ms, 4.854 GB/s, 2.33 times Reduction #1.
// lanescope: words = The lecture prints the condition as index < blockDim.x / s, and a page later as index < blockDim.x == 0. Harris has index < blockDim.x, as here: with / s the later steps leave out elements, and the sum is wrong.
// lanescope: words = "2-way at every step" holds for the first step alone: on 16 banks a block of 128 collides 2, 4, 8, 8, 4, 2, 1 ways.
// lanescope: look = In Passes the circles of pass 1 stand at elements 0, 2, 4, ..., 14, as in interleaved-modulo, but the numbers in them are 0 to 7: neighbours work, and in Warps the useful lanes stand side by side.
// lanescope: look = Set Block and N to 256 and step to s = 4: in Warps warp 0 is useful with all its 32 lanes, the other seven with none. The pass takes 142 instructions; with the modulo it takes 240.
// lanescope: look = In that pass Banks shows the price: 32 words in 4 of the 32 banks, 8 in each, so 8 wavefronts an access. From s = 1 to s = 128 it is 2, 4, 8, 8, 8, 4, 2 and 1.
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Reduction #2, Interleaved Addressing
// lanescope: reading = NVIDIA, CUDA C++ Best Practices Guide: Shared Memory and Memory Banks
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = The stride doubles until it is the block; in other sizes the last partners do not exist.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: work = n - grid
// lanescope: span = log2(block)
