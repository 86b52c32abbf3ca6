// Two buffers swap in a loop of launches, a new one is allocated for every frame, and only the last is freed.
#include <cstdio>

class Frame {
  public:
    Frame(int size) : size_(size) { cudaMalloc(&pixels_, size * sizeof(int)); }
    // a copy shares the pixels, so the destructor does not free them
    void release() { cudaFree(pixels_); }
    int* pixels() { return pixels_; }
    int size() const { return size_; }

  private:
    int* pixels_;
    int size_;
};

__global__ void paint(int* pixels, int n, int color) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) pixels[i] = color + i % 3;
}

static int average(Frame frame) {
    int host[128], sum = 0;
    cudaMemcpy(host, frame.pixels(), frame.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < frame.size(); ++i) sum += host[i];
    return sum / frame.size();
}

int main() {
    for (int color = 10; color <= 40; color += 10) {
        Frame frame(90);
        paint<<<3, 32>>>(frame.pixels(), frame.size(), color);
        printf("color %d, average %d\n", color, average(frame));
        if (color == 40) frame.release();
    }
    return 0;
}
