// Matrix transpose: naive, through shared memory, and with a padded tile
#include <stdio.h>
#include <stdlib.h>

#define TILE_DIM 32
#define BLOCK_ROWS 8

typedef void (*TransposeKernel)(float *, const float *, int, int);

__global__ void transposeNaive(float *odata, const float *idata, int width, int height)
{
	int x = blockIdx.x * TILE_DIM + threadIdx.x;
	int y = blockIdx.y * TILE_DIM + threadIdx.y;

	for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
		if (x < width && y + j < height)
			odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <int PAD>
__device__ void transposeTile(float *odata, const float *idata, int width, int height)
{
	__shared__ float tile[TILE_DIM][TILE_DIM + PAD];

	int x = blockIdx.x * TILE_DIM + threadIdx.x;
	int y = blockIdx.y * TILE_DIM + threadIdx.y;
	for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
		if (x < width && y + j < height)
			tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
	__syncthreads();

	x = blockIdx.y * TILE_DIM + threadIdx.x;
	y = blockIdx.x * TILE_DIM + threadIdx.y;
	for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
		if (x < height && y + j < width)
			odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transposeShared(float *odata, const float *idata, int width, int height)
{
	transposeTile<0>(odata, idata, width, height);
}

__global__ void transposePadded(float *odata, const float *idata, int width, int height)
{
	transposeTile<1>(odata, idata, width, height);
}

int main(int argc, char **argv)
{
	const int width = 160, height = 100;
	const int mem_size = width * height * sizeof(float);

	dim3 dimGrid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM, 1);
	dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);

	float *h_idata = (float *)malloc(mem_size);
	float *h_tdata = (float *)malloc(mem_size);
	float *d_idata, *d_tdata;
	cudaMalloc(&d_idata, mem_size);
	cudaMalloc(&d_tdata, mem_size);
	for (int i = 0; i < width * height; i++) h_idata[i] = (float)i;
	cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice);

	TransposeKernel kernels[] = {transposeNaive, transposeShared, transposePadded};
	const char *names[] = {"naive", "shared", "padded"};
	int failed = 0;
	for (int k = 0; k < 3; k++)
	{
		TransposeKernel kernel = kernels[k];
		cudaMemset(d_tdata, 0, mem_size);
		kernel << <dimGrid, dimBlock >> >(d_tdata, d_idata, width, height);
		cudaMemcpy(h_tdata, d_tdata, mem_size, cudaMemcpyDeviceToHost);

		int errors = 0;
		for (int j = 0; j < height; j++)
			for (int i = 0; i < width; i++)
				if (h_tdata[i * height + j] != h_idata[j * width + i]) errors++;
		printf("%-8s %s\n", names[k], errors ? "*** FAILED ***" : "ok");
		failed += errors != 0;
	}

	cudaFree(d_tdata);
	cudaFree(d_idata);
	free(h_idata);
	free(h_tdata);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
