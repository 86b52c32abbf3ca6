#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#define SOFTENING 1e-9f
#define BLOCK_SIZE 128

typedef struct { float x, y, z, vx, vy, vz; } Body;

void randomizeBodies(float *data, int n) {
  for (int i = 0; i < n; i++) {
    data[i] = 2.0f * (rand() / (float)RAND_MAX) - 1.0f;
  }
}

double start_time = omp_get_wtime();
thrust::host_vector<float> global_vector;

__device__ __forceinline__ float3 force(float4 a, float4 b)
{
  float3 r = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
  float inv = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING);
  float s = inv * inv * inv;
  return make_float3(r.x * s, r.y * s, r.z * s);
}

__global__ __launch_bounds__(BLOCK_SIZE)
void bodyForce(const float4 *__restrict__ p, float4 *v, float dt, int n) {
  __shared__ float4 tile[BLOCK_SIZE];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  float4 me = i < n ? p[i] : make_float4(0, 0, 0, 0);
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int t = 0; t < gridDim.x; t++) {
    int j = t * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = j < n ? p[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < BLOCK_SIZE; k++) {
      float3 f = force(me, tile[k]);
      fx += f.x; fy += f.y; fz += f.z;
    }
    __syncthreads();
  }
  if (i < n) { v[i].x += dt * fx; v[i].y += dt * fy; v[i].z += dt * fz; }
}

int main(const int argc, const char** argv) {
  int nBodies = 512;
  const float dt = 0.01f;
  if (argc > 1) nBodies = atoi(argv[1]);
  int nBlocks = (nBodies + BLOCK_SIZE - 1) / BLOCK_SIZE;
  float4 *d_p, *d_v;
  cudaMalloc(&d_p, nBodies * sizeof(float4));
  cudaMalloc(&d_v, nBodies * sizeof(float4));
  bodyForce<<<nBlocks, BLOCK_SIZE>>>(d_p, d_v, dt, nBodies);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) printf("Error: %s\n", cudaGetErrorString(err));
  thrust::device_vector<float> v(10);
  return 0;
}
