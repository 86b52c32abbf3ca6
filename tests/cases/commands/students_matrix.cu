#include <cstdio>
#include <cstdlib>

// The programming guide's Matrix, with what a course adds to it: a constructor and functions of its own.
struct Matrix {
    int width, height;
    float* elements;

    Matrix(int w, int h) : width(w), height(h), elements(nullptr) {}
    size_t bytes() const { return width * height * sizeof(float); }
    __host__ __device__ int index(int row, int column) const { return row * width + column; }
    __device__ float& at(int row, int column) { return elements[index(row, column)]; }
};

struct Entry {
    float value;
    int row, column;
};

__global__ void multiply(Matrix a, Matrix b, Matrix c) {
    int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < a.width; ++k) sum += a.at(row, k) * b.at(k, column);
    c.at(row, column) = sum;
}

__global__ void find_larger(const Matrix m, Entry* found, int* count, float than) {
    int row = threadIdx.y, column = threadIdx.x;
    float value = m.elements[m.index(row, column)];
    if (value > than) {
        Entry entry = {value, row, column};
        found[atomicAdd(count, 1)] = entry;
    }
}

void upload(Matrix& to, const Matrix& from) {
    cudaError_t status = cudaMalloc(&to.elements, to.bytes());
    if (status != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        exit(EXIT_FAILURE);
    }
    cudaMemcpy(to.elements, from.elements, to.bytes(), cudaMemcpyHostToDevice);
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 4;
    Matrix a(n, n), b(n, n), d_a(n, n), d_b(n, n), d_c(n, n);
    a.elements = (float*)malloc(a.bytes());
    b.elements = (float*)malloc(b.bytes());
    for (int i = 0; i < n * n; ++i) {
        a.elements[i] = i;
        b.elements[i] = i % (n + 1) == 0 ? 2 : 0;
    }
    upload(d_a, a);
    upload(d_b, b);
    cudaMalloc(&d_c.elements, d_c.bytes());
    dim3 block(n, n);
    multiply<<<1, block>>>(d_a, d_b, d_c);

    Entry* found;
    int* count;
    cudaMalloc((void**)&found, n * n * sizeof(Entry));
    cudaMalloc((void**)&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    find_larger<<<1, block>>>(d_c, found, count, 27.0f);

    int h_count;
    cudaMemcpy(&h_count, count, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h_count);
    return 0;
}
