__global__ void scan(const int* in, int* out, int n)
{
    __shared__ int warpSums[32];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int sum = i < n ? in[i] : 0;

    // each warp scans its registers: a lane adds the value of the lane `offset` below it, if there is one
    for (int offset = 1; offset < 32; offset *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane >= offset) sum += below;
    }

    // the first warp scans what the warps have
    if (lane == 31) warpSums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int total = lane < blockDim.x / 32 ? warpSums[lane] : 0;
        for (int offset = 1; offset < 32; offset *= 2) {
            int below = __shfl_up_sync(0xffffffff, total, offset);
            if (lane >= offset) total += below;
        }
        warpSums[lane] = total;
    }
    __syncthreads();

    // every warp adds the sum of those before it
    if (warp > 0) sum += warpSums[warp - 1];
    if (i < n) out[i] = sum;
}

// lanescope: title = Scan 7: warp shuffles
// lanescope: family = scan
// lanescope: order = 160
// lanescope: summary = The step-efficient scan inside a warp, where its steps cost one shuffle each and no barrier; then a scan of the warps' sums.
// lanescope: lecture = The shuffles of GPU Programming - Reduce (moderngpu), going up; the steps are those of Lecture 9, Hillis-Steele-Horn
// lanescope: words = "With the understanding of reduction, it would be much easier to get through our next primitive: prefix-sum (scan)."
// lanescope: words = A warp of 32 takes 129 additions, 32 * 5 - 31.
// lanescope: look = The row of Passes is one of lanes, that is of registers: from up 1 to up 16 there add 31, 30, 28, 24 and 16 of them, and the first barrier comes only after that.
// lanescope: look = warpSums, right of the lanes, is all the shared memory: 1 wavefront to load and 2 to store in Counts. Scan 1 comes to 13 and 9 for half as many elements.
// lanescope: look = Here the second scan is hatched, for there is but one warp. With Block 64 and N 64 a value of it counts: warpSums[0], which all lanes of the second warp add in pass 12.
// lanescope: reading = Yuan Lin and Vinod Grover, "Using CUDA Warp-Level Primitives", NVIDIA Developer Blog, 2018
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "Warp Shuffle Functions"
// lanescope: reading = Peter Kogge and Harold Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations", IEEE Transactions on Computers C-22(8), 1973
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg n = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 32
// lanescope: block rule = multiple of 32, 32 to 1024
// lanescope: block reason = The shuffles name all 32 lanes of a warp, so every warp has to be whole.
// lanescope: n = 32
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan-by-block
// lanescope: output = out
// lanescope: elements = in, out, warpSums, sum, below, total
