// Operations on vectors: element by element, and sums over them.

__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

// With a grid of any size.
__global__ void axpby(int n, double a, const double* x, double b, const double* y, double* z) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) z[i] = a * x[i] + b * y[i];
}

// Four elements a thread in one access of 16 bytes; n is a multiple of 4.
__global__ void add_four_at_once(int n, const float4* a, const float4* b, float4* c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

__global__ void dot(int n, const float* a, const float* b, float* result) {
    __shared__ float cache[128];
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += a[i] * b[i];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}

// One block.
__global__ void euclidean_norm(int n, const double* x, double* norm) {
    __shared__ double squares[64];
    double sum = 0.0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i] * x[i];
    squares[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        double total = 0.0;
        for (int i = 0; i < blockDim.x; ++i) total += squares[i];
        *norm = sqrt(total);
    }
}

__global__ void largest_magnitude(int n, const float* x, unsigned* bits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(bits, __float_as_uint(fabsf(x[i])));
}

struct Vector3 {
    float x, y, z;
};

__global__ void cross_product(int n, const Vector3* a, const Vector3* b, Vector3* c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    c[i].x = a[i].y * b[i].z - a[i].z * b[i].y;
    c[i].y = a[i].z * b[i].x - a[i].x * b[i].z;
    c[i].z = a[i].x * b[i].y - a[i].y * b[i].x;
}

__global__ void normalize(int n, Vector3* v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Vector3 one = v[i];
    float length = sqrtf(one.x * one.x + one.y * one.y + one.z * one.z);
    v[i] = {one.x / length, one.y / length, one.z / length};
}

// The elements of one block the other way round, by dynamic shared memory.
__global__ void reverse(int n, int* x) {
    extern __shared__ int mirrored[];
    mirrored[n - 1 - threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = mirrored[threadIdx.x];
}
