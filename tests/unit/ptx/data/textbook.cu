// The five textbook kernels whose PTX the module tests keep: Hwu's basic reduction, Harris's first three, and the
// double-buffered Hillis-Steele scan. ELEMENT is the element type; regenerate.py compiles each for int, unsigned and float.

#ifdef TWO_A_THREAD
extern "C" __global__ void reduce(const ELEMENT* input, ELEMENT* output)
{
    extern __shared__ ELEMENT partialSum[];
    unsigned int t = threadIdx.x;
    unsigned int start = 2 * blockIdx.x * blockDim.x;
    partialSum[t] = input[start + t];
    partialSum[blockDim.x + t] = input[start + blockDim.x + t];

    for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
        __syncthreads();
        if (t % stride == 0)
            partialSum[2 * t] += partialSum[2 * t + stride];
    }

    if (t == 0) output[blockIdx.x] = partialSum[0];
}
#endif

#ifdef INTERLEAVED
extern "C" __global__ void reduce(const ELEMENT* in, ELEMENT* out)
{
    extern __shared__ ELEMENT sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
#endif

#ifdef STRIDED
extern "C" __global__ void reduce(const ELEMENT* in, ELEMENT* out)
{
    extern __shared__ ELEMENT sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
#endif

#ifdef SEQUENTIAL
extern "C" __global__ void reduce(const ELEMENT* in, ELEMENT* out)
{
    extern __shared__ ELEMENT sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[i];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
#endif

#ifdef HILLIS_STEELE
#define BLOCK_SIZE 1024
extern "C" __global__ void scan(const ELEMENT* X, ELEMENT* Y, int len)
{
    __shared__ ELEMENT XY[BLOCK_SIZE * 2];
    int rBuf = 0, wBuf = BLOCK_SIZE;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < len)
        XY[wBuf + threadIdx.x] = X[i];

    for (unsigned int s = 1; s < BLOCK_SIZE; s *= 2) {
        __syncthreads();
        wBuf = BLOCK_SIZE - wBuf;
        rBuf = BLOCK_SIZE - rBuf;
        if (threadIdx.x >= s)
            XY[wBuf + threadIdx.x] = XY[rBuf + threadIdx.x - s] + XY[rBuf + threadIdx.x];
        else
            XY[wBuf + threadIdx.x] = XY[rBuf + threadIdx.x];
    }

    if (i < len) Y[i] = XY[wBuf + threadIdx.x];
}
#endif
