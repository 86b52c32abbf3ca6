// Prefix sums in other styles than the lectures', and what is made with them.

__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    for (int offset = 1; offset < 32; offset *= 2) {
        int other = __shfl_up_sync(0xffffffff, value, offset);
        if (lane >= offset) value += other;
    }
    return value;
}

// Inclusive, over the block: warps scan, the first warp scans their sums.
__device__ int block_scan(int value) {
    __shared__ int sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warp_scan(value);
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
        sums[lane] = warp_scan(sum);
    }
    __syncthreads();
    if (warp > 0) value += sums[warp - 1];
    __syncthreads();
    return value;
}

// Three launches: blocks, their sums, and the sums added.
__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = block_scan(i < n ? in[i] : 0);
    if (i < n) out[i] = value;
    if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = value;
}
__global__ void scan_sums(int* sums, int blocks) {
    int value = block_scan(threadIdx.x < blocks ? sums[threadIdx.x] : 0);
    if (threadIdx.x < blocks) sums[threadIdx.x] = value;
}
__global__ void add_sums(int* out, const int* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

// Single pass with decoupled look-back (Merrill and Garland): each block publishes its sum, then looks back over those
// before it until one has published its prefix. Blocks number themselves in the order in which they start.
__device__ unsigned next_part = 0;

__global__ void look_back_scan(const int* in, int* out, volatile int* states, volatile int* aggregates,
                               volatile int* prefixes, int n) {
    __shared__ unsigned part;
    __shared__ int before;
    if (threadIdx.x == 0) part = atomicAdd(&next_part, 1);
    __syncthreads();
    int i = part * blockDim.x + threadIdx.x;
    int value = block_scan(i < n ? in[i] : 0);
    if (threadIdx.x == blockDim.x - 1) {
        aggregates[part] = value;
        __threadfence();
        states[part] = 1;
        int sum = 0;
        for (int other = int(part) - 1; other >= 0;) {
            int state = states[other];
            if (state == 0) continue;
            __threadfence();
            sum += state == 1 ? aggregates[other] : prefixes[other];
            if (state == 2) break;
            --other;
        }
        prefixes[part] = sum + value;
        __threadfence();
        states[part] = 2;
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = before + value;
}

// Chained: each block waits for its neighbor's prefix.
__global__ void chained_scan(const int* in, int* out, volatile int* flags, volatile int* prefixes, int n) {
    __shared__ int before;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = block_scan(i < n ? in[i] : 0);
    if (threadIdx.x == blockDim.x - 1) {
        int sum = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0) {
            }
            __threadfence();
            sum = prefixes[blockIdx.x - 1];
        }
        prefixes[blockIdx.x] = sum + value;
        __threadfence();
        flags[blockIdx.x] = 1;
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = before + value;
}

// Sums that start over where a flag is set; the operator works on pairs.
__global__ void segmented_scan(const int* in, const int* flags, int* out, int n) {
    __shared__ int values[128], starts[128];
    int i = threadIdx.x;
    values[i] = i < n ? in[i] : 0;
    starts[i] = i < n ? flags[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int value = values[i], start = starts[i];
        if (i >= offset) {
            if (!start) value += values[i - offset];
            start |= starts[i - offset];
        }
        __syncthreads();
        values[i] = value;
        starts[i] = start;
        __syncthreads();
    }
    if (i < n) out[i] = values[i];
}

__global__ void running_maximum(const double* in, double* out, int n) {
    __shared__ double s[2][128];
    int i = threadIdx.x, now = 0;
    s[0][i] = i < n ? in[i] : -1e300;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        s[1 - now][i] = i >= offset ? fmax(s[now][i], s[now][i - offset]) : s[now][i];
        now = 1 - now;
        __syncthreads();
    }
    if (i < n) out[i] = s[now][i];
}

// Keeps what is positive, in order.
__global__ void compact(const int* in, int* out, int* count, int n) {
    int i = threadIdx.x;
    int keep = i < n && in[i] > 0;
    int place = block_scan(keep);
    if (keep) out[place - 1] = in[i];
    if (i == blockDim.x - 1) *count = place;
}

// The same without order, a ballot a warp.
__global__ void compact_by_ballot(const int* in, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > 0;
    unsigned ballot = __ballot_sync(0xffffffff, keep);
    int lane = threadIdx.x % 32, base = 0;
    if (lane == 0 && ballot != 0) base = atomicAdd(count, __popc(ballot));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep) out[base + __popc(ballot & ((1u << lane) - 1))] = in[i];
}

// aaabbc -> (a, 3) (b, 2) (c, 1)
__global__ void run_length_encode(const char* in, char* letters, int* lengths, int* runs, int n) {
    __shared__ int firsts[257];
    int i = threadIdx.x;
    int head = i < n && (i == 0 || in[i] != in[i - 1]);
    int run = block_scan(head);
    if (head) {
        letters[run - 1] = in[i];
        firsts[run - 1] = i;
    }
    if (i == n - 1) {
        *runs = run;
        firsts[run] = n;
    }
    __syncthreads();
    if (head) lengths[run - 1] = firsts[run] - firsts[run - 1];
}
