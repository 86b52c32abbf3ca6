// The source does not determine how long something takes.
__global__ void times(int* out) {
    int begin = clock();
    __syncthreads();
    out[threadIdx.x] = clock() - begin;
}
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: arg out = zeros(64)
