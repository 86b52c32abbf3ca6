// Shuffles and votes make lanes wait for each other, but order no memory: only __syncwarp() does.
__global__ void faulty_shuffle(const int* in, int* out) {
    __shared__ int cells[32];
    cells[threadIdx.x] = in[threadIdx.x];
    const int first = __shfl_sync(0xffffffff, threadIdx.x, 0);
    out[threadIdx.x] = cells[31 - threadIdx.x] + first;
}

__global__ void faulty_vote(const int* in, int* out) {
    __shared__ int cells[32];
    cells[threadIdx.x] = in[threadIdx.x];
    const unsigned odd = __ballot_sync(0xffffffff, threadIdx.x & 1);
    out[threadIdx.x] = cells[31 - threadIdx.x] + (odd & 1);
}

__global__ void sound(const int* in, int* out) {
    __shared__ int cells[32];
    cells[threadIdx.x] = in[threadIdx.x];
    const int first = __shfl_sync(0xffffffff, threadIdx.x, 0);
    __syncwarp();
    out[threadIdx.x] = cells[31 - threadIdx.x] + first;
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
