__global__ void hsh_scan(const float* X, float* Y, int len)
{
    extern __shared__ float XY[];

    int rBuf = 0, wBuf = blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < len)
        XY[wBuf + threadIdx.x] = X[i];

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        __syncthreads();
        wBuf = blockDim.x - wBuf;
        rBuf = blockDim.x - rBuf;
        if (threadIdx.x >= s)
            XY[wBuf + threadIdx.x] = XY[rBuf + threadIdx.x - s] + XY[rBuf + threadIdx.x];
        else
            XY[wBuf + threadIdx.x] = XY[rBuf + threadIdx.x];
    }

    if (i < len) Y[i] = XY[wBuf + threadIdx.x];
}

// lanescope: title = Faulty: a tail that nobody writes
// lanescope: family = faulty
// lanescope: order = 322
// lanescope: summary = Past the end of the input nothing is loaded, and the scan reads those elements all the same; no result depends on them, which is luck.
// lanescope: lecture = Lecture 9: GPU Accelerated Parallel Reduce Scan, Hillis-Steele-Horn, with its own load
// lanescope: words = The lecture loads if (i < len) XY[wBuf + threadIdx.x] = X[i]; and has no else. A scan takes only from the left, so the result is right; a reduction written like this would not be. The sound twin, scan/double-buffered, writes 0.
// lanescope: arg X = input(n)
// lanescope: arg Y = zeros(n)
// lanescope: arg len = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = 2 to 1024
// lanescope: shared = 2 * block * sizeof(float)
// lanescope: n = 5
// lanescope: input = one-to-five
// lanescope: oracle = inclusive-scan-by-block
// lanescope: output = Y
// lanescope: fault = unwritten-read
