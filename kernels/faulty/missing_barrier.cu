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
