__global__ void split(const int* in, int* out, int n, int bit)
{
    extern __shared__ int zeros[];

    // a flag for each element whose bit is 0
    int tid = threadIdx.x;
    int value = tid < n ? in[tid] : 0;
    int zero = tid < n && (value >> bit & 1) == 0;
    zeros[tid] = zero;

    // a scan counts the zeros up to each element, itself included
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? zeros[tid - d] : 0;
        __syncthreads();
        zeros[tid] += left;
    }
    __syncthreads();

    // zeros to the front, ones after them, both in their order
    int all = zeros[blockDim.x - 1];
    if (tid < n) out[zero ? zeros[tid] - 1 : all + tid - zeros[tid]] = value;
}
