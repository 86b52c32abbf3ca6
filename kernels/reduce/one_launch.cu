// four neighbours, which one instruction loads
template <typename T>
struct alignas(16) Four {
    T x, y, z, w;
};

// the sum of a block's values, right in its first thread
template <typename T>
__device__ T sum_of_block(T sum)
{
    __shared__ T warpSums[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) warpSums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warpSums[lane] : 0;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, d);
    }
    return sum;
}

template <typename T, int block, int batch>
__global__ void reduce(const T* in, T* out, T* sums, unsigned int* done, unsigned int n)
{
    const Four<T>* in4 = reinterpret_cast<const Four<T>*>(in);
    unsigned int n4 = n / 4;
    unsigned int tid = threadIdx.x;

    // a thread has several loads in flight before it adds what the first one brings
    T sum = 0;
    unsigned int first = blockIdx.x * block * batch;
    for (; first + block * batch <= n4; first += gridDim.x * block * batch) {
        Four<T> values[batch];
        for (int k = 0; k < batch; k++) values[k] = in4[first + k * block + tid];
        for (int k = 0; k < batch; k++) sum += values[k].x + values[k].y + values[k].z + values[k].w;
    }

    // the last batch may be a part of one; up to three elements make no four
    for (unsigned int i = first + tid; i < n4; i += block) {
        Four<T> four = in4[i];
        sum += four.x + four.y + four.z + four.w;
    }
    if (blockIdx.x == 0 && tid < n % 4) sum += in[4 * n4 + tid];

    // the block that is done last adds what the others have left
    __shared__ bool last;
    sum = sum_of_block(sum);
    if (tid == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        sum = 0;
        for (unsigned int i = tid; i < gridDim.x; i += block) sum += sums[i];
        sum = sum_of_block(sum);
        if (tid == 0) out[0] = sum;
    }
}

// lanescope: title = Reduction: one launch, at the speed of memory
// lanescope: family = reduce
// lanescope: order = 96
// lanescope: summary = Four elements a load, several loads in flight, shuffles, and the last block adds the sums of all: a reduction that waits for memory alone.
// lanescope: lecture = What the lectures' ladder leads to; the last block's part is threadFenceReduction of the CUDA C++ Programming Guide, Memory Fence Functions
// lanescope: words = A processor that waits for memory is fast when many loads are on their way. Here a thread asks for batch x 16 bytes before it needs the first of them; the tree in shared memory, which the lectures make ever cheaper, comes once a block, after thousands of elements.
// lanescope: words = Each block leaves its sum, makes it visible (__threadfence) and counts itself. Who counts the last one knows that all sums are there. atomicInc wraps to zero, so that the counter is ready for the next launch.
// lanescope: words = Floats are added in another order than the CPU's, yet always in the same one: no atomic adds them.
// lanescope: look = In Counts the load pass of a block has 16 sectors by one load: each of the 32 lanes takes 16 bytes. Its 96 additions stay within the lanes, 3 each; the five shuffles after it have a work of 31.
// lanescope: look = Choose block 1 under Shown: Passes goes on at pass 12, where block 0 ends. Block 1 was the last to count itself: it reads both sums, 328 and 328, and adds them in down 1 (3).
// lanescope: look = Memory at the end of block 1: out is 656, and done is 0 again, ready for the next launch.
// lanescope: look = In Timing, in blocks of 256 on the H200, no other reduction here takes less time from 2^20 elements on.
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Memory Fence Functions
// lanescope: reading = NVIDIA, CUDA Samples: threadFenceReduction
// lanescope: reading = Justin Luitjens, CUDA Pro Tip: Increase Performance with Vectorized Memory Access, NVIDIA Developer Blog, 2013
// lanescope: reading = Vasily Volkov, Better Performance at Lower Occupancy, GPU Technology Conference, 2010
// lanescope: template = int, block, 1
// lanescope: timed template = int, block, 4
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(1)
// lanescope: arg sums = zeros(grid)
// lanescope: arg done = zeros(1)
// lanescope: arg n = n
// lanescope: grid = min(2, ceil(n / (4 * block)))
// lanescope: timed grid = min(2048 / block * multiprocessors, ceil(n / (16 * block)))
// lanescope: block = 32
// lanescope: block rule = multiple of 32, 32 to 1024
// lanescope: block reason = A shuffle names all 32 lanes of a warp, so every warp has to be whole.
// lanescope: n = 256
// lanescope: input = classic
// lanescope: oracle = sum
// lanescope: output = out
