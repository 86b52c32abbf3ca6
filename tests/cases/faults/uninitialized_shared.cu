// A histogram whose bins are not set to zero first; the hardware does not do it either.
__global__ void faulty(const int* in, int* out) {
    __shared__ int bins[8];
    atomicAdd(&bins[in[threadIdx.x] % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}

// A load of which only a part is uninitialized: the finding names that part.
__global__ void faulty_halves(const int* in, int* out) {
    __shared__ __align__(4) short cells[64];
    cells[2 * threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = *reinterpret_cast<const int*>(cells + 2 * threadIdx.x);
}

__global__ void faulty_vector(const int* in, int* out) {
    __shared__ int4 vectors[4];
    int* const cells = reinterpret_cast<int*>(vectors);
    if (threadIdx.x < 14) cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= 4) return;
    const int4 four = vectors[threadIdx.x];
    out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

__global__ void sound(const int* in, int* out) {
    __shared__ int bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(8)
