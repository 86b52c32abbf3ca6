__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
    __syncthreads();

    // the first block adds what the others have, as if they were done
    if (blockIdx.x == 0 && tid == 0)
        for (unsigned int b = 1; b < gridDim.x; ++b) out[0] += out[b];
}

// lanescope: title = Faulty: a barrier taken for one of the grid
// lanescope: family = faulty
// lanescope: order = 330
// lanescope: summary = __syncthreads() waits for the threads of one block; the other blocks may not even have started.
// lanescope: lecture = Lecture 9: GPU Accelerated Parallel Reduce Scan, multi-block parallel reduction; Hui Liu, Reduction, the problem with global synchronization
// lanescope: words = "__syncthreads() does not work across blocks."
// lanescope: words = "CUDA does not have global sync: expensive to support, would limit the number of blocks, otherwise deadlock will occur. Solution: decompose into multiple kernels. Implicit synchronization between kernel invocations." That is reduce/until-one-is-left.
// lanescope: words = "Once a block gets assigned to an SM it stays there. Each SM can take only 8 blocks, so at most #SMs x 8 blocks could be active at any given point of time." Today it is up to 32; a launch made as cooperative, with no more blocks than fit at once, may wait for all of them.
// lanescope: look = Click the race in Findings: block 1 writes out[1] in line 14, block 0 reads it in line 19, and nothing orders the two. The same holds for block 2.
// lanescope: look = Memory in pass 4 of block 0: out[1] and out[2] are still 0 when the loop in line 19 reads them. So out[0] stays 24, where 65 is the sum.
// lanescope: look = With N 8 there is but one block, nothing to find and a right sum. reduce/until-one-is-left with Block 8 and N 24 gets the 65 in a second launch, which begins when all blocks have ended.
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "Memory Fence Functions", whose example lets the last block add
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "Cooperative Groups"
// lanescope: reading = Shucai Xiao and Wu-chun Feng, "Inter-Block GPU Communication via Fast Barrier Synchronization", IPDPS, 2010
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: shared = block * sizeof(int)
// lanescope: n = 24
// lanescope: input = classic
// lanescope: oracle = sum
// lanescope: output = out
// lanescope: fault = race
