// Mandelbrot set: the GPU writes iteration counts, the host writes image.pgm and shows it in characters.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct View {
    float left, top, step;
    int width, height, limit;
};

struct Complex {
    float re, im;
    __host__ __device__ Complex operator*(const Complex& b) const {
        return {re * b.re - im * b.im, re * b.im + im * b.re};
    }
    __host__ __device__ Complex operator+(const Complex& b) const { return {re + b.re, im + b.im}; }
    __host__ __device__ float norm() const { return re * re + im * im; }
};

__host__ __device__ int iterations(Complex c, int limit) {
    Complex z = {0, 0};
    int n = 0;
    while (n < limit && z.norm() <= 4.0f) {
        z = z * z + c;
        ++n;
    }
    return n;
}

__global__ void mandelbrot(unsigned char* image, View view) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= view.width || y >= view.height) return;
    const Complex c = {view.left + x * view.step, view.top - y * view.step};
    image[y * view.width + x] = static_cast<unsigned char>(iterations(c, view.limit));
}

static void write_pgm(const std::string& path, const std::vector<unsigned char>& image, const View& view) {
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << view.width << " " << view.height << "\n" << view.limit << "\n";
    file.write(reinterpret_cast<const char*>(image.data()), image.size());
}

int main() {
    const View view = {-2.03125f, 1.15625f, 0.046875f, 64, 50, 60};
    std::vector<unsigned char> image(view.width * view.height);
    unsigned char* device_image = nullptr;
    if (cudaMalloc(&device_image, image.size()) != cudaSuccess) return EXIT_FAILURE;
    dim3 block(16, 16);
    dim3 grid((view.width + 15) / 16, (view.height + 15) / 16);
    mandelbrot<<<grid, block>>>(device_image, view);
    if (auto error = cudaDeviceSynchronize(); error != cudaSuccess) {
        std::cerr << cudaGetErrorString(error) << '\n';
        return EXIT_FAILURE;
    }
    cudaMemcpy(image.data(), device_image, image.size(), cudaMemcpyDeviceToHost);
    cudaFree(device_image);
    write_pgm("image.pgm", image, view);

    std::ifstream file("image.pgm", std::ios::binary);
    std::string magic;
    int width, height, limit;
    file >> magic >> width >> height >> limit;
    file.get();
    std::vector<char> pixels(width * height);
    file.read(pixels.data(), pixels.size());
    std::cout << magic << ' ' << width << 'x' << height << ", up to " << limit << '\n';
    int inside = 0, differ = 0;
    for (int y = 0; y < height; ++y) {
        std::string row;
        for (int x = 0; x < width; ++x) {
            const int n = pixels[y * width + x];
            inside += n == limit;
            row += n == limit ? '@' : n > 2 ? '+' : ' ';
            const Complex c = {view.left + x * view.step, view.top - y * view.step};
            differ += iterations(c, limit) != n;
        }
        if (y % 4 == 0) std::cout << row.substr(0, row.find_last_not_of(' ') + 1) << '\n';
    }
    std::cout << inside << " points inside, "
              << (differ == 0 ? "agrees with the CPU" : "DISAGREES with the CPU") << '\n';
    std::remove("image.pgm");
    return differ != 0;
}
