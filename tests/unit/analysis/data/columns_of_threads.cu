// A thread for each column: `in` has rows of 13 elements, which is not a multiple of the 8 threads.
__global__ void columns_of_threads(const int* in, int* out)
{
    int sum = 0;
    for (unsigned int row = 0; row < 6; ++row) sum += in[row * 13 + threadIdx.x];
    for (unsigned int i = threadIdx.x; i < 24; i += blockDim.x) out[i] = sum + (int)i;
}
