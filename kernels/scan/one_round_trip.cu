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

// all blocks are on the multiprocessors at once, for each waits for all others
template <typename T, int block, int rows>
__global__ void __launch_bounds__(block, 1024 / block)
scan(const T* in, T* out, unsigned long long* words, unsigned int n)
{
    __shared__ T warpSums[32];
    __shared__ T before;
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const unsigned int size = block * rows * 4;
    unsigned int tiles = (n + size - 1) / size;
    volatile unsigned long long* published = words;
    T prefix = 0;

    for (unsigned int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        // a warp takes rows of 32 times four neighbours; past n there are zeros
        unsigned int begin = tile * size + warp * (rows * 128) + lane * 4;
        Four<T> row[rows];
        for (int k = 0; k < rows; k++) {
            unsigned int i = begin + k * 128;
            if (i + 4 <= n) {
                row[k] = *reinterpret_cast<const Four<T>*>(in + i);
            } else {
                row[k].x = i < n ? in[i] : 0;
                row[k].y = i + 1 < n ? in[i + 1] : 0;
                row[k].z = i + 2 < n ? in[i + 2] : 0;
                row[k].w = 0;
            }
        }

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
