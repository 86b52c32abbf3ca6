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

// A radix sort of one bit at a time in one block: zeros first, in order, by a scan of the zeros.
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

// One digit of a radix sort over the grid, in three launches: how often each digit occurs in each block, digit by
// digit; where each of those begins; and the keys there, in order. A block's own order is found by splits: stable
// partitions by one bit of the digit after another, each by a scan.
constexpr int digit_bits = 4, digits = 1 << digit_bits;

__device__ int digit_of(unsigned key, int shift) { return key >> shift & (digits - 1); }

__global__ void count_digits(const unsigned* keys, int* counts, int shift, int n) {
    __shared__ int own[digits];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < digits) own[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&own[digit_of(keys[i], shift)], 1);
    __syncthreads();
    if (threadIdx.x < digits) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

// One warp, exclusive.
__global__ void scan_counts(int* counts, int n) {
    int before = 0;
    for (int first = 0; first < n; first += 32) {
        int i = first + threadIdx.x;
        int own = i < n ? counts[i] : 0, sum = own;
        for (int offset = 1; offset < 32; offset *= 2) {
            int left = __shfl_up_sync(0xffffffff, sum, offset);
            if (threadIdx.x >= offset) sum += left;
        }
        if (i < n) counts[i] = before + sum - own;
        before += __shfl_sync(0xffffffff, sum, 31);
    }
}

__device__ int ones_before(bool one, int* scan) {
    int t = threadIdx.x;
    scan[t] = one;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int left = t >= offset ? scan[t - offset] : 0;
        __syncthreads();
        scan[t] += left;
        __syncthreads();
    }
    return scan[t] - one;
}

__global__ void scatter_by_digit(const unsigned* in, unsigned* out, const int* begins, int shift, int n) {
    extern __shared__ unsigned keys[];
    __shared__ int scan[128], first_of[digits];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int here = min(int(blockDim.x), n - int(blockIdx.x * blockDim.x));
    if (t < here) keys[t] = in[i];
    for (int bit = 0; bit < digit_bits; ++bit) {
        __syncthreads();
        unsigned key = t < here ? keys[t] : 0;
        bool one = t < here && (key >> (shift + bit) & 1);
        int ones = ones_before(one, scan);
        int zeros = here - scan[blockDim.x - 1];
        __syncthreads();
        if (t < here) keys[one ? zeros + ones : t - ones] = key;
    }
    __syncthreads();
    if (t < here && (t == 0 || digit_of(keys[t], shift) != digit_of(keys[t - 1], shift))) {
        first_of[digit_of(keys[t], shift)] = t;
    }
    __syncthreads();
    if (t >= here) return;
    int digit = digit_of(keys[t], shift);
    out[begins[digit * gridDim.x + blockIdx.x] + t - first_of[digit]] = keys[t];
}
