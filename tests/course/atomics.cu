// Atomic operations of every kind, and what is built of them.

__global__ void every_operation(int n, int* sums, unsigned* bits, unsigned long long* wide) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&sums[0], i);
    atomicSub(&sums[1], i);
    atomicMin(&sums[2], i - 17);
    atomicMax(&sums[3], 3 * i);
    atomicAnd(&bits[0], ~(1u << (i % 20)));
    atomicOr(&bits[1], 1u << (i % 24));
    atomicXor(&bits[2], i * 2654435761u);
    atomicMin(&bits[3], 4000000000u - i);
    atomicAdd(&wide[0], 10000000000ull + i);
    atomicMax(&wide[1], 1ull << (i % 60));
    atomicOr(&wide[2], 1ull << (i % 64));
    atomicExch(&wide[3], 77ull);
}

__global__ void floating_point(int n, float* f, double* d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(f, 0.5f * i);
    atomicAdd(d, 0.25 * i);
}

// Before compute capability 6.0 there was no atomicAdd for double.
__device__ double add_by_compare_and_swap(double* address, double value) {
    unsigned long long* bits = (unsigned long long*)address;
    unsigned long long old = *(volatile unsigned long long*)bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void double_sum(const double* in, int n, double* sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) add_by_compare_and_swap(sum, in[i]);
}

__device__ float max_by_compare_and_swap(float* address, float value) {
    int old = __float_as_int(*(volatile float*)address);
    while (__int_as_float(old) < value) {
        int assumed = old;
        old = atomicCAS((int*)address, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
    return __int_as_float(old);
}

__global__ void float_maximum(const float* in, int n, float* largest) {
    __shared__ float of_block;
    if (threadIdx.x == 0) of_block = -1e30f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) max_by_compare_and_swap(&of_block, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) max_by_compare_and_swap(largest, of_block);
}

__device__ int locked = 0;
__device__ int total = 0;

// A lock around an ordinary addition. One thread of each block asks for it: its others wait at the barrier.
__global__ void critical_section(int* seen, int* result) {
    __shared__ int before;
    if (threadIdx.x == 0) {
        while (atomicCAS(&locked, 0, 1) != 0) {
        }
        __threadfence();
        before = *(volatile int*)&total;
        *(volatile int*)&total = before + 3;
        __threadfence();
        atomicExch(&locked, 0);
    }
    __syncthreads();
    if (threadIdx.x == 5) seen[blockIdx.x] = before;
    if (threadIdx.x == 0) atomicMax(result, before + 3);
}

// Places in a ring are handed out by atomicInc, which starts over at its bound, and given back by atomicDec.
__global__ void ring(unsigned* head, unsigned* tail, int* visits, int slots, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned place = atomicInc(head, slots - 1);
    atomicAdd(&visits[place], 1);
    atomicDec(tail, slots - 1);
}

// The last block to finish adds up what all blocks left (CUDA's threadFenceReduction sample).
__device__ unsigned finished = 0;

__global__ void last_block_sums(const int* in, int n, volatile int* partial, int* sum) {
    __shared__ int of_block;
    __shared__ bool last;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&of_block, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = of_block;
        __threadfence();
        last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    __threadfence();
    int all = 0;
    for (int block = 0; block < gridDim.x; ++block) all += partial[block];
    *sum = all;
    finished = 0;
}

// A hash table with open addressing: counts of keys.
__global__ void hash_table(const unsigned* in, int n, unsigned* keys, int* counts, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned key = in[i];
    unsigned slot = key * 2654435761u % capacity;
    while (true) {
        unsigned before = atomicCAS(&keys[slot], 0u, key);
        if (before == 0 || before == key) break;
        slot = (slot + 1) % capacity;
    }
    atomicAdd(&counts[slot], 1);
}

// One atomic a warp: the lanes that want a place agree on one that asks for all.
__device__ int take_place(int* counter) {
    unsigned mask = __activemask();
    int leader = __ffs(mask) - 1;
    int lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(mask));
    base = __shfl_sync(mask, base, leader);
    return base + __popc(mask & ((1u << lane) - 1));
}

__global__ void filter_positive(const int* in, int n, int* out, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) out[take_place(count)] = in[i];
}
