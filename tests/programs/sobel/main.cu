// Sobel edge detection of a PGM image: reads shapes.pgm, writes edges.pgm, shows the edges.
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct Image {
    int width = 0, height = 0, maximum = 0;
    std::vector<uint8_t> pixels;

    static Image load(const std::string &name) {
        std::ifstream in(name);
        std::string magic, comment;
        in >> magic >> std::ws;
        if (magic != "P2") throw std::runtime_error(name + " is not a plain PGM file");
        while (in.peek() == '#') std::getline(in, comment);
        Image image;
        in >> image.width >> image.height >> image.maximum;
        for (int i = 0, v; i < image.width * image.height && in >> v; ++i) image.pixels.push_back(uint8_t(v));
        return image;
    }
    void save(const std::string &name) const {
        std::ofstream out(name);
        out << "P2\n" << width << ' ' << height << '\n' << maximum << '\n';
        for (size_t i = 0; i < pixels.size(); ++i) out << int(pixels[i]) << ((i + 1) % width ? ' ' : '\n');
    }
};

template <typename T>
struct Span2D {
    T *data;
    int width, height;
    __host__ __device__ T &at(int x, int y) const { return data[y * width + x]; }
    __host__ __device__ T clamped(int x, int y) const {
        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        return at(x, y);
    }
};

__host__ __device__ inline int gradient(Span2D<const uint8_t> in, int x, int y) {
    const int gx = in.clamped(x + 1, y - 1) + 2 * in.clamped(x + 1, y) + in.clamped(x + 1, y + 1) -
                   in.clamped(x - 1, y - 1) - 2 * in.clamped(x - 1, y) - in.clamped(x - 1, y + 1);
    const int gy = in.clamped(x - 1, y + 1) + 2 * in.clamped(x, y + 1) + in.clamped(x + 1, y + 1) -
                   in.clamped(x - 1, y - 1) - 2 * in.clamped(x, y - 1) - in.clamped(x + 1, y - 1);
    return (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
}

__global__ void sobel(Span2D<const uint8_t> in, Span2D<uint8_t> out, int threshold) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height) out.at(x, y) = gradient(in, x, y) > threshold ? 255 : 0;
}

int main(int argc, char **argv) {
    Image image;
    try {
        image = Image::load(argc > 1 ? argv[1] : "shapes.pgm");
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    const size_t bytes = image.pixels.size();
    uint8_t *d_in, *d_out;
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    cudaMemcpy(d_in, image.pixels.data(), bytes, cudaMemcpyHostToDevice);
    const int threshold = 12;
    dim3 block(16, 4), grid((image.width + 15) / 16, (image.height + 3) / 4);
    sobel<<<grid, block>>>({d_in, image.width, image.height}, {d_out, image.width, image.height}, threshold);
    Image edges{image.width, image.height, 255, std::vector<uint8_t>(bytes)};
    cudaMemcpy(edges.pixels.data(), d_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    edges.save("edges.pgm");

    const Image again = Image::load("edges.pgm");
    int wrong = 0;
    for (int y = 0; y < again.height; ++y) {
        for (int x = 0; x < again.width; ++x) {
            const bool edge = again.pixels[y * again.width + x] == 255;
            wrong += edge != (gradient({image.pixels.data(), image.width, image.height}, x, y) > threshold);
            std::cout << (edge ? '*' : '.');
        }
        std::cout << '\n';
    }
    std::cout << (wrong ? "FAILED" : "PASSED") << std::endl;
    return wrong;
}
