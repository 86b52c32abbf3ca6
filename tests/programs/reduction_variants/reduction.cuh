#ifndef REDUCTION_CUH
#define REDUCTION_CUH

enum { number_of_reductions = 5 };

template <class T>
struct SharedMemory {
    __device__ inline operator T*() {
        extern __shared__ int dynamic_shared[];
        return (T*)dynamic_shared;
    }
};

template <class T>
__global__ void reduce_interleaved(const T* in, T* out, unsigned n) {
    T* sdata = SharedMemory<T>();
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

template <class T>
__global__ void reduce_sequential(const T* in, T* out, unsigned n) {
    T* sdata = SharedMemory<T>();
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

template <class T>
__global__ void reduce_first_add(const T* in, T* out, unsigned n) {
    T* sdata = SharedMemory<T>();
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    T sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] = sum = sum + sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum;
}

template <class T, unsigned blockSize>
__global__ void reduce_unrolled(const T* in, T* out, unsigned n) {
    T* sdata = SharedMemory<T>();
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    T sum = 0;
    for (; i < n; i += blockSize * 2 * gridDim.x) {
        sum += in[i];
        if (i + blockSize < n) sum += in[i + blockSize];
    }
    sdata[tid] = sum;
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256) sdata[tid] = sum = sum + sdata[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128) sdata[tid] = sum = sum + sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64) sdata[tid] = sum = sum + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64) sum += sdata[tid + 32];
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (tid == 0) out[blockIdx.x] = sum;
}

template <class T>
__global__ void reduce_shuffle(const T* in, T* out, unsigned n) {
    __shared__ T warps[32];
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    T sum = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % warpSize == 0) warps[threadIdx.x / warpSize] = sum;
    __syncthreads();
    if (threadIdx.x < warpSize) {
        sum = threadIdx.x < blockDim.x / warpSize ? warps[threadIdx.x] : 0;
        for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

template <class T>
void launch_reduction(int n, int threads, int blocks, int which, const T* in, T* out) {
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    // two warps' worth at least, so that the last warp may read past the block's own elements
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    switch (which) {
        case 0: reduce_interleaved<T><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
        case 1: reduce_sequential<T><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
        case 2: reduce_first_add<T><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
        case 3:
            switch (threads) {
                case 512: reduce_unrolled<T, 512><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
                case 256: reduce_unrolled<T, 256><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
                case 128: reduce_unrolled<T, 128><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
                case 64: reduce_unrolled<T, 64><<<dimGrid, dimBlock, smemSize>>>(in, out, n); break;
            }
            break;
        case 4: reduce_shuffle<T><<<dimGrid, dimBlock>>>(in, out, n); break;
    }
}

#endif
