// Each block waits for the next one, which never starts on a machine that runs one block at a time.
__device__ volatile int done[65];

__global__ void kernel(int* out) {
    if (threadIdx.x == 0) {
        int right = 0;
        if (blockIdx.x + 1 < gridDim.x) {
            while ((right = done[blockIdx.x + 1]) == 0) {
            }
        }
        done[blockIdx.x] = right + 1;
        out[blockIdx.x] = right + 1;
    }
}
// lanescope: n = 64
// lanescope: block = 32
// lanescope: grid = 64
// lanescope: arg out = zeros(grid)
