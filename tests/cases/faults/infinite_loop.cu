// Loops without an end. Their threads read no memory that others write, so no other thread can end them: the state of
// the warp repeats, after one iteration or several. The sound twins end, however late.
__global__ void faulty_no_exit(const int* in, int* out) {
    int i = threadIdx.x;
    while (true) {
        out[i % 32] = 7;
        i = (i + 32) % 64;
    }
}

__global__ void faulty_period(const int* in, int* out) {
    int x = in[threadIdx.x] & 3;
    while (x != 5) {
        x ^= 1;
    }
    out[threadIdx.x] = x;
}

__global__ void faulty_one_warp(const int* in, int* out) {
    if (threadIdx.x < 32) {
        for (int i = 1; i != 0; i = i % 8 + 1) out[threadIdx.x] = i;
    }
    __syncthreads();
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void faulty_barrier(const int* in, int* out) {
    __shared__ int done;
    if (threadIdx.x == 0) done = 0;
    __syncthreads();
    while (done == 0) {
        __syncthreads();
        if (in[threadIdx.x] < 0) done = 1;
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}

__global__ void sound_long(const int* in, int* out) {
    unsigned x = in[threadIdx.x];
    for (int i = 0; i < 20000; ++i) x ^= 1;
    out[threadIdx.x] = x;
}

__global__ void sound_clock(const int* in, int* out) {
    const long long begin = clock64();
    int x = 0;
    while (clock64() - begin < 100000) x ^= 1;
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void sound_barrier(const int* in, int* out) {
    __shared__ int rounds;
    if (threadIdx.x == 0) rounds = 0;
    __syncthreads();
    while (rounds < 3000) {
        __syncthreads();
        if (threadIdx.x == 0) ++rounds;
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}
// lanescope: n = 64
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
