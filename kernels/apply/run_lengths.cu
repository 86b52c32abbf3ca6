__global__ void run_lengths(const int* in, int* runs, int* count, int n)
{
    extern __shared__ int number[];
    int* start = number + blockDim.x;

    // a run begins where an element differs from the one before it
    int tid = threadIdx.x;
    int head = tid < n && (tid == 0 || in[tid] != in[tid - 1]);
    number[tid] = head;

    // a scan of these flags numbers the runs
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? number[tid - d] : 0;
        __syncthreads();
        number[tid] += left;
    }
    __syncthreads();

    // each head says where its run begins, and so where the one before it ends
    int found = number[blockDim.x - 1];
    if (head) start[number[tid] - 1] = tid;
    if (tid == 0) start[found] = n;
    __syncthreads();

    // a run is a value and a length
    if (tid < found) {
        runs[2 * tid] = in[start[tid]];
        runs[2 * tid + 1] = start[tid + 1] - start[tid];
    }
    if (tid == 0) *count = found;
}
