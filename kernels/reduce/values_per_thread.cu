template <int nt, int vt>
__global__ void reduce(const int* input, int count, int* reduction)
{
    __shared__ int data[nt];

    // each thread reduces vt values in a register
    int tid = threadIdx.x;
    int begin = blockIdx.x * nt * vt;
    int x = 0;
    for (int i = 0; i < vt; ++i) {
        int j = begin + i * nt + tid;
        if (j < count) x += input[j];
    }
    data[tid] = x;
    __syncthreads();

    // the block reduces nt values in shared memory
    for (int s = nt / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] += data[tid + s];
        __syncthreads();
    }

    if (tid == 0) reduction[blockIdx.x] = data[0];
}
