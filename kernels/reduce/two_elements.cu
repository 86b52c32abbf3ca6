__global__ void reduce(const float* input, float* output)
{
    extern __shared__ float partialSum[];

    unsigned int t = threadIdx.x;
    unsigned int start = 2 * blockIdx.x * blockDim.x;
    partialSum[t] = input[start + t];
    partialSum[blockDim.x + t] = input[start + blockDim.x + t];

    for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % stride == 0)
            partialSum[2 * t] += partialSum[2 * t + stride];
    }

    if (t == 0) output[blockIdx.x] = partialSum[0];
}

// lanescope: title = Reduction: two elements a thread
// lanescope: family = reduce
// lanescope: order = 10
// lanescope: summary = Every thread loads two elements; in each step half of the threads that still work stop, and the distance doubles.
// lanescope: lecture = Wen-mei Hwu, Heterogeneous Parallel Programming, Lecture 4.2: A Basic Reduction Kernel
// lanescope: words = "Recursively halve # of threads, add two values per thread in each step. Takes log(n) steps for n elements, requires n/2 threads."
// lanescope: words = "The shared memory is used to hold a partial sum vector. Reduces global memory traffic due to partial sum values. Thread block size limits n to be less than or equal to 2,048."
// lanescope: words = "Each thread is responsible of an even-index location of the partial sum vector. After each step, half of the threads are no longer needed. One of the inputs is always from the location of responsibility. In each step, one of the inputs comes from an increasing distance away."
// lanescope: words = "__syncthreads() are needed to ensure that all elements of each version of partial sums have been generated before we proceed to the next step."
// lanescope: words = The slide writes partialSum[blockDim+t], which does not compile: blockDim has three parts and blockDim.x is meant. It sizes the array by a macro BLOCK_SIZE; here the launch sizes it, so that every block size works.
// lanescope: look = In Passes the number in a circle is the thread: in pass 1 thread 3 adds at element 6. Threads 0 to 7 add, then 0, 2, 4, 6, then 0 and 4, then 0 alone.
// lanescope: look = Watch Warps from pass to pass: those who add thin out within the one warp, so that a pass with 2 additions takes as many instructions as one with 4: 31 in Counts.
// lanescope: look = Set Block to 256 and N to 512: from stride = 1 to stride = 16 Banks shows 2 wavefronts an access. The threads that add stand farther and farther apart, and elements 0 and 32, which share a bank, are always among theirs.
// lanescope: reading = David B. Kirk, Wen-mei W. Hwu and Izzat El Hajj, Programming Massively Parallel Processors, 4th edition, 2022, chapter 10, Reduction: A Simple Reduction Kernel
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Synchronization Functions
// lanescope: arg input = input(n, 2 * block * grid)
// lanescope: arg output = zeros(grid)
// lanescope: grid = ceil(n / (2 * block))
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = The stride doubles until it is the block; in other sizes the last partners do not exist.
// lanescope: shared = 2 * block * sizeof(float)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum(2 * block)
// lanescope: output = output
// lanescope: elements = input, output, partialSum
// lanescope: work = n - grid
// lanescope: span = log2(2 * block)
