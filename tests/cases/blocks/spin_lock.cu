// Every lane of every block takes the same lock in turn: a warp in lockstep would wait for itself.
__device__ int mutex = 0;

__global__ void kernel(const int* in, int* out) {
    while (atomicCAS(&mutex, 0, 1) != 0) {
    }
    __threadfence();
    out[0] += in[blockIdx.x * blockDim.x + threadIdx.x];
    __threadfence();
    atomicExch(&mutex, 0);
}
// lanescope: n = 96
// lanescope: block = 32
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(1)
