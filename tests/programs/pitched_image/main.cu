// A picture in pitched memory: copied by rows, blurred in a window, its border filled by cudaMemset2D.
#include <cstdio>
#include <vector>

template <typename T>
struct Pitched {
    T* data = nullptr;
    size_t pitch = 0;
    int width, height;

    Pitched(int width, int height) : width(width), height(height) {
        cudaMallocPitch(reinterpret_cast<void**>(&data), &pitch, width * sizeof(T), height);
    }
    ~Pitched() { cudaFree(data); }
    Pitched(const Pitched&) = delete;

    struct View {
        char* base;
        size_t pitch;
        int width, height;
        __device__ T& operator()(int row, int column) const {
            return reinterpret_cast<T*>(base + row * pitch)[column];
        }
    };
    View view() const { return {reinterpret_cast<char*>(data), pitch, width, height}; }

    void upload(const T* from) {
        cudaMemcpy2D(data, pitch, from, width * sizeof(T), width * sizeof(T), height, cudaMemcpyHostToDevice);
    }
    void download(T* to) const {
        cudaMemcpy2D(to, width * sizeof(T), data, pitch, width * sizeof(T), height, cudaMemcpyDeviceToHost);
    }
};

typedef Pitched<unsigned short> Picture;

__global__ void box_blur(Picture::View in, Picture::View out, int radius) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x + radius;
    const int row = blockIdx.y * blockDim.y + threadIdx.y + radius;
    if (column >= in.width - radius || row >= in.height - radius) return;
    unsigned sum = 0;
    for (int dr = -radius; dr <= radius; ++dr)
        for (int dc = -radius; dc <= radius; ++dc) sum += in(row + dr, column + dc);
    out(row, column) = static_cast<unsigned short>(sum / ((2 * radius + 1) * (2 * radius + 1)));
}

int main() {
    const int width = 90, height = 40, radius = 2;
    std::vector<unsigned short> host(width * height), result(width * height);
    for (int i = 0; i < width * height; ++i) host[i] = static_cast<unsigned short>((i * 97) % 1000);
    Picture in(width, height), out(width, height);
    in.upload(host.data());
    cudaMemset2D(out.data, out.pitch, 0x11, width * sizeof(unsigned short), height);
    dim3 threads(32, 4), blocks((width - 2 * radius + 31) / 32, (height - 2 * radius + 3) / 4);
    box_blur<<<blocks, threads>>>(in.view(), out.view(), radius);
    out.download(result.data());

    int wrong = 0;
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            unsigned expected = 0x1111;
            if (row >= radius && row < height - radius && column >= radius && column < width - radius) {
                expected = 0;
                for (int dr = -radius; dr <= radius; ++dr)
                    for (int dc = -radius; dc <= radius; ++dc) expected += host[(row + dr) * width + column + dc];
                expected /= 25;
            }
            wrong += result[row * width + column] != expected;
        }
    std::printf("border %hx, middle %hu, %d wrong\n", result[0], result[20 * width + 45], wrong);
    return wrong != 0;
}
