// A lock or a flag orders the data it guards only with a fence on either side; without one, the fence is what is
// missing, not a barrier nor an atomic operation.
__device__ int locked = 0;
__device__ int ready = 0;

__global__ void faulty_lock(int* sum) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&locked, 0, 1) != 0) {}
    sum[0] += 1 + blockIdx.x;
    atomicExch(&locked, 0);
}

__global__ void faulty_flag(int* sum) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        sum[1] = 42;
        __threadfence();
        atomicExch(&ready, 1);
    } else {
        while (atomicAdd(&ready, 0) == 0) {}
        sum[1 + blockIdx.x] = sum[1];
    }
}

// The threads of a block may wait for the one that reads the flag, and it for those that write the data.
__global__ void faulty_flag_of_blocks(int* sum) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 1) sum[1] = 42;
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(&ready, 1);
    } else {
        if (threadIdx.x == 0) while (atomicAdd(&ready, 0) == 0) {}
        __syncthreads();
        if (threadIdx.x == 2) sum[1 + blockIdx.x] = sum[1];
    }
}

__global__ void faulty_release(int* sum) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&locked, 0, 1) != 0) {}
    __threadfence();
    sum[0] += 1 + blockIdx.x;
    __threadfence();
    locked = 0;
}

__global__ void faulty_load(int* sum) {
    if (threadIdx.x != 0) return;
    atomicAdd(&sum[0], 1);
    sum[1 + blockIdx.x] = sum[0];
}

__global__ void sound(int* sum) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&locked, 0, 1) != 0) {}
    __threadfence();
    sum[0] += 1 + blockIdx.x;
    __threadfence();
    atomicExch(&locked, 0);
}
// lanescope: n = 8
// lanescope: block = 64
// lanescope: grid = 3
// lanescope: arg sum = zeros(8)
