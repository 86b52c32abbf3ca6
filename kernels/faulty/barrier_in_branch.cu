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
