// four neighbours, which one instruction loads or stores
template <typename T>
struct alignas(16) Four {
    T x, y, z, w;
};

// an mbarrier in shared memory: a phase is complete after so many arrivals, then the next begins
typedef unsigned long long Barrier;

__device__ unsigned int shared_address(const void* p)
{
    return (unsigned int)__cvta_generic_to_shared(p);
}

__device__ void initialize(Barrier* barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

__device__ void arrive(Barrier* barrier)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }"
                 :: "r"(shared_address(barrier)) : "memory");
}

// arrives as soon as all copies are complete that the thread has begun
__device__ void arrive_after_copies(Barrier* barrier)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
                 :: "r"(shared_address(barrier)) : "memory");
}

// waits until the phase of that parity is complete; the first phase has parity 0
__device__ void wait(Barrier* barrier, int parity)
{
    int complete = 0;
    while (!complete)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2;"
                     "  selp.s32 %0, 1, 0, p; }"
                     : "=r"(complete) : "r"(shared_address(barrier)), "r"(parity) : "memory");
}

// begins a copy to shared memory, which goes on while the thread does: of four neighbours
__device__ void copy_four(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :: "r"(shared_address(to)), "l"(from) : "memory");
}

// of one element, or instead a zero
__device__ void copy_one(void* to, const void* from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :: "r"(shared_address(to)), "l"(from), "r"(exists ? 4 : 0) : "memory");
}

// what a thread copies of a tile: `rows` times four neighbours, zeros past n
template <typename T, int rows>
__device__ void fetch(Four<T>* cells, const T* in, unsigned int begin, unsigned int n)
{
    for (int k = 0; k < rows; k++) {
        unsigned int i = begin + k * 128;
        T* to = reinterpret_cast<T*>(&cells[k * 32]);
        if (i + 4 <= n) {
            copy_four(to, in + i);
        } else {
            for (int j = 0; j < 4; j++)
                copy_one(to + j, i + j < n ? in + i + j : in, i + j < n);
        }
    }
}

// four neighbours to global memory, none past n
template <typename T>
__device__ void store(T* out, unsigned int i, unsigned int n, Four<T> four)
{
    if (i + 4 <= n) {
        *reinterpret_cast<Four<T>*>(out + i) = four;
    } else {
        if (i < n) out[i] = four.x;
        if (i + 1 < n) out[i + 1] = four.y;
        if (i + 2 < n) out[i + 2] = four.z;
    }
}

const int most = 6;  // slots of the ring

template <typename T, int block, int rows>
__global__ void __launch_bounds__(block, 1)
copy(const T* in, T* out, unsigned int n)
{
    extern __shared__ int4 memory[];
    Four<T>* ring = reinterpret_cast<Four<T>*>(memory);
    __shared__ Barrier full[most], empty[most];

    // a quarter of the warps fetches and a quarter stores; the other two have nothing to do yet
    const int threads = block / 4, warps = threads / 32;
    const unsigned int size = threads * rows * 4;
    int role = threadIdx.x / threads, tid = threadIdx.x % threads;
    int warp = tid / 32, lane = tid % 32;

    // a slot for each tile of the block, at most six
    unsigned int tiles = (n + size - 1) / size;
    int slots = min(most, (tiles + gridDim.x - 1) / gridDim.x);
    if (threadIdx.x < slots) {
        initialize(&full[threadIdx.x], threads);
        initialize(&empty[threadIdx.x], warps);
    }
    __syncthreads();

    // the slots of the ring are filled in turn; with each turn the parity of their phases changes
    int slot = 0, parity = 0;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        Four<T>* cells = ring + slot * (size / 4) + warp * (rows * 32) + lane;
        unsigned int begin = tile * size + warp * (rows * 128) + lane * 4;
        if (role == 0) {
            wait(&empty[slot], parity ^ 1);
            fetch<T, rows>(cells, in, begin, n);
            arrive_after_copies(&full[slot]);
        }
        if (role == 3) {
            wait(&full[slot], parity);
            for (int k = 0; k < rows; k++) store(out, begin + k * 128, n, cells[k * 32]);
            __syncwarp();
            if (lane == 0) arrive(&empty[slot]);
        }
        if (++slot == slots) {
            slot = 0;
            parity ^= 1;
        }
    }
}
