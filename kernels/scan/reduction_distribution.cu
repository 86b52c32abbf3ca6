__global__ void scan(const float* X, float* Y, int len)
{
    extern __shared__ float XY[];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    XY[threadIdx.x] = i < len ? X[i] : 0;

    // reduction phase: the first half, quarter, eighth of the threads work
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index < blockDim.x)
            XY[index] += XY[index - stride];
    }

    // distribution phase
    for (unsigned int stride = blockDim.x / 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < blockDim.x)
            XY[index + stride] += XY[index];
    }

    __syncthreads();
    if (i < len) Y[i] = XY[threadIdx.x];
}

// lanescope: title = Scan 4: reduction and distribution, compact
// lanescope: family = scan
// lanescope: order = 130
// lanescope: summary = The same sums by the first threads of the block: whole warps rest together, and the strides collide in the banks instead.
// lanescope: lecture = Lecture 9: GPU Accelerated Parallel Reduce Scan, Blelloch scan (work efficient), reduction phase with reduced divergence, and distribution phase
// lanescope: words = "Here the threads performing the addition are continuous which leads to minimal divergence."
// lanescope: words = "All threads sync on each iteration: no deadlock. No read/write races: no double buffering required."
// lanescope: words = N - 1 additions go up and N - 1 - log2 N come down: 2 N - 2 - log2 N, where the step-efficient scan takes N log2 N - (N - 1).
// lanescope: look = Passes has the cells and the sums of Scan 3; what differs are the threads in the circles: 0 to 3 in pass 1, 0 and 1 in pass 2, 0 in pass 3.
// lanescope: look = Pass 3 ends with 76, the sum of all. From there pass 4 makes 66, pass 5 makes 26, 52 and 68: 4 + 2 + 1 + 1 + 3 = 11 additions, where Scan 2 needs 17.
// lanescope: look = With Block 256 and N 256, look at Banks where stride = 4, 8 and 16 on the way up: 8 ways each, 16 wavefronts to load, though the additions go 32, 16, 8.
// lanescope: reading = Richard Brent and H. T. Kung, "A Regular Layout for Parallel Adders", IEEE Transactions on Computers C-31(3), 1982
// lanescope: reading = Guy Blelloch, "Prefix Sums and Their Applications", Carnegie Mellon University, CMU-CS-90-190, 1990
// lanescope: reading = David Kirk, Wen-mei Hwu and Izzat El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter 11: Prefix sum (scan), 2022
// lanescope: arg X = input(n)
// lanescope: arg Y = zeros(n)
// lanescope: arg len = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = The strides of both phases are halves and quarters of the block.
// lanescope: shared = block * sizeof(float)
// lanescope: n = 8
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan-by-block
// lanescope: output = Y
// lanescope: elements = X, Y, XY
// lanescope: work = 2 * n - grid * (2 + log2(block))
// lanescope: span = max(log2(block), 2 * log2(block) - 2)
