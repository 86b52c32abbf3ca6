__global__ void recurrence(const int* lambda, const int* u, int* v, int n)
{
    extern __shared__ int slope[];
    int* offset = slope + blockDim.x;

    // a step is a line: v becomes (1 - lambda) v + lambda u
    int tid = threadIdx.x;
    slope[tid] = tid < n ? 1 - lambda[tid] : 1;
    offset[tid] = tid < n ? lambda[tid] * u[tid] : 0;

    // the scan's operator is one line after another
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int a = tid >= d ? slope[tid - d] : 1;
        int b = tid >= d ? offset[tid - d] : 0;
        __syncthreads();
        offset[tid] += slope[tid] * b;
        slope[tid] *= a;
    }

    // from v = 0 on
    if (tid < n) v[tid] = offset[tid];
}

// lanescope: title = A recurrence, by scan
// lanescope: family = apply
// lanescope: order = 230
// lanescope: summary = v[n+1] = (1 - lambda[n]) v[n] + lambda[n] u[n] looks sequential; but lines can be put together in any grouping, so a scan solves it.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, scan operation: why is this important?
// lanescope: words = "Related to solving long recurrence equations: v(n+1) = (1 - lambda(n)) v(n) + lambda(n) u(n). A good example that looks impossible to parallelise."
// lanescope: words = The numbers are whole here, so that the result is exact; they wrap around where they grow too large.
// lanescope: arg lambda = input(n) as random 5
// lanescope: arg u = input(n)
// lanescope: arg v = zeros(n)
// lanescope: arg n = n
// lanescope: grid = 1
// lanescope: block = 8
// lanescope: block rule = 2 to 1024
// lanescope: n limit = block
// lanescope: n reason = One block takes as many elements as it has threads.
// lanescope: shared = 2 * block * sizeof(int)
// lanescope: n = 8
// lanescope: input = lecture-scan
// lanescope: oracle = recurrence
// lanescope: output = v
// lanescope: element reason = Its numbers are whole and may wrap around; floats of that size would go to infinity.
