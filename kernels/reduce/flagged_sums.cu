// four neighbours, which one instruction loads
template <typename T>
struct alignas(16) Four {
    T x, y, z, w;
};

// what a block publishes: the upper half of the word says that the lower half holds a sum
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

// the sum of a block's values, valid in its first thread
template <typename T, int block>
__device__ T sum_of_block(T sum, T* warpSums)
{
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) warpSums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        sum = lane < block / 32 ? warpSums[lane] : T(0);
        for (int d = block / 64; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, d);
    }
    return sum;
}

template <typename T, int block, int batch>
__global__ void reduce(const T* in, T* out, unsigned long long* words, unsigned int n)
{
    __shared__ T warpSums[32], warpTotals[32];
    const Four<T>* in4 = reinterpret_cast<const Four<T>*>(in);
    unsigned int n4 = n / 4;
    unsigned int tid = threadIdx.x;

    // a thread has several loads in flight before it adds the first value
    T sum = 0;
    unsigned int first = blockIdx.x * block * batch;
    for (; first + block * batch <= n4; first += gridDim.x * block * batch) {
        Four<T> values[batch];
        for (int k = 0; k < batch; k++) values[k] = in4[first + k * block + tid];
        for (int k = 0; k < batch; k++)
            sum += values[k].x + values[k].y + values[k].z + values[k].w;
    }

    // the last batch may be incomplete, and so may the last four elements
    for (unsigned int i = first + tid; i < n4; i += block) {
        Four<T> four = in4[i];
        sum += four.x + four.y + four.z + four.w;
    }
    if (blockIdx.x == 0 && tid < n % 4) sum += in[4 * n4 + tid];
    sum = sum_of_block<T, block>(sum, warpSums);

    // a block that is alone has the result; all but the last publish their sum, and are done
    unsigned int last = gridDim.x - 1;
    volatile unsigned long long* published = words;
    if (blockIdx.x < last) {
        if (tid == 0) published[blockIdx.x] = word_of(sum);
        return;
    }
    if (last == 0) {
        if (tid == 0) out[0] = sum;
        return;
    }

    // the last block waits for each word, adds its sum and clears it for the next launch
    if (tid > 0) sum = 0;
    for (unsigned int i = tid; i < last; i += block) {
        unsigned long long word = 0;
        while (word == 0) word = published[i];
        published[i] = 0;
        sum += sum_in<T>(word);
    }
    __syncwarp();
    sum = sum_of_block<T, block>(sum, warpTotals);
    if (tid == 0) out[0] = sum;
}
