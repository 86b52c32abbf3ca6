__global__ void totals(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;

    // partners exchange values: after the last step every lane has the sum of its warp
    for (int mask = 1; mask < 32; mask *= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, mask);

    if (i < n) out[i] = sum;
}
