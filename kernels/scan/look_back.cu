// four neighbours, which one instruction loads or stores
template <typename T>
struct alignas(16) Four {
    T x, y, z, w;
};

// what a tile says of itself, status and value in one word: who sees the one sees the other
const unsigned int has_sum = 1;     // the value is the sum of the tile
const unsigned int has_prefix = 2;  // the value is the sum of it and of all tiles before

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

        // of the nearest tile with a prefix and of those behind it, all is known
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

    // tiles are taken in the order in which blocks start: whom a block waits for has started
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
            int4 bits = __ldcs(reinterpret_cast<const int4*>(in + i));  // read once: no cache need keep it
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

    // what stands before a thread's four: the rows above, and the lanes to the left
    T above = 0;
    for (int k = 0; k < rows; k++) {
        T whole_row = __shfl_sync(0xffffffff, sums[k], 31);
        T left = __shfl_up_sync(0xffffffff, sums[k], 1);
        sums[k] = above + (lane > 0 ? left : T(0));
        above += whole_row;
    }
    if (lane == 0) warpSums[warp] = above;
    __syncthreads();

    // the first warp tells the tile's sum at once, and its prefix when it knows it
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

    // the block that is done last leaves everything as it was, for the next launch; a fence would hold each block up until its
    // results are written, and nobody asks for them here
    if (tid == 0) last = atomicInc(&counters[1], gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        volatile unsigned long long* all = states;
        for (unsigned int i = tid; i < gridDim.x; i += block) all[i] = 0;
        if (tid == 0) atomicExch(&counters[0], 0);
    }
}

// lanescope: title = Scan of many blocks: look back while you wait
// lanescope: family = scan
// lanescope: order = 195
// lanescope: summary = One launch, each element read once and written once: a block tells its own sum before it knows what stands before it, and a warp of the next block adds up 32 such sums at a time.
// lanescope: lecture = What the lecture's chain of blocks leads to: Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA 2016
// lanescope: words = In the chain (scan/chained-blocks) each block waits until the one before it has finished. Here it waits only for sums, which every block knows as soon as it has read its own elements; where a block before it already knows its prefix, the walk back ends.
// lanescope: words = A word of 64 bits holds the status and the value, so that no fence is needed between the two: who sees the one sees the other.
// lanescope: words = Inside the block, a thread scans four neighbours, a warp rows of 128 by shuffles: shared memory holds no more than a sum a warp.
// lanescope: look = Counts of block 0: 16 sectors loaded in pass 1 and 16 stored in pass 14, each of its 128 elements once. Telling the others takes 1 sector in xor 1; load and pass 14 have an atomic each.
// lanescope: look = In Passes, up 1 to up 16 scan the lanes of a warp by shuffles, with 31, 30, 28, 24 and 16 at work; xor 16 to xor 1 add up the sum that the tile tells the others.
// lanescope: look = Choose block 3: behind xor 1 there are four rows more than in block 0, which add the words of the tiles before: before becomes 3648, 3 times 1216. The store then clears all of states.
// lanescope: reading = Duane Merrill and Michael Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA, NVR-2016-002, 2016
// lanescope: reading = Shengen Yan, Guoping Long and Yunquan Zhang, "StreamScan: Fast Scan Algorithms for GPUs without Global Barrier Synchronization", PPoPP, 2013
// lanescope: reading = David Kirk, Wen-mei Hwu and Izzat El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter 11: Prefix sum (scan), 2022
// lanescope: template = int, block, 1
// lanescope: timed template = int, block, 10
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg states = zeros(grid)
// lanescope: arg counters = zeros(2)
// lanescope: arg n = n
// lanescope: grid = ceil(n / (4 * block))
// lanescope: timed grid = ceil(n / (40 * block))
// lanescope: block = 32
// lanescope: block rule = multiple of 32, 32 to 1024
// lanescope: block reason = A shuffle names all 32 lanes of a warp, so every warp has to be whole.
// lanescope: n = 512
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan
// lanescope: output = out
