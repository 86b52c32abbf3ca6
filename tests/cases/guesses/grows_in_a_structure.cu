// The buffers of a structure's pointers grow as those of parameters do.
struct Image {
    int width, height;
    float* pixels;
};

__global__ void gray(const float* rgb, Image image) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= image.width * image.height) return;
    image.pixels[i] = 0.3f * rgb[3 * i] + 0.6f * rgb[3 * i + 1] + 0.1f * rgb[3 * i + 2];
}

__global__ void far_away(const Image image, float* out) {
    int i = threadIdx.x;
    out[i] = image.pixels[i + 100 * image.width];
}
