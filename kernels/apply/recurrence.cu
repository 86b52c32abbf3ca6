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
// lanescope: look = The first 8 columns of Passes are the slopes, the other 8 the offsets: a line each. The slope of element 1 is 0, so what comes before is forgotten there: after pass 3 all slopes but the first are 0.
// lanescope: look = In pass 3 (d = 4) the slopes are hatched: they are computed once more and nobody reads them. Counts has 16 ops there and a work of 12.
// lanescope: look = Three passes for 8 elements: the span is 7, and each doubling of n adds one pass. As compiled it is 4, since a product and a sum become one instruction.
// lanescope: reading = Peter M. Kogge and Harold S. Stone, A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence Equations, IEEE Transactions on Computers C-22(8), 1973
// lanescope: reading = Guy E. Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190, 1990: Recurrence Equations
// lanescope: reading = Eric Martin and Chris Cundy, Parallelizing Linear Recurrent Neural Nets Over Sequence Length, ICLR, 2018
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
