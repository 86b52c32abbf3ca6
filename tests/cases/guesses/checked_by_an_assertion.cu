// The kernel asserts properties of its arguments, and the arguments are guessed.
#include <cassert>
__global__ void pairs(const int* in, int* out, int n) {
    assert(n % 3 == 0);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
