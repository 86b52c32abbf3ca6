// A compare-and-swap verifies the plain read before it, as in the programming guide's atomicAdd() for doubles. Formally
// this is a race, and so a remark. A plain read that is used without the compare-and-swap is a fault.
__device__ double add(double* address, double value) {
    unsigned long long* bits = (unsigned long long*)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void sound(const double* in, double* sums, double* seen) {
    __shared__ double sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    add(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) add(sums, sum);
}

__global__ void faulty(const double* in, double* sums, double* seen) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double before = sums[0];
    add(&sums[1], in[i]);
    atomicAdd(&sums[0], in[i]);
    seen[i] = before;
}

// It reads before the swap, and uses the value that it read.
__global__ void faulty_peek(const double* in, double* sums, double* seen) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* most = (int*)sums;
    int old = *most;
    while (old < int(in[i])) {
        int assumed = old;
        old = atomicCAS(most, assumed, int(in[i]));
        if (old == assumed) break;
    }
    seen[i] = old;
}
// lanescope: n = 128
// lanescope: block = 64
// lanescope: grid = 2
// lanescope: arg in = input(n)
// lanescope: arg sums = zeros(2)
// lanescope: arg seen = zeros(n)
