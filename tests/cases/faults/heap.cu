// Memory of malloc exists until free: a use after that, a double free, and a free of another address are faults.
__global__ void faulty_use(const int* in, int* out) {
    int* own = (int*)malloc(4 * sizeof(int));
    own[1] = in[threadIdx.x];
    free(own);
    out[threadIdx.x] = own[1];
    own[2] = 3;
}

__global__ void sound_use(const int* in, int* out) {
    int* own = (int*)malloc(4 * sizeof(int));
    own[1] = in[threadIdx.x];
    out[threadIdx.x] = own[1];
    free(own);
}

__global__ void faulty_twice(const int* in, int* out) {
    __shared__ int* common;
    if (threadIdx.x == 0) common = (int*)malloc(sizeof(int));
    __syncthreads();
    if (threadIdx.x < 2) free(common);
}

__global__ void sound_once(const int* in, int* out) {
    __shared__ int* common;
    if (threadIdx.x == 0) common = (int*)malloc(sizeof(int));
    __syncthreads();
    if (threadIdx.x == 1) free(common);
    if (threadIdx.x == 2) free(nullptr);
}

__global__ void faulty_foreign(const int* in, int* out) {
    int* own = (int*)malloc(4 * sizeof(int));
    if (threadIdx.x == 0) free(own + 1);
    if (threadIdx.x == 1) free(out + 2);
    free(own);
}

__global__ void faulty_end(const int* in, int* out) {
    int* own = (int*)malloc(4 * sizeof(int));
    own[4] = in[threadIdx.x];
    free(own);
}
// lanescope: n = 4
// lanescope: block = 4
// lanescope: grid = 1
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
