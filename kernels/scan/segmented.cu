__global__ void segmented_scan(const int* in, const int* heads, int* out, int n)
{
    extern __shared__ int sum[];
    int* begins = sum + blockDim.x;

    // a pair: a sum, and whether a segment begins among the elements that it adds
    int tid = threadIdx.x;
    sum[tid] = tid < n ? in[tid] : 0;
    begins[tid] = tid < n ? heads[tid] : 0;

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? sum[tid - d] : 0;
        int began = tid >= d ? begins[tid - d] : 0;
        __syncthreads();

        // what stands to the left is added, unless a segment begins in between
        if (!begins[tid]) sum[tid] += left;
        begins[tid] |= began;
    }

    if (tid < n) out[tid] = sum[tid];
}
