// four neighbours, which one instruction loads or stores
template <typename T>
struct alignas(16) Four {
    T x, y, z, w;
};

// what a tile publishes: status and value in one word, so a reader sees both or neither
const unsigned int has_sum = 1;     // the value is the sum of the tile
const unsigned int has_prefix = 2;  // the value is the sum of it and all tiles before

template <typename T>
__device__ unsigned long long say(unsigned int status, T value)
{
    return (unsigned long long)status << 32 | *reinterpret_cast<unsigned int*>(&value);
}

template <typename T>
__device__ T value_of(unsigned long long word)
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

// one warp walks back over the tiles before, 32 at a time, until one knows its prefix
template <typename T>
__device__ T look_back(volatile unsigned long long* states, int tile)
{
    int lane = threadIdx.x % 32;
    T sum = 0;
    for (int at = tile - 1 - lane; ; at -= 32) {
        unsigned long long word;
        do {
            word = at >= 0 ? states[at] : say<T>(has_prefix, 0);
        } while (__any_sync(0xffffffff, word >> 32 == 0));

        // the nearest tile with a prefix stands for all tiles before it
        unsigned int found = __ballot_sync(0xffffffff, word >> 32 == has_prefix);
        int nearest = found ? __ffs(found) - 1 : 31;
        if (lane <= nearest) sum += value_of<T>(word);
        if (found) return sum_of_warp(sum);
    }
}

template <typename T, int block, int rows>
__global__ void __launch_bounds__(block, 1024 / block)
scan(const T* in, T* out, unsigned long long* states, unsigned int* counters, unsigned int n)
{
    __shared__ int ticket;
    __shared__ T warpSums[32];
    __shared__ T before;
    __shared__ bool last;
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;

    // tiles are taken in the order in which blocks start: a block waits only for started ones
    if (tid == 0) ticket = atomicAdd(&counters[0], 1);
    __syncthreads();
    int tile = ticket;

    // a warp takes rows of 32 times four neighbours; past n there are zeros
    unsigned int begin = tile * (block * rows * 4) + warp * (rows * 128) + lane * 4;
    bool whole = n - tile * (block * rows * 4) >= block * rows * 4;
    Four<T> row[rows];
    for (int k = 0; k < rows; k++) {
        unsigned int i = begin + k * 128;
        if (whole) {
            int4 bits = __ldcs(reinterpret_cast<const int4*>(in + i));  // read once: do not cache
            row[k] = *reinterpret_cast<Four<T>*>(&bits);
        } else {
            row[k].x = i < n ? in[i] : 0;
            row[k].y = i + 1 < n ? in[i + 1] : 0;
            row[k].z = i + 2 < n ? in[i + 2] : 0;
            row[k].w = i + 3 < n ? in[i + 3] : 0;
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

    // the first warp publishes the tile's sum at once, and its prefix as soon as it knows it
    if (warp == 0) {
        T sum = sum_of_warp(lane < block / 32 ? warpSums[lane] : T(0));
        volatile unsigned long long* mine = &states[tile];
        T prefix = 0;
        if (tile > 0) {
            if (lane == 0) *mine = say(has_sum, sum);
            prefix = look_back<T>(states, tile);
        }
        if (lane == 0) {
            *mine = say(has_prefix, prefix + sum);
            before = prefix;
        }
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
        if (whole) {
            __stcs(reinterpret_cast<int4*>(out + i), *reinterpret_cast<int4*>(&row[k]));
        } else {
            if (i < n) out[i] = row[k].x;
            if (i + 1 < n) out[i + 1] = row[k].y;
            if (i + 2 < n) out[i + 2] = row[k].z;
            if (i + 3 < n) out[i + 3] = row[k].w;
        }
    }

    // the last block to finish resets the counters for the next launch; no fence is needed, because
    // no block reads the results of another
    if (tid == 0) last = atomicInc(&counters[1], gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        volatile unsigned long long* all = states;
        for (unsigned int i = tid; i < gridDim.x; i += block) all[i] = 0;
        if (tid == 0) atomicExch(&counters[0], 0);
    }
}
