template <int nt, int vt>
__global__ void reduce(const int* input, int count, int* reduction)
{
    __shared__ int data[nt];

    // each thread reduces vt values in a register
    int tid = threadIdx.x;
    int begin = blockIdx.x * nt * vt;
    int x = 0;
    for (int i = 0; i < vt; ++i) {
        int j = begin + i * nt + tid;
        if (j < count) x += input[j];
    }
    data[tid] = x;
    __syncthreads();

    // the block reduces nt values in shared memory
    for (int s = nt / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] += data[tid + s];
        __syncthreads();
    }

    if (tid == 0) reduction[blockIdx.x] = data[0];
}

// lanescope: title = Reduction: several values a thread (register blocking)
// lanescope: family = reduce
// lanescope: order = 82
// lanescope: summary = nt threads take vt values each: registers first, then shared memory. Both numbers are template arguments.
// lanescope: lecture = GPU Programming - Reduce (moderngpu), Top-Down View and Bottom-Up View
// lanescope: words = "Setting up nt (number of threads per block) and vt (number of values to process per thread) so that each CTA processes a fixed number of elements in one kernel run."
// lanescope: words = "To take the advantage of ILP, we usually set vt to be larger than 1 (common options include 7, 9, 11, etc.) and use register blocking to reduce vt number of elements within one thread first."
// lanescope: words = It launches blocks of 128 threads with 8 values each, launch_params_t<128, 8>, and joins what they leave in blocks of 512 with 4 values each, until one is left: "The key to high performance is as always: to get a higher occupancy."
// lanescope: words = "The reduce implementation could achieve 80% to 90% of peak memory throughput (312 GB/s for P40 and 728 GB/s for V100)."
// lanescope: look = The load row of Passes is sums already. Point at the 16 of thread 2: it is made of elements 2, 10 and 18. Threads 0 to 3 have three elements each, threads 4 to 7 two: 20 in all.
// lanescope: look = In Counts the load pass has 12 of the 19 additions and a span of 2; the three passes of the tree have 4, 2 and 1. They stay as they are, however many values a thread takes.
// lanescope: look = Switch to as compiled: the load pass goes from 120 instructions to 30. vt is known to the compiler, so the loop is laid out in full and x stays in a register.
// lanescope: reading = Sean Baxter, moderngpu: Reduce and Scan
// lanescope: reading = Vasily Volkov, Better Performance at Lower Occupancy, GPU Technology Conference, 2010
// lanescope: reading = David B. Kirk, Wen-mei W. Hwu and Izzat El Hajj, Programming Massively Parallel Processors, 4th edition, 2022, chapter 10, Reduction: Thread Coarsening for Reduced Overhead
// lanescope: template = block, 4
// lanescope: arg input = input(n)
// lanescope: arg count = n
// lanescope: arg reduction = zeros(grid)
// lanescope: grid = ceil(n / (4 * block))
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: n = 20
// lanescope: input = moderngpu
// lanescope: oracle = block-sum(4 * block)
// lanescope: output = reduction
// lanescope: elements = input, reduction, data, x
// lanescope: work = n - grid
