// Threads that wait for memory that no thread writes. The finding names the loop, the memory, and the instruction that
// would write it. The sound twins wait for a write by another block, or by another path of their warp.
__device__ int flag;
__device__ int lock;
__device__ volatile int ready[8];

__global__ void faulty_plain(const int* in, int* out) {
    if (blockIdx.x == 1 && threadIdx.x == 99) flag = 1;
    while (flag == 0) {
    }
    if (threadIdx.x == 0) out[blockIdx.x] = in[0];
}

__global__ void sound_plain(const int* in, int* out) {
    if (threadIdx.x == 5) {
        *(volatile int*)&flag = 1;
    } else {
        while (*(volatile int*)&flag == 0) {
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = in[0];
}

__global__ void faulty_lock(const int* in, int* out) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        out[0] += in[blockIdx.x];
    }
}

__global__ void sound_lock(const int* in, int* out) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
        out[0] += in[blockIdx.x];
        __threadfence();
        atomicExch(&lock, 0);
    }
}

__global__ void faulty_chain(const int* in, int* out) {
    __shared__ int before;
    if (threadIdx.x == 0) {
        before = 0;
        if (blockIdx.x > 0) {
            while (atomicAdd((int*)&ready[blockIdx.x - 1], 0) == 0) {
            }
            before = out[blockIdx.x - 1];
        }
        out[blockIdx.x] = before + in[blockIdx.x];
        __threadfence();
        if (blockIdx.x > 0) ready[blockIdx.x] = 1;
    }
    __syncthreads();
}

__global__ void sound_chain(const int* in, int* out) {
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x > 0) {
            while (ready[blockIdx.x - 1] == 0) {
            }
            __threadfence();
            before = ((volatile int*)out)[blockIdx.x - 1];
        }
        ((volatile int*)out)[blockIdx.x] = before + in[blockIdx.x];
        __threadfence();
        ready[blockIdx.x] = 1;
    }
}

__global__ void sound_counts_out(const int* in, int* out) {
    int spins = 0;
    while (*(volatile int*)&flag == 0 && spins < 30000) ++spins;
    if (threadIdx.x == 0) out[blockIdx.x] = in[0] + spins;
}
// lanescope: n = 8
// lanescope: block = 32
// lanescope: grid = 8
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
