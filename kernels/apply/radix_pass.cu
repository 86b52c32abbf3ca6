const int digits = 4;

__device__ int digit_of(int value, int shift)
{
    return value >> shift & (digits - 1);
}

// how often does a block have each digit? The counts of one digit stand side by side
__global__ void count_digits(const int* in, int* counts, int n, int shift)
{
    extern __shared__ int temp[];
    for (int d = threadIdx.x; d < digits; d += blockDim.x) temp[d] = 0;
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&temp[digit_of(in[i], shift)], 1);
    __syncthreads();

    for (int d = threadIdx.x; d < digits; d += blockDim.x)
        counts[d * gridDim.x + blockIdx.x] = temp[d];
}

// one block: each count becomes the sum of those before it
__global__ void scan_counts(int* counts, int size)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int before = 0;
    for (int first = 0; first < size; first += blockDim.x) {
        int i = first + tid;
        int own = i < size ? counts[i] : 0;
        temp[tid] = own;
        for (int d = 1; d < blockDim.x; d <<= 1) {
            __syncthreads();
            int left = tid >= d ? temp[tid - d] : 0;
            __syncthreads();
            temp[tid] += left;
        }
        __syncthreads();
        if (i < size) counts[i] = before + temp[tid] - own;
        before += temp[blockDim.x - 1];
        __syncthreads();
    }
}

__global__ void scatter(const int* in, int* out, const int* starts, int n, int shift)
{
    // a row of flags for each digit: which elements have it?
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    int value = i < n ? in[i] : 0;
    int digit = digit_of(value, shift);
    for (int k = 0; k < digits; k++)
        temp[k * blockDim.x + tid] = i < n && k == digit;

    // a scan of all rows at once counts, for each digit, the elements up to each one
    for (int d = 1; d < blockDim.x; d <<= 1) {
        int left[digits];
        __syncthreads();
        for (int k = 0; k < digits; k++)
            left[k] = tid >= d ? temp[k * blockDim.x + tid - d] : 0;
        __syncthreads();
        for (int k = 0; k < digits; k++)
            temp[k * blockDim.x + tid] += left[k];
    }

    if (i < n) {
        int start = starts[digit * gridDim.x + blockIdx.x];
        out[start + temp[digit * blockDim.x + tid] - 1] = value;
    }
}

void radix_pass(const int* in, int* out, int n, int shift, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = digits * block * sizeof(int);  // enough for each launch
    int* counts;
    cudaMalloc(&counts, digits * blocks * sizeof(int));

    count_digits<<<blocks, block, shared>>>(in, counts, n, shift);
    scan_counts<<<1, block, shared>>>(counts, digits * blocks);
    scatter<<<blocks, block, shared>>>(in, out, counts, n, shift);

    cudaFree(counts);
}
