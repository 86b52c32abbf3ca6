// A block of 64 x 32 threads is more than a block may have; the launch fails and the program does not ask.
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 128
#define HEIGHT 64

__global__ void invert(unsigned char *image, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) image[y * width + x] = 255 - image[y * width + x];
}

int main(void)
{
    unsigned char *image = (unsigned char *)malloc(WIDTH * HEIGHT), *d_image;
    for (int i = 0; i < WIDTH * HEIGHT; i++) image[i] = i % 200;
    cudaMalloc((void **)&d_image, WIDTH * HEIGHT);
    cudaMemcpy(d_image, image, WIDTH * HEIGHT, cudaMemcpyHostToDevice);

    dim3 block(64, 32);
    dim3 grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);
    invert<<<grid, block>>>(d_image, WIDTH, HEIGHT);

    cudaMemcpy(image, d_image, WIDTH * HEIGHT, cudaMemcpyDeviceToHost);
    int inverted = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) inverted += image[i] == 255 - i % 200;
    printf("%d of %d pixels inverted\n", inverted, WIDTH * HEIGHT);
    cudaFree(d_image);
    free(image);
    return inverted == WIDTH * HEIGHT ? 0 : 1;
}
