/*
 * Bitonic sort, one launch for every step of every stage.
 */
#include <stdlib.h>
#include <stdio.h>

#define THREADS 128
#define BLOCKS  16
#define NUM_VALS THREADS*BLOCKS

static void array_fill(float *arr, int length)
{
  srand(1);
  unsigned x = 88172645u;
  for (int i = 0; i < length; ++i) {
    x = x * 69069u + 362437u;
    arr[i] = (x >> 8) / 16777216.0f;
  }
}

__global__ void bitonic_sort_step(float *dev_values, int j, int k)
{
  unsigned int i, ixj; /* Sorting partners: i and ixj */
  i = threadIdx.x + blockDim.x * blockIdx.x;
  ixj = i^j;

  /* The threads with the lowest ids sort the array. */
  if ((ixj)>i) {
    if ((i&k)==0) {
      /* Sort ascending */
      if (dev_values[i]>dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
    if ((i&k)!=0) {
      /* Sort descending */
      if (dev_values[i]<dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
  }
}

void bitonic_sort(float *values)
{
  float *dev_values;
  size_t size = NUM_VALS * sizeof(float);

  cudaMalloc((void**) &dev_values, size);
  cudaMemcpy(dev_values, values, size, cudaMemcpyHostToDevice);

  dim3 blocks(BLOCKS,1);    /* Number of blocks   */
  dim3 threads(THREADS,1);  /* Number of threads  */

  int j, k;
  /* Major step */
  for (k = 2; k <= NUM_VALS; k <<= 1) {
    /* Minor step */
    for (j=k>>1; j>0; j=j>>1) {
      bitonic_sort_step<<<blocks, threads>>>(dev_values, j, k);
    }
  }
  cudaMemcpy(values, dev_values, size, cudaMemcpyDeviceToHost);
  cudaFree(dev_values);
}

int main(void)
{
  float *values = (float*) malloc( NUM_VALS * sizeof(float));
  double before = 0, after = 0;
  array_fill(values, NUM_VALS);
  for (int i = 0; i < NUM_VALS; i++) before += values[i];
  bitonic_sort(values);
  int errors = 0;
  for (int i = 0; i < NUM_VALS; i++) {
    after += values[i];
    if (i > 0 && values[i - 1] > values[i]) errors++;
  }
  printf("%d values, first %.4f, median %.3f, last %.4f\n", NUM_VALS, values[0], values[NUM_VALS/2],
         values[NUM_VALS - 1]);
  printf("%d out of order, sum %s\n", errors, before - after < 1e-6 && after - before < 1e-6 ? "kept" : "changed");
  free(values);
  return errors;
}
