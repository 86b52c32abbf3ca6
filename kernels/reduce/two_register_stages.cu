template <int nt, int vt, int group_size>
__global__ void reduce(const int* input, int count, int* reduction)
{
    __shared__ int data[nt];

    // first register stage: a thread adds vt values, nt apart; the last tile may be short
    int tid = threadIdx.x;
    int begin = blockIdx.x * nt * vt;
    int tile = min(nt * vt, count - begin);
    int x = 0;
    for (int i = 0; i < vt; ++i) {
        int j = i * nt + tid;
        if (j < tile) x += input[begin + j];
    }
    data[tid] = x;
    __syncthreads();

    if (tid < group_size) {
        // second register stage: a thread of the group adds nt / group_size values
        int valid = min(tile, nt);
        for (int j = tid + group_size; j < valid; j += group_size)
            x += data[j];

        // the group shuffles: a lane adds only what a lane below count holds
        unsigned int group = 0xffffffff >> (32 - group_size);
        int left = min(valid, group_size);
        for (int offset = 1; offset < group_size; offset *= 2) {
            int y = __shfl_down_sync(group, x, offset, group_size);
            if (tid + offset < left) x += y;
        }
    }

    if (tid == 0) reduction[blockIdx.x] = x;
}
