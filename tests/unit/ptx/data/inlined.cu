// Calls inlined two deep, a local array, a struct, a typedef, constant memory and a static shared matrix.
typedef unsigned int word;
struct Pair { int key; float weight; };
__constant__ float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int counter = 7;

__device__ __forceinline__ int square(int x) { return x * x; }
__device__ __forceinline__ int sumOfSquares(int a, int b) { return square(a) + square(b); }

extern "C" __global__ void inlined(const Pair* in, int* out, Pair bias, const word n)
{
    __shared__ float tile[8][33];
    word lane = threadIdx.x % 32;
    int local[4];
    for (int k = 0; k < 4; ++k) local[(k + n) % 4] = in[k].key;
    tile[threadIdx.x / 32 % 8][lane] = weights[lane % 4] + in[lane].weight + bias.weight;
    __syncthreads();
    out[threadIdx.x] = sumOfSquares(local[lane % 4], bias.key) + int(tile[0][lane]);
    atomicAdd(&counter, 1);
}
