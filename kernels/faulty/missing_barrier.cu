__global__ void reduce(const float* input, float* output)
{
    extern __shared__ float partialSum[];

    unsigned int t = threadIdx.x;
    unsigned int start = 2 * blockIdx.x * blockDim.x;
    partialSum[t] = input[start + t];
    partialSum[blockDim.x + t] = input[start + blockDim.x + t];

    for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
        if (t % stride == 0)
            partialSum[2 * t] += partialSum[2 * t + stride];
    }

    if (t == 0) output[blockIdx.x] = partialSum[0];
}

// lanescope: title = Faulty: no barrier between the steps
// lanescope: family = faulty
// lanescope: order = 300
// lanescope: summary = A step reads partial sums that other threads may not have written yet.
// lanescope: lecture = Wen-mei Hwu, Heterogeneous Parallel Programming, Lecture 4.2: why do we need syncthreads()?
// lanescope: words = "__syncthreads() are needed to ensure that all elements of each version of partial sums have been generated before we proceed to the next step." This is reduce/two-elements without it.
// lanescope: look = Marks at cells 1 and 9 of pass 1: thread 0 reads partialSum[1], which thread 1 loaded in line 7. The mark at cell 2 of pass 2 is a sum of the pass before.
// lanescope: look = The sum 41 is right here: one warp, whose lanes move together. With Block 64 and N 128, Findings names two warps: thread 32 reads partialSum[65], which thread 1 wrote.
// lanescope: look = reduce/two-elements with the same launch has the same 8, 4, 2 and 1 lanes and no finding. One line is the difference: the barrier at the top of its loop.
// lanescope: reading = David Kirk, Wen-mei Hwu and Izzat El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter 10: Reduction, 2022
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "Synchronization Functions"
// lanescope: reading = NVIDIA, compute-sanitizer, its documentation: "Racecheck"
// lanescope: arg input = input(n, 2 * block * grid)
// lanescope: arg output = zeros(grid)
// lanescope: grid = ceil(n / (2 * block))
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: shared = 2 * block * sizeof(float)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-sum(2 * block)
// lanescope: output = output
// lanescope: fault = race
