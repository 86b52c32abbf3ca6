__global__ void partition(const int* in, int* out, int n)
{
    extern __shared__ int position[];

    // the first element is the pivot: which ones are less?
    int tid = threadIdx.x;
    int pivot = in[0];
    int value = tid < n ? in[tid] : 0;
    int less = tid < n && value < pivot;
    position[tid] = less;

    // a scan counts the flags up to each element, itself included
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? position[tid - d] : 0;
        __syncthreads();
        position[tid] += left;
    }
    __syncthreads();

    // the smaller ones go to the front, the others after them, both in their order
    int smaller = position[blockDim.x - 1];
    if (tid < n) out[less ? position[tid] - 1 : smaller + tid - position[tid]] = value;
}
