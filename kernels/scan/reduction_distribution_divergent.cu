__global__ void scan(const float* X, float* Y, int len)
{
    extern __shared__ float XY[];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    XY[threadIdx.x] = i < len ? X[i] : 0;

    // reduction phase: every second, fourth, eighth thread works
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if ((threadIdx.x + 1) % (2 * stride) == 0)
            XY[threadIdx.x] += XY[threadIdx.x - stride];
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

// lanescope: title = Scan 3: reduction and distribution, divergent
// lanescope: family = scan
// lanescope: order = 120
// lanescope: summary = A tree of sums upwards, and its partial sums handed on downwards: work efficient, but the upward threads lie scattered.
// lanescope: lecture = Lecture 9: GPU Accelerated Parallel Reduce Scan, Blelloch scan (work efficient), reduction phase
// lanescope: words = "All threads sync each iteration: no deadlock. No read or write races: no double buffering required, i.e. no thread writes to a location that another thread reads from within the same iteration."
// lanescope: words = "However, this approach leads to a lot of divergence with different non-continuous threads performing the addition on each iteration."
// lanescope: words = The lecture fixes BLOCK_SIZE at 1024; here the launch sizes the array. It leaves the elements past len uninitialized and then reads them; here they are 0.
// lanescope: look = Read the threads in the circles: 1, 3, 5, 7 add in pass 1, 3 and 7 in pass 2, 7 in pass 3. On the way down they are 0 in pass 4, and 0 to 2 in pass 5.
// lanescope: look = With Block 256 and N 256, look at Warps: up to stride = 16, each of the 8 warps has a lane that adds, and the efficiency in Counts falls from 74 to 51 %. Scan 4 stays above 93 % there.
// lanescope: look = In the same launch, Banks has no conflict on the way up, but up to 8 ways on the way down: adjacent threads now add elements that lie far apart.
// lanescope: reading = Guy Blelloch, "Prefix Sums and Their Applications", Carnegie Mellon University, CMU-CS-90-190, 1990
// lanescope: reading = Richard Brent and H. T. Kung, "A Regular Layout for Parallel Adders", IEEE Transactions on Computers C-31(3), 1982
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
