// __syncwarp() calls at different lines are one barrier (PTX ISA 9.7.13.2); all lanes of the mask must execute one.
__global__ void faulty_one_side(const int* in, int* out) {
    __shared__ int cells[32];
    const unsigned t = threadIdx.x;
    int other = 0;
    cells[t] = in[t];
    if (t < 16) {
        __syncwarp();
        other = cells[t + 16];
    } else {
        cells[t] = -in[t];
    }
    out[t] = other;
}

__global__ void faulty_different_masks(const int* in, int* out) {
    int value = in[threadIdx.x];
    value += __shfl_xor_sync(threadIdx.x < 16 ? 0xffffffff : 0xffff0000, value, 1);
    out[threadIdx.x] = value;
}

// Two votes, each with a mask of all lanes: they are two instructions, as a vote and a shuffle are.
__global__ void faulty_vote_on_each_side(const int* in, int* out) {
    unsigned votes;
    if (threadIdx.x & 1)
        votes = __ballot_sync(0xffffffff, in[threadIdx.x] > 5);
    else
        votes = __ballot_sync(0xffffffff, in[threadIdx.x] > 7);
    out[threadIdx.x] = votes;
}

__device__ int vote_of(unsigned mask, int value) { return __ballot_sync(mask, value > 5); }

__global__ void sound_vote_of_each_side(const int* in, int* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = vote_of(0x0000ffff, in[threadIdx.x]);
    else
        out[threadIdx.x] = vote_of(0xffff0000, -in[threadIdx.x]);
}

__global__ void sound_both_sides(const int* in, int* out) {
    __shared__ int cells[32];
    const unsigned t = threadIdx.x;
    if (t < 16) {
        cells[t] = in[t];
        __syncwarp();
        out[t] = cells[t + 16];
    } else {
        cells[t] = -in[t];
        __syncwarp();
        out[t] = cells[t - 16];
    }
}

// The first barrier of the lower half is the last one of the upper half.
__global__ void sound_inside_and_behind(const int* in, int* out) {
    __shared__ int cells[32];
    const unsigned t = threadIdx.x;
    cells[t] = in[t];
    if (t < 16) {
        __syncwarp();
        cells[t] += cells[t + 16];
    }
    __syncwarp();
    out[t] = in[t];
}

__global__ void sound_loops_of_different_length(const int* in, int* out) {
    __shared__ int cells[32];
    const unsigned t = threadIdx.x;
    const int rounds = t % 2 == 0 ? 5 : 3;
    int sum = 0;
    cells[t] = in[t];
    for (int i = 0; i < rounds; ++i) {
        __syncwarp();
        sum += cells[(t + i) % 32];
    }
    for (int i = rounds; i < 5; ++i) __syncwarp();
    out[t] = sum;
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
