// What both translation units of the test see.
#pragma once

struct Pair {
    int low, high;
};
__device__ int scaled(Pair pair, int index);
extern __device__ int counter;
extern __constant__ int weights[4];

template <class T>
__device__ __noinline__ T twice(T value) {
    return value + value;
}

template <int N>
__global__ void fill(int* out) {
    extern __shared__ int staged[];
    staged[threadIdx.x] = N;
    out[threadIdx.x] = staged[threadIdx.x];
}
