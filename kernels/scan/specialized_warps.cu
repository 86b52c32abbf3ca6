// four neighbours, which one instruction loads or stores
template <typename T>
struct alignas(16) Four {
    T x, y, z, w;
};

// what a tile publishes: the upper half of the word says that the lower half holds a sum
template <typename T>
__device__ unsigned long long word_of(T sum)
{
    return 1ull << 32 | *reinterpret_cast<unsigned int*>(&sum);
}

template <typename T>
__device__ T sum_in(unsigned long long word)
{
    unsigned int bits = (unsigned int)word;
    return *reinterpret_cast<T*>(&bits);
}

template <typename T>
__device__ T sum_of_warp(T sum)
{
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    return sum;
}

// a warp adds the sums of the tiles first to last - 1: it asks for 160 at once, and then again for
// those that were not there yet
template <typename T>
__device__ T sum_of_tiles(volatile unsigned long long* words, unsigned int first, unsigned int last)
{
    const int asked = 5;  // by each lane
    T sum = 0;
    for (first += threadIdx.x % 32; __any_sync(0xffffffff, first < last); first += 32 * asked) {
        unsigned long long word[asked];
        for (int k = 0; k < asked; k++) word[k] = first + k * 32 < last ? 0 : word_of<T>(0);
        bool missing;
        do {
            missing = false;
            for (int k = 0; k < asked; k++)
                if (word[k] == 0) word[k] = words[first + k * 32];
            for (int k = 0; k < asked; k++) missing = missing || word[k] == 0;
        } while (__any_sync(0xffffffff, missing));
        for (int k = 0; k < asked; k++) sum += sum_in<T>(word[k]);
    }
    return sum_of_warp(sum);
}

// an mbarrier in shared memory: a phase is complete after so many arrivals, then the next begins;
// a warp's lanes meet (__syncwarp) before one of them arrives for all
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

// one block a multiprocessor, all at once, for each waits for all others
template <typename T, int block, int rows>
__global__ void __launch_bounds__(block, 1)
scan(const T* in, T* out, unsigned long long* words, unsigned int n)
{
    extern __shared__ int4 memory[];
    Four<T>* ring = reinterpret_cast<Four<T>*>(memory);
    __shared__ Barrier full[most], added[most], known[most], empty[most];
    __shared__ T warpSums[most][block / 128];
    __shared__ T before[most];

    // a quarter of the warps fetches, one adds, one tells and asks, one stores
    const int threads = block / 4, warps = threads / 32;
    const unsigned int size = threads * rows * 4;
    int role = threadIdx.x / threads, tid = threadIdx.x % threads;
    int warp = tid / 32, lane = tid % 32;

    // a slot for each tile of the block, at most six
    unsigned int tiles = (n + size - 1) / size;
    int slots = min(most, (tiles + gridDim.x - 1) / gridDim.x);
    if (threadIdx.x < slots) {
        initialize(&full[threadIdx.x], threads);
        initialize(&added[threadIdx.x], warps);
        initialize(&known[threadIdx.x], 2);
        initialize(&empty[threadIdx.x], warps);
    }
    __syncthreads();

    // the slots of the ring are filled in turn; with each turn the parity of their phases changes
    int slot = 0, parity = 0;
    volatile unsigned long long* published = words;
    T prefix = 0;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        Four<T>* cells = ring + slot * (size / 4) + warp * (rows * 32) + lane;
        unsigned int begin = tile * size + warp * (rows * 128) + lane * 4;

        if (role == 0) {
            wait(&empty[slot], parity ^ 1);
            fetch<T, rows>(cells, in, begin, n);
            arrive_after_copies(&full[slot]);
        }

        if (role == 1) {
            wait(&full[slot], parity);
            T sum = 0;
            for (int k = 0; k < rows; k++) {
                Four<T> four = cells[k * 32];
                sum += four.x + four.y + four.z + four.w;
            }
            sum = sum_of_warp(sum);
            __syncwarp();
            if (lane == 0) {
                warpSums[slot][warp] = sum;
                arrive(&added[slot]);
            }
        }

        // the last of these warps tells the tile's sum to the other blocks
        if (role == 2 && warp == warps - 1) {
            wait(&added[slot], parity);
            T sum = sum_of_warp(lane < warps ? warpSums[slot][lane] : T(0));
            __syncwarp();
            if (lane == 0) {
                published[tile] = word_of(sum);
                arrive(&known[slot]);
            }
        }

        // the first asks for the sums between the block's last tile and this one
        if (role == 2 && warp == 0) {
            unsigned int first = tile < gridDim.x ? 0 : tile - gridDim.x + 1;
            prefix += sum_of_tiles<T>(published, first, tile);
            wait(&added[slot], parity);
            T sum = sum_of_warp(lane < warps ? warpSums[slot][lane] : T(0));
            __syncwarp();
            if (lane == 0) {
                before[slot] = prefix;
                arrive(&known[slot]);
            }
            prefix += sum;
        }

        if (role == 3) {
            // scan each thread's four, then the rows by shuffles, all rows at once
            wait(&full[slot], parity);
            Four<T> row[rows];
            T sums[rows];
            for (int k = 0; k < rows; k++) {
                row[k] = cells[k * 32];
                row[k].y += row[k].x;
                row[k].z += row[k].y;
                row[k].w += row[k].z;
                sums[k] = row[k].w;
            }
            for (int d = 1; d < 32; d *= 2) {
                for (int k = 0; k < rows; k++) {
                    T left = __shfl_up_sync(0xffffffff, sums[k], d);
                    if (lane >= d) sums[k] += left;
                }
            }

            // what precedes the warp's rows
            wait(&known[slot], parity);
            T above = before[slot];
            for (int w = 0; w < warp; w++) above += warpSums[slot][w];
            __syncwarp();
            if (lane == 0) arrive(&empty[slot]);

            for (int k = 0; k < rows; k++) {
                T whole_row = __shfl_sync(0xffffffff, sums[k], 31);
                T left = __shfl_up_sync(0xffffffff, sums[k], 1);
                left = above + (lane > 0 ? left : T(0));
                above += whole_row;
                row[k].x += left;
                row[k].y += left;
                row[k].z += left;
                row[k].w += left;
                store(out, begin + k * 128, n, row[k]);
            }
        }

        if (++slot == slots) {
            slot = 0;
            parity ^= 1;
        }
    }

    // the last word counts the blocks that need no more words; the last such block clears all
    if (role == 2 && warp == 0) {
        unsigned long long count = 0;
        if (lane == 0) count = atomicAdd(&words[tiles], 1);
        if (__shfl_sync(0xffffffff, count, 0) == gridDim.x - 1)
            for (unsigned int i = lane; i <= tiles; i += 32) published[i] = 0;
    }
}
