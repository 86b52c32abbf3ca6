#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(i) ((i) >> LOG_NUM_BANKS)
#define PADDED(i) ((i) + CONFLICT_FREE_OFFSET(i))

__global__ void scan(const int* in, int* out)
{
    extern __shared__ int temp[];

    int t = threadIdx.x;
    int size = 2 * blockDim.x;
    int first = blockIdx.x * size;
    temp[PADDED(t)] = in[first + t];
    temp[PADDED(t + blockDim.x)] = in[first + t + blockDim.x];

    // up-sweep
    for (int stride = 1; stride < size; stride *= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size)
            temp[PADDED(right)] += temp[PADDED(right - stride)];
    }

    if (t == 0) temp[PADDED(size - 1)] = 0;

    // down-sweep
    for (int stride = size / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size) {
            int left = temp[PADDED(right - stride)];
            temp[PADDED(right - stride)] = temp[PADDED(right)];
            temp[PADDED(right)] += left;
        }
    }

    __syncthreads();
    out[first + t] = temp[PADDED(t)];
    out[first + t + blockDim.x] = temp[PADDED(t + blockDim.x)];
}
