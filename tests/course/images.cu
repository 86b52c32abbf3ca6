// Pictures of one byte or four a pixel.

__global__ void gray(const uchar4* in, unsigned char* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    uchar4 pixel = in[y * width + x];
    out[y * width + x] = (77 * pixel.x + 151 * pixel.y + 28 * pixel.z) >> 8;
}

__global__ void blur(const unsigned char* in, unsigned char* out, int width, int height, int radius) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int j = max(0, y - radius); j <= min(height - 1, y + radius); ++j) {
        for (int i = max(0, x - radius); i <= min(width - 1, x + radius); ++i) {
            sum += in[j * width + i];
            ++count;
        }
    }
    out[y * width + x] = sum / count;
}

__global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    auto at = [&](int i, int j) { return (int)in[min(max(j, 0), height - 1) * width + min(max(i, 0), width - 1)]; };
    int gx = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x - 1, y) -
             at(x - 1, y + 1);
    int gy = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x, y - 1) -
             at(x + 1, y - 1);
    out[y * width + x] = min(255, abs(gx) + abs(gy));
}

// A row a block, mirrored in shared memory.
__global__ void mirror(uchar4* picture, int width) {
    extern __shared__ uchar4 row[];
    for (int x = threadIdx.x; x < width; x += blockDim.x) row[x] = picture[blockIdx.x * width + x];
    __syncthreads();
    for (int x = threadIdx.x; x < width; x += blockDim.x) picture[blockIdx.x * width + x] = row[width - 1 - x];
}

// Twice the size, between pixels by weights of quarters.
__global__ void enlarge(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 2 * width || y >= 2 * height) return;
    float fx = fmaxf(0.5f * x - 0.25f, 0.0f), fy = fmaxf(0.5f * y - 0.25f, 0.0f);
    int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
    int x1 = min(x0 + 1, width - 1), y1 = min(y0 + 1, height - 1);
    float wx = fx - x0, wy = fy - y0;
    float top = in[y0 * width + x0] * (1.0f - wx) + in[y0 * width + x1] * wx;
    float bottom = in[y1 * width + x0] * (1.0f - wx) + in[y1 * width + x1] * wx;
    out[y * 2 * width + x] = top * (1.0f - wy) + bottom * wy;
}

__global__ void mandelbrot(int* iterations, int width, int height, int most) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    double cr = -2.0 + 3.0 * x / width, ci = -1.5 + 3.0 * y / height;
    double zr = 0.0, zi = 0.0;
    int count = 0;
    while (count < most && __dadd_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)) <= 4.0) {
        double next = __dadd_rn(__dsub_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)), cr);
        zi = __dadd_rn(__dmul_rn(2.0 * zr, zi), ci);
        zr = next;
        ++count;
    }
    iterations[y * width + x] = count;
}
