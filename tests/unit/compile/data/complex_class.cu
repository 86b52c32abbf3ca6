#include <iostream>
#include <string>
#include <ostream>

class Complex {
public:
    __host__ __device__ Complex(float re = 0, float im = 0) : re_(re), im_(im) {}
    __host__ __device__ Complex operator+(const Complex& o) const { return Complex(re_ + o.re_, im_ + o.im_); }
    __host__ __device__ Complex operator*(const Complex& o) const {
        return Complex(re_ * o.re_ - im_ * o.im_, re_ * o.im_ + im_ * o.re_);
    }
    __device__ float norm() const { return re_ * re_ + im_ * im_; }
    std::string text() const { return std::to_string(re_) + "+" + std::to_string(im_) + "i"; }
    friend std::ostream& operator<<(std::ostream& out, const Complex& c) { return out << c.text(); }
private:
    float re_, im_;
};

__global__ void mandelbrot(int* iterations, int width, int height, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Complex c(3.0f * x / width - 2.0f, 2.0f * y / height - 1.0f), z;
    int i = 0;
    while (i < limit && z.norm() < 4.0f) {
        z = z * z + c;
        ++i;
    }
    iterations[y * width + x] = i;
}

int main()
{
    const int width = 64, height = 64;
    int* d;
    cudaMalloc(&d, width * height * sizeof(int));
    dim3 threads(16, 8, 1), blocks = dim3(width / threads.x, height / threads.y);
    mandelbrot<<<dim3(4, 8), threads>>>(d, width, height, 100);
    int* h = new int[width * height];
    cudaMemcpy(h, d, width * height * sizeof(int), cudaMemcpyDeviceToHost);
    std::cout << Complex(1, 2) << std::endl;
    delete[] h;
}
