// Separable convolution: the filter is constant memory, rows and columns each have their own kernel.
#include <cmath>
#include <cstdio>
#include <vector>

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define TILE_W 32
#define TILE_H 8

__constant__ float c_Kernel[KERNEL_LENGTH];

__global__ void convolutionRowsKernel(float* dst, const float* src, int width, int height)
{
    __shared__ float tile[TILE_H][TILE_W + 2 * KERNEL_RADIUS];
    const int y = blockIdx.y * TILE_H + threadIdx.y;
    const int first = blockIdx.x * TILE_W - KERNEL_RADIUS;
    for (int i = threadIdx.x; i < TILE_W + 2 * KERNEL_RADIUS; i += TILE_W) {
        const int x = first + i;
        tile[threadIdx.y][i] = (x >= 0 && x < width && y < height) ? src[y * width + x] : 0.0f;
    }
    __syncthreads();
    const int x = blockIdx.x * TILE_W + threadIdx.x;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
        sum += c_Kernel[KERNEL_RADIUS - j] * tile[threadIdx.y][threadIdx.x + KERNEL_RADIUS + j];
    dst[y * width + x] = sum;
}

__global__ void convolutionColumnsKernel(float* dst, const float* src, int width, int height)
{
    const int x = blockIdx.x * TILE_W + threadIdx.x;
    const int y = blockIdx.y * TILE_H + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
        if (y + j >= 0 && y + j < height) sum += c_Kernel[KERNEL_RADIUS - j] * src[(y + j) * width + x];
    dst[y * width + x] = sum;
}

static void convolveOnHost(std::vector<float>& dst, const std::vector<float>& src, const float* k, int w, int h,
                           bool rows)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++) {
                const int xx = rows ? x + j : x, yy = rows ? y : y + j;
                if (xx >= 0 && xx < w && yy >= 0 && yy < h) sum += k[KERNEL_RADIUS - j] * src[yy * w + xx];
            }
            dst[y * w + x] = sum;
        }
}

int main()
{
    const int imageW = 100, imageH = 60;
    float h_Kernel[KERNEL_LENGTH];
    for (int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = 1.0f / (1 + abs(i - KERNEL_RADIUS));
    std::vector<float> h_Input(imageW * imageH), h_Buffer(imageW * imageH), h_CPU(imageW * imageH),
        h_GPU(imageW * imageH);
    for (int i = 0; i < imageW * imageH; i++) h_Input[i] = (float)((i * 31) % 16);

    float *d_Input, *d_Output, *d_Buffer;
    const size_t bytes = imageW * imageH * sizeof(float);
    cudaMalloc((void**)&d_Input, bytes);
    cudaMalloc((void**)&d_Output, bytes);
    cudaMalloc((void**)&d_Buffer, bytes);
    cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float));
    cudaMemcpy(d_Input, h_Input.data(), bytes, cudaMemcpyHostToDevice);

    dim3 blocks((imageW + TILE_W - 1) / TILE_W, (imageH + TILE_H - 1) / TILE_H);
    dim3 threads(TILE_W, TILE_H);
    convolutionRowsKernel<<<blocks, threads>>>(d_Buffer, d_Input, imageW, imageH);
    convolutionColumnsKernel<<<blocks, threads>>>(d_Output, d_Buffer, imageW, imageH);
    cudaMemcpy(h_GPU.data(), d_Output, bytes, cudaMemcpyDeviceToHost);

    convolveOnHost(h_Buffer, h_Input, h_Kernel, imageW, imageH, true);
    convolveOnHost(h_CPU, h_Buffer, h_Kernel, imageW, imageH, false);
    double delta = 0, sum = 0;
    for (int i = 0; i < imageW * imageH; i++) {
        delta += (h_GPU[i] - h_CPU[i]) * (h_GPU[i] - h_CPU[i]);
        sum += h_CPU[i] * h_CPU[i];
    }
    const double L2norm = std::sqrt(delta / sum);
    printf("middle: %.2f, corner: %.2f\n", h_GPU[30 * imageW + 50], h_GPU[0]);
    printf("relative L2 norm %s\n", L2norm < 1e-6 ? "below 1e-6: PASSED" : "too large: FAILED");
    cudaFree(d_Buffer);
    cudaFree(d_Output);
    cudaFree(d_Input);
    return L2norm < 1e-6 ? 0 : 1;
}
