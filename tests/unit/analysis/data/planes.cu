// Each thread goes through the planes of an array that has 3 of them, of 5 rows of 6 elements.
__global__ void planes(const int* in, int* out)
{
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
#pragma unroll 1
    for (int z = 0; z < 3; ++z) sum += in[(z * 5 + y) * 6 + x];
    out[y * 4 + x] = sum;
}
