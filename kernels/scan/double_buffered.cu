__global__ void scan(const float* X, float* Y, int len)
{
    extern __shared__ float XY[];

    int rBuf = 0, wBuf = blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    XY[wBuf + threadIdx.x] = i < len ? X[i] : 0;

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

// lanescope: title = Scan 1: double buffered
// lanescope: family = scan
// lanescope: order = 100
// lanescope: summary = Every element adds the one s places to its left, from one half of the array into the other, and the halves change places.
// lanescope: lecture = Lecture 9: GPU Accelerated Parallel Reduce Scan, Hillis-Steele-Horn (step efficient); Dong Li and Tonghua Su, Lec 6 Reduction and Scan, local scan: version 1
// lanescope: words = "In each iteration, all except the stride number of threads is doing an addition." Cost = N log2(N) - (N - 1): 9217 additions for N = 1024, where the sequential scan needs 1023.
// lanescope: words = "Our step efficient algorithm is less efficient than the naive scan seen earlier. However, at higher values of N we see a marked improvement in performance."
// lanescope: words = "After n passes, each sum has local plus preceding 2^(n-1) values. log2 N passes, and O(N) operations per pass."
// lanescope: words = The lecture prints int rBuf = 0; wBuf = BLOCK_SIZE; with a semicolon where a comma belongs, and once each BlOCK_SIZE and BLOCK_SUZE. It leaves the elements past len uninitialized in shared memory and then reads them; here they are 0. Its sequential scan reads y[i] = y[i+1] + x[i], where y[i-1] is meant.
// lanescope: words = The lecture fixes BLOCK_SIZE at 1024; here the launch sizes the array at two elements a thread, so that every block size works.
// lanescope: look = Step with Shift + Right: the additions in Passes go 15, 14, 12, 8. The first s lanes of a pass only carry their value over, dotted.
// lanescope: look = Passes folds the two halves of XY into one row; Memory shows them apart: pass 2 reads XY[0] to XY[15] and fills XY[16] to XY[31], pass 3 goes back.
// lanescope: look = Click 152, the last cell of pass 4: 8, 4, 2 and 1 additions of the four passes lie behind it, 15 of the 49. All the others serve its neighbours.
// lanescope: reading = Daniel Hillis and Guy Steele, "Data Parallel Algorithms", Communications of the ACM 29(12), 1986
// lanescope: reading = Mark Harris, Shubhabrata Sengupta and John D. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39, 2007, "A Naive Parallel Scan"
// lanescope: reading = David Kirk, Wen-mei Hwu and Izzat El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter 11: Prefix sum (scan), 2022
// lanescope: arg X = input(n)
// lanescope: arg Y = zeros(n)
// lanescope: arg len = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = 2 to 1024
// lanescope: shared = 2 * block * sizeof(float)
// lanescope: n = 16
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan-by-block
// lanescope: output = Y
// lanescope: elements = X, Y, XY
// lanescope: work = n * log2(block) - grid * (block - 1)
// lanescope: span = log2(block)
