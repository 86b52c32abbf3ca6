// Sorting: in one block, where a whole lesson fits, and over the grid.

// One block of n threads; n is a power of two.
__global__ void bitonic_sort(int* x, int n) {
    extern __shared__ int s[];
    int i = threadIdx.x;
    s[i] = x[i];
    __syncthreads();
    for (int size = 2; size <= n; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int partner = i ^ stride;
            if (partner > i) {
                bool ascending = (i & size) == 0;
                if ((s[i] > s[partner]) == ascending) {
                    int t = s[i];
                    s[i] = s[partner];
                    s[partner] = t;
                }
            }
            __syncthreads();
        }
    }
    x[i] = s[i];
}

__global__ void odd_even_sort(int* x, int n) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
    __syncthreads();
    for (int round = 0; round < n; ++round) {
        for (int i = 2 * threadIdx.x + round % 2; i + 1 < n; i += 2 * blockDim.x) {
            int a = s[i], b = s[i + 1];
            s[i] = min(a, b);
            s[i + 1] = max(a, b);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = s[i];
}

// How many are smaller is the place.
__global__ void rank_sort(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int rank = 0;
    for (int j = 0; j < n; ++j) rank += in[j] < in[i] || (in[j] == in[i] && j < i);
    out[rank] = in[i];
}

// Keys of 0 to 15: histogram, exclusive scan, scatter in order.
__global__ void counting_sort(const unsigned char* in, unsigned char* out, int n) {
    __shared__ int counts[16], firsts[16];
    if (threadIdx.x < 16) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&counts[in[i]], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int key = 0; key < 16; ++key) {
            firsts[key] = sum;
            sum += counts[key];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[atomicAdd(&firsts[in[i]], 1)] = in[i];
}

__device__ int lower_bound(const int* x, int count, int value) {
    int first = 0;
    while (count > 0) {
        int half = count / 2;
        if (x[first + half] < value) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}
__device__ int upper_bound(const int* x, int count, int value) {
    int first = 0;
    while (count > 0) {
        int half = count / 2;
        if (x[first + half] <= value) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

// One round of a merge sort: sorted runs of `length` become runs of twice that; each element searches its place.
__global__ void merge_round(const int* in, int* out, int length, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int first = i / (2 * length) * 2 * length;
    int middle = min(first + length, n), last = min(first + 2 * length, n);
    int place = i < middle ? i - first + lower_bound(in + middle, last - middle, in[i])
                           : i - middle + upper_bound(in + first, middle - first, in[i]);
    out[first + place] = in[i];
}

// One bit of a radix sort in one block: zeros first, in order, by a scan of the zeros.
__global__ void radix_sort(unsigned* x, int n) {
    extern __shared__ unsigned keys[];
    __shared__ int zeros_before[1025];
    int i = threadIdx.x;
    if (i < n) keys[i] = x[i];
    for (int bit = 0; bit < 32; ++bit) {
        __syncthreads();
        unsigned key = i < n ? keys[i] : 0;
        int zero = i < n && (key >> bit & 1) == 0;
        zeros_before[i + 1] = zero;
        if (i == 0) zeros_before[0] = 0;
        __syncthreads();
        for (int offset = 1; offset < blockDim.x; offset *= 2) {
            int other = i + 1 > offset ? zeros_before[i + 1 - offset] : 0;
            __syncthreads();
            zeros_before[i + 1] += other;
            __syncthreads();
        }
        int zeros = zeros_before[blockDim.x];
        int before = zeros_before[i];
        if (i < n) keys[zero ? before : zeros + i - before] = key;
    }
    __syncthreads();
    if (i < n) x[i] = keys[i];
}
