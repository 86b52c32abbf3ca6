__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
            __syncthreads();
        }
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Faulty: a barrier that not all threads reach
// lanescope: family = faulty
// lanescope: order = 302
// lanescope: summary = The barrier went into the branch, and the threads that do not take it never arrive.
// lanescope: lecture = Lecture 9: GPU Accelerated Parallel Reduce Scan, what it checks in each loop: "all threads sync on each iteration: no deadlock"
// lanescope: words = A barrier is for all threads of the block that have not ended. Here half of them pass it by; what a machine makes of that is undefined.
// lanescope: look = The mark stands at pass 1, s = 4: threads 0 to 3 wait at the barrier of line 12, threads 4 to 7 pass it by. It happens three times, once for each s.
// lanescope: look = The sum is right all the same: 24, for a single warp cannot get ahead of itself here. A right result proves nothing about a barrier.
// lanescope: look = Set beside it reduce/sequential with Block 8 and N 8: the same 4, 2 and 1 lanes add, the barrier stands behind the branch, and Findings is empty.
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "Synchronization Functions"
// lanescope: reading = NVIDIA, compute-sanitizer, its documentation: "Synccheck"
// lanescope: reading = NVIDIA, PTX ISA: "Parallel Synchronization and Communication Instructions: bar, barrier"
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: shared = block * sizeof(int)
// lanescope: n = 8
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: fault = barrier-divergence
