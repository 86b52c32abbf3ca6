__global__ void sum(float* d_sum, const float* d_data)
{
    extern __shared__ float temp[];

    int tid = threadIdx.x;
    temp[tid] = d_data[tid + blockIdx.x * blockDim.x];

    for (int d = blockDim.x >> 1; d >= 1; d >>= 1) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }

    // the blocks add their sums to one result
    if (tid == 0) atomicAdd(d_sum, temp[0]);
}

// lanescope: title = Reduction: blocks joined by atomicAdd
// lanescope: family = reduce
// lanescope: order = 84
// lanescope: summary = Each block makes its sum in shared memory; thread 0 adds it to the result of all, so that one launch is enough.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, local reduction, and global reduction: version 2
// lanescope: words = "Second half added pairwise to first half by leading set of threads. Use of __syncthreads to make sure previous operations have completed."
// lanescope: words = "For efficiency, we want to make sure that each warp is either fully active or fully inactive, as far as possible."
// lanescope: words = Version 1 puts "the partial sum for each block in a different entry in a global array"; here "if (tid == 0) atomicAdd(d_sum, temp[0])". The order of the blocks is nobody's choice: floats may round otherwise from run to run.
// lanescope: look = In Passes the last pass (d = 1) has one arc more than the tree: from temp[0] to d_sum. Block 0 leaves 24 there; choose block 1 under Shown: it adds its 17, and d_sum is 41.
// lanescope: look = In Counts that pass has a span of 2, the last addition of the tree and the one of the atomic behind it, and under sectors a bar in the colour of atomics: one for the block, not one for each thread.
// lanescope: look = Set Block to 256 and N to 4096: 4,096 elements need 16 atomic additions, one a block.
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Atomic Functions
// lanescope: reading = Nicholas J. Higham, The Accuracy of Floating Point Summation, SIAM Journal on Scientific Computing 14(4), 1993
// lanescope: arg d_sum = zeros(1)
// lanescope: arg d_data = input(n, grid * block)
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: shared = block * sizeof(float)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = sum
// lanescope: output = d_sum
// lanescope: elements = d_sum, d_data, temp
