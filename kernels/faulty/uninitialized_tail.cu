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
// lanescope: look = In the load, cells 5 to 7 stay empty: there are 5 inputs for 8 threads. In pass 1, threads 5 to 7 read them five times, XY[13] to XY[15], and the mark stands there.
// lanescope: look = Cells 5 to 7 are hatched in all further rows, 5 useful lanes of 8. Of the 12 additions in Counts, 8 are work: the sums 1 3 6 10 15 take in nothing from the right.
// lanescope: look = With N 8 no finding is left. scan/double-buffered with Block 8 and N 5 has none either: its threads 5 to 7 write a 0 first.
// lanescope: reading = Lecture 9: GPU Accelerated Parallel Reduce Scan: Hillis-Steele-Horn (step efficient)
// lanescope: reading = NVIDIA, compute-sanitizer, its documentation: "Initcheck", which looks at global memory alone
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
// lanescope: fault = uninitialized-read
