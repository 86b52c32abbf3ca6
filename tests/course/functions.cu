// Device functions as C++ has them: real calls, recursion, pointers to functions, templates, structures, local arrays.

__device__ __noinline__ int clamp(int x, int low, int high) {
    if (x < low) return low;
    return x > high ? high : x;
}

__global__ void calls(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = clamp(in[i], -5, 5) + clamp(in[i], 0, 100);
}

__device__ __noinline__ void divide(int a, int b, int* quotient, int* rest) {
    *quotient = a / b;
    *rest = a % b;
}

// Results through pointers to the caller's own variables.
__global__ void results_by_pointer(const int* a, const int* b, int* quotients, int* rests, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int quotient, rest;
    divide(a[i], b[i], &quotient, &rest);
    quotients[i] = quotient;
    rests[i] = rest;
}

__device__ unsigned factorial(unsigned n) { return n <= 1 ? 1 : n * factorial(n - 1); }

__device__ __noinline__ int fibonacci(int n) {
    if (n < 2) return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

// Each lane to a depth of its own.
__global__ void recursion(unsigned* factorials, int* numbers, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    factorials[i] = factorial(i % 13);
    numbers[i] = fibonacci(i % 11);
}

__device__ void quick_sort(int* x, int first, int last) {
    if (first >= last) return;
    int pivot = x[last], end = first;
    for (int i = first; i < last; ++i) {
        if (x[i] < pivot) {
            int t = x[i];
            x[i] = x[end];
            x[end++] = t;
        }
    }
    int t = x[last];
    x[last] = x[end];
    x[end] = t;
    quick_sort(x, first, end - 1);
    quick_sort(x, end + 1, last);
}

// Every thread sorts its own piece, recursively.
__global__ void quick_sort_pieces(int* x, int length, int n) {
    int piece = blockIdx.x * blockDim.x + threadIdx.x;
    int first = piece * length;
    if (first < n) quick_sort(x, first, min(first + length, n) - 1);
}

__device__ __noinline__ float add(float a, float b) { return a + b; }
__device__ __noinline__ float subtract(float a, float b) { return a - b; }
__device__ __noinline__ float multiply(float a, float b) { return a * b; }
typedef float (*Operation)(float, float);
__device__ Operation operations[3] = {add, subtract, multiply};

// Through a table of pointers, a different function in neighboring lanes.
__global__ void function_pointers(const float* a, const float* b, const int* which, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = operations[which[i]](a[i], b[i]);
}

template <class F>
__device__ int apply_twice(F f, int x) {
    return f(f(x));
}

__global__ void lambdas(const int* in, int* out, int n, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = apply_twice([=](int x) { return x * 2 + step; }, in[i]);
}

template <typename T, int count>
__global__ void sums_of_several(const T* in, T* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T sum = 0;
#pragma unroll
    for (int k = 0; k < count; ++k) sum += in[i * count + k];
    out[i] = sum;
}

struct Complex {
    float re, im;
    __device__ Complex operator*(const Complex& other) const {
        return {re * other.re - im * other.im, re * other.im + im * other.re};
    }
    __device__ Complex operator+(const Complex& other) const { return {re + other.re, im + other.im}; }
};

__device__ __noinline__ Complex square_plus(Complex z, Complex c) { return z * z + c; }

// Structures passed and returned by value.
__global__ void structures_by_value(const Complex* z, Complex* out, Complex c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = square_plus(z[i], c);
}

struct Polynomial {
    int degree;
    double coefficients[5];
    short shift;
};

// A structure as the kernel's parameter, indexed by what only the run knows.
__global__ void structure_parameter(Polynomial p, const int* which, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = p.coefficients[which[i] % (p.degree + 1)] + p.shift;
}

// A local array with computed indices: how often does each digit occur?
__global__ void local_array(const unsigned* in, int* most_frequent, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int counts[10] = {};
    for (unsigned x = in[i]; x != 0; x /= 10) ++counts[x % 10];
    int best = 0;
    for (int digit = 1; digit < 10; ++digit) {
        if (counts[digit] > counts[best]) best = digit;
    }
    most_frequent[i] = best;
}

struct Animal {
    int weight;
    __device__ Animal(int weight) : weight(weight) {}
    __device__ virtual int food() const { return weight; }
};
struct Bird : Animal {
    __device__ Bird(int weight) : Animal(weight) {}
    __device__ int food() const override { return weight * 3; }
};

__global__ void virtual_functions(const int* weights, int* food, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Animal animal(weights[i]);
    Bird bird(weights[i]);
    const Animal* which = i % 3 == 0 ? &bird : &animal;
    food[i] = which->food();
}

__global__ void switches(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = in[i];
    switch (x) {
        case 0: out[i] = 100; break;
        case 1: out[i] = x * 7; break;
        case 2:
        case 3: out[i] = -x; break;
        case 4: out[i] = x << 5; break;
        case 5: out[i] = x ^ 0x55; break;
        case 6: out[i] = x / 3; break;
        default: out[i] = -1;
    }
}
