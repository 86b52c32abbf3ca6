// 1-D stencil with a halo in shared memory: every output is the sum of its 2 * RADIUS + 1 neighbors.
#include <algorithm>
#include <iostream>

#define RADIUS 3
#define BLOCK_SIZE 128
#define NUM_ELEMENTS 4096

static void handleError(cudaError_t err, const char *file, int line) {
  if (err != cudaSuccess) {
    std::cout << cudaGetErrorString(err) << " in " << file << " at line " << line << std::endl;
    exit(EXIT_FAILURE);
  }
}
#define cudaCheck(err) (handleError(err, __FILE__, __LINE__))

__global__ void stencil_1d(int *in, int *out) {
  __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
  int gindex = threadIdx.x + (blockIdx.x * blockDim.x) + RADIUS;
  int lindex = threadIdx.x + RADIUS;

  temp[lindex] = in[gindex];
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
  }
  __syncthreads();

  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[lindex + offset];
  out[gindex - RADIUS] = result;
}

int main() {
  static int h_in[NUM_ELEMENTS + 2 * RADIUS], h_out[NUM_ELEMENTS];
  int *d_in, *d_out;

  for (int i = 0; i < (NUM_ELEMENTS + 2 * RADIUS); ++i) h_in[i] = i % 17 == 0 ? 5 : 1;

  cudaCheck(cudaMalloc(&d_in, (NUM_ELEMENTS + 2 * RADIUS) * sizeof(int)));
  cudaCheck(cudaMalloc(&d_out, NUM_ELEMENTS * sizeof(int)));
  cudaCheck(cudaMemcpy(d_in, h_in, (NUM_ELEMENTS + 2 * RADIUS) * sizeof(int), cudaMemcpyHostToDevice));

  stencil_1d<<<(NUM_ELEMENTS + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out);
  cudaCheck(cudaPeekAtLastError());
  cudaCheck(cudaMemcpy(h_out, d_out, NUM_ELEMENTS * sizeof(int), cudaMemcpyDeviceToHost));
  cudaCheck(cudaFree(d_in));
  cudaCheck(cudaFree(d_out));

  for (int i = 0; i < NUM_ELEMENTS; ++i) {
    int expected = 0;
    for (int j = 0; j <= 2 * RADIUS; ++j) expected += h_in[i + j];
    if (h_out[i] != expected) {
      std::cout << "h_out[" << i << "] == " << h_out[i] << " != " << expected << std::endl;
      return 1;
    }
  }
  std::cout << "SUCCESS: between " << *std::min_element(h_out, h_out + NUM_ELEMENTS) << " and "
            << *std::max_element(h_out, h_out + NUM_ELEMENTS) << std::endl;
  return 0;
}
