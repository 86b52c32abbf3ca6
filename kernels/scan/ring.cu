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

// begins a copy to shared memory, which goes on while the thread does: of four neighbours
__device__ void copy_four(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :: "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

// of one element, or instead a zero
__device__ void copy_one(void* to, const void* from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::
        "r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from), "r"(exists ? 4 : 0) : "memory");
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

// the copies that a thread began since the last call are a group
__device__ void end_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// waits until all groups but the last `others` are complete
template <int others>
__device__ void wait_for_groups()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(others) : "memory");
}

// one block a multiprocessor, all at once, for each waits for all others
template <typename T, int block, int rows, int stages>
__global__ void __launch_bounds__(block, 1)
scan(const T* in, T* out, unsigned long long* words, unsigned int n)
{
    extern __shared__ int4 memory[];
    Four<T>* ring = reinterpret_cast<Four<T>*>(memory);
    __shared__ T warpSums[32];
    __shared__ T before;
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const unsigned int size = block * rows * 4;
    unsigned int tiles = (n + size - 1) / size;
    volatile unsigned long long* published = words;
    T prefix = 0;

    // a warp takes rows of 32 times four neighbours; the first tiles are on their way
    unsigned int begin = blockIdx.x * size + warp * (rows * 128) + lane * 4;
    Four<T>* cells = ring + warp * (rows * 32) + lane;
    for (int s = 0; s < stages - 1; s++) {
        fetch<T, rows>(cells + s * (size / 4), in, begin + s * gridDim.x * size, n);
        end_group();
    }

    int slot = 0, next = stages - 1;
    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        // a thread reads only what it has copied itself, so no barrier is needed
        fetch<T, rows>(cells + next * (size / 4), in, begin + (stages - 1) * gridDim.x * size, n);
        end_group();
        wait_for_groups<stages - 1>();
        Four<T> row[rows];
        for (int k = 0; k < rows; k++) row[k] = cells[slot * (size / 4) + k * 32];
        next = slot;
        slot = slot + 1 < stages ? slot + 1 : 0;

        // scan each thread's four, then the rows by shuffles, all rows at once
        T sums[rows];
        for (int k = 0; k < rows; k++) {
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

        // the sum before a thread's four: of the rows above and of the lanes to the left
        T above = 0;
        for (int k = 0; k < rows; k++) {
            T whole_row = __shfl_sync(0xffffffff, sums[k], 31);
            T left = __shfl_up_sync(0xffffffff, sums[k], 1);
            sums[k] = above + (lane > 0 ? left : T(0));
            above += whole_row;
        }
        if (lane == 0) warpSums[warp] = above;
        __syncthreads();

        // the first warp publishes the tile's sum, and asks for those between the block's last tile
        // and this one
        if (warp == 0) {
            T sum = sum_of_warp(lane < block / 32 ? warpSums[lane] : T(0));
            if (lane == 0) published[tile] = word_of(sum);
            unsigned int first = tile < gridDim.x ? 0 : tile - gridDim.x + 1;
            prefix += sum_of_tiles<T>(published, first, tile);
            if (lane == 0) before = prefix;
            prefix += sum;
        }
        T offset = 0;
        for (int w = 0; w < block / 32; w++) offset += w < warp ? warpSums[w] : T(0);
        __syncthreads();
        offset += before;

        for (int k = 0; k < rows; k++) {
            unsigned int i = begin + k * 128;
            T left = offset + sums[k];
            row[k].x += left;
            row[k].y += left;
            row[k].z += left;
            row[k].w += left;
            if (i + 4 <= n) {
                *reinterpret_cast<Four<T>*>(out + i) = row[k];
            } else {
                if (i < n) out[i] = row[k].x;
                if (i + 1 < n) out[i + 1] = row[k].y;
                if (i + 2 < n) out[i + 2] = row[k].z;
            }
        }
        begin += gridDim.x * size;
        __syncthreads();
    }

    // the last word counts the blocks that need no more words; the last such block clears all
    if (warp == 0) {
        unsigned long long count = 0;
        if (lane == 0) count = atomicAdd(&words[tiles], 1);
        if (__shfl_sync(0xffffffff, count, 0) == gridDim.x - 1)
            for (unsigned int i = lane; i <= tiles; i += 32) published[i] = 0;
    }
}
