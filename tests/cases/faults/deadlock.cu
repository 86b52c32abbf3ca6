// Block 0 waits for a flag that no block raises; in the sound twin the next block raises it.
__device__ volatile int flag = 0;

__global__ void faulty(int* out) {
    if (blockIdx.x == 1 && threadIdx.x == 99) flag = 1;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        while (flag == 0) {
        }
    }
    out[blockIdx.x] = 1;
}

__global__ void sound(int* out) {
    if (blockIdx.x == 1 && threadIdx.x == 0) flag = 1;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        while (flag == 0) {
        }
    }
    out[blockIdx.x] = 1;
}
// lanescope: n = 2
// lanescope: block = 32
// lanescope: grid = 2
// lanescope: arg out = zeros(2)
