__device__ unsigned int my_block_count = 0;
__device__ int my_block_count2 = 0;
__device__ volatile int sum_so_far = 0;

__global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int temp[];
    __shared__ int my_blockId;
    __shared__ int before;

    // blocks take numbers in the order in which they start
    if (threadIdx.x == 0)
        my_blockId = atomicInc(&my_block_count, (unsigned int)-1);
    __syncthreads();

    int tid = threadIdx.x;
    int i = my_blockId * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    // scan within the block
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }

    // wait for the sum of the blocks before, and pass it on
    if (tid == blockDim.x - 1) {
        while (atomicAdd(&my_block_count2, 0) < my_blockId) {}
        __threadfence();
        before = sum_so_far;
        sum_so_far = before + temp[tid];
        __threadfence();
        atomicAdd(&my_block_count2, 1);
    }
    __syncthreads();

    if (i < n) out[i] = before + temp[tid];
}

// lanescope: title = Scan of many blocks: all in one launch
// lanescope: family = scan
// lanescope: order = 190
// lanescope: summary = Blocks take numbers as they start, and each waits for the sum of the one before it: a chain that cannot deadlock.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, global scan: version 2
// lanescope: words = "Problem: blocks are not necessarily processed in order, so could end up in deadlock waiting for results from a block which doesn't get a chance to start. Solution: use atomic increments. This gives us a way of launching blocks in strict order."
// lanescope: words = "Get in-order block ID, do downward pass, wait until another global counter my_block_count2 shows that preceding block has computed the sum of the blocks so far. Get the sum of blocks so far, increment the sum with the local partial sum, then increment my_block_count2. Do upwards pass and store the results."
// lanescope: words = The lecture declares my_block_count as an int; atomicInc takes an unsigned int. Its cast of -1 "ensures atomicInc always increments the counter".
// lanescope: look = See pass 4, d = 4, in one block after the other: the last thread goes on alone, takes sum_so_far, puts it in before and adds its own 76. sum_so_far becomes 76, 152, 228.
// lanescope: look = Sectors in Counts, same pass: 2 are atomics in each block, one look at my_block_count2 and one that raises it, so nobody had to wait in this run. On a GPU a block may look many times.
// lanescope: look = The load is the ticket: thread 0 takes 0, 1 or 2 from my_block_count, and my_blockId is that number from then on. blockIdx does not occur in the source.
// lanescope: reading = Dong Li and Tonghua Su, Lec 6 Reduction and Scan: global scan: version 2
// lanescope: reading = Duane Merrill and Michael Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA, NVR-2016-002, 2016
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "Memory Fence Functions"
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg n = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = 2 to 1024
// lanescope: shared = block * sizeof(int)
// lanescope: n = 24
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan
// lanescope: output = out
// lanescope: elements = in, out, temp, left, before, sum_so_far
