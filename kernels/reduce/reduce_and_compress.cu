__global__ void block_reduce(int* A, int len)
{
    extern __shared__ int segment[];

    // copy a segment of 2 * blockDim.x elements from the global array into the shared array
    int t = threadIdx.x;
    int start = 2 * blockIdx.x * blockDim.x;
    segment[t] = start + t < len ? A[start + t] : 0;
    segment[blockDim.x + t] = start + blockDim.x + t < len ? A[start + blockDim.x + t] : 0;

    for (int stride = blockDim.x; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) segment[t] += segment[t + stride];
    }

    // copy the sum back
    if (t == 0) A[start] = segment[0];
}

// one block copies the first element of each segment down to the start of the array
__global__ void compress(int* A, int segments, int size)
{
    for (int first = 0; first < segments; first += blockDim.x) {
        int i = first + threadIdx.x;
        int sum = i < segments ? A[i * size] : 0;
        __syncthreads();
        if (i < segments) A[i] = sum;
    }
}

// repeat until the remaining array is of length 1
void reduce(int* A, int len, int block)
{
    int size = 2 * block;
    do {
        int segments = (len + size - 1) / size;
        block_reduce<<<segments, block, size * sizeof(int)>>>(A, len);
        compress<<<1, block>>>(A, segments, size);
        len = segments;
    } while (len > 1);
}
