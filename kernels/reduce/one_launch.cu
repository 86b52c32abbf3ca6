// four neighbours, which one instruction loads
template <typename T>
struct alignas(16) Four {
    T x, y, z, w;
};

// the sum of a block's values, valid in its first thread
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

    // the last block to finish adds the sums of all
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
