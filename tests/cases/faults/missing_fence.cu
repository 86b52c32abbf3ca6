// A message between blocks: a value, then a flag, both volatile, so that they are in no race. Without a fence that
// reaches other blocks between the two stores, and one between the two reads, the reader may find an older value.

__device__ int sum_of(const volatile int* values, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum;
}

__device__ void await(volatile int* flag) {
    while (flag[0] == 0) {
    }
}

__global__ void faulty_block_scope(const int* in, int* out, volatile int* value, volatile int* flag, int n) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        value[0] = sum_of(in, n);
        __threadfence_block();
        flag[0] = 1;
    } else {
        await(flag);
        __threadfence();
        out[0] = value[0];
    }
}

// The barrier orders the stores for the threads of the block only.
__global__ void faulty_barrier(const int* in, int* out, volatile int* value, volatile int* flag, int n) {
    if (blockIdx.x == 0) {
        value[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) flag[0] = 1;
    } else {
        if (threadIdx.x == 0) await(flag);
        __syncthreads();
        __threadfence();
        if (threadIdx.x == 0) out[0] = sum_of(value, n);
    }
}

__global__ void faulty_reader(const int* in, int* out, volatile int* value, volatile int* flag, int n) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        value[0] = sum_of(in, n);
        __threadfence();
        flag[0] = 1;
    } else {
        await(flag);
        out[0] = value[0];
    }
}

__global__ void faulty_reader_block_scope(const int* in, int* out, volatile int* value, volatile int* flag, int n) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        value[0] = sum_of(in, n);
        __threadfence();
        flag[0] = 1;
    } else {
        await(flag);
        __threadfence_block();
        out[0] = value[0];
    }
}

__global__ void sound(const int* in, int* out, volatile int* value, volatile int* flag, int n) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        value[0] = sum_of(in, n);
        __threadfence();
        flag[0] = 1;
    } else {
        await(flag);
        __threadfence();
        out[0] = value[0];
    }
}

__global__ void sound_barrier(const int* in, int* out, volatile int* value, volatile int* flag, int n) {
    if (blockIdx.x == 0) {
        value[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            flag[0] = 1;
        }
    } else {
        if (threadIdx.x == 0) {
            await(flag);
            __threadfence();
        }
        __syncthreads();
        if (threadIdx.x == 0) out[0] = sum_of(value, n);
    }
}
// lanescope: n = 64
// lanescope: block = 64
// lanescope: grid = 2
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(1)
// lanescope: arg value = zeros(n)
// lanescope: arg flag = zeros(1)
// lanescope: oracle = sum
// lanescope: output = out
