__global__ void reduce(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// the same kernel again and again, on the sums of the last time, until one is left
void sum(const int* data, int* result, int n, int block)
{
    int *sums, *next;
    cudaMalloc(&sums, n * sizeof(int));
    cudaMalloc(&next, n * sizeof(int));

    const int* in = data;
    do {
        int blocks = (n + block - 1) / block;
        int* out = blocks == 1 ? result : sums;
        reduce<<<blocks, block, block * sizeof(int)>>>(in, out, n);
        in = out;
        std::swap(sums, next);
        n = blocks;
    } while (n > 1);

    cudaFree(sums);
    cudaFree(next);
}

// lanescope: program = sum
// lanescope: title = Reduction of many blocks: launch until one is left
// lanescope: family = reduce
// lanescope: order = 88
// lanescope: summary = Each launch leaves one sum a block; the next one reduces those, and the end of a launch is the barrier of the whole grid.
// lanescope: lecture = Lecture 9: GPU Accelerated Parallel Reduce Scan, multi-block parallel reduction; Hui Liu, Reduction, decomposing into multiple kernels; GPU Programming - Reduce (moderngpu)
// lanescope: words = "Repeat the following until the remaining array is of length 1: call kernel Block Reduction on remaining array, then call kernel to copy the first element of each block down to the start of the array and shorten the array."
// lanescope: words = "Block Reduce can use all threads in the block instead of just half if it were to work with segments of 2 * block size of the array. Copy segment from global array into shared memory array at the start and back after computation leads to a massive speedup." Another lecture: "global device arrays would be too slow, so use shared memory."
// lanescope: words = "CUDA does not have global sync. Solution: decompose into multiple kernels: implicit synchronization between kernel invocations. The code for all levels is the same; the same kernel code can be called multiple times."
// lanescope: words = The lecture counts N reads and N / 128 writes a launch, and each launch leaves N / 128 elements: for N = 4194304 it prints 4227394 accesses. By its own formula it is 4227072 in the first launch and 4260357 in all.
// lanescope: words = The lecture copies the first elements down within the one array. With more than one block a thread then writes what another has yet to read: a race. Here each launch writes to another array.
// lanescope: look = Choose launch 1 under Shown: its load row, 18 6 4 13, is what the four blocks of launch 0 left, one sum each. It makes 41 of them, by the same kernel.
// lanescope: look = Every block adds 3 times, in two passes: four blocks in launch 0 and one in launch 1 make 15 additions for 16 elements.
// lanescope: look = Set N to 64: now it takes three launches, of 16, 4 and 1 blocks. The last one has a single block with 4 elements: a launch for 3 additions.
// lanescope: reading = Mark Harris, Optimizing Parallel Reduction in CUDA, NVIDIA, 2007: Kernel Decomposition
// lanescope: reading = Sean Baxter, moderngpu: Reduce and Scan
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Cooperative Groups
// lanescope: arg data = input(n)
// lanescope: arg result = zeros(1)
// lanescope: arg n = n
// lanescope: arg block = block
// lanescope: grid = ceil(n / block)
// lanescope: block = 4
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = sum
// lanescope: output = result
// lanescope: elements = in, out, sdata, data, result, sums
