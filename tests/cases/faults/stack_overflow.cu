// A thread's stack has 4 KiB; every call takes 64 bytes.
__device__ __noinline__ int total(int n) {
    volatile int kept[16];
    kept[n % 16] = n;
    if (n == 0) return 0;
    return total(n - 1) + kept[n % 16];
}

__global__ void faulty(int* out) { out[threadIdx.x] = total(100 * threadIdx.x); }

__global__ void sound(int* out) { out[threadIdx.x] = total(5 * threadIdx.x); }
// lanescope: n = 4
// lanescope: block = 4
// lanescope: grid = 1
// lanescope: arg out = zeros(4)
