// A histogram of a thread's own, one bin too short; and a table in constant memory, read past its end.
__constant__ int table[4] = {1, 10, 100, 1000};

__global__ void faulty(const int* in, int* out) {
    int bins[4];
    for (int i = 0; i < 4; ++i) bins[i] = 0;
    for (int i = 0; i < 8; ++i) bins[in[i] % 5] += table[in[i] % 5];
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += bins[i];
    out[threadIdx.x] = sum;
}

__global__ void faulty_below_zero(const int* in, int* out) {
    int bins[4];
    for (int i = 0; i < 4; ++i) bins[i] = in[i];
    out[threadIdx.x] = bins[in[threadIdx.x] - 1];
}

// The next array begins past its end. (As compiled, the sizes of local arrays are not known.)
__global__ void faulty_next_array(const int* in, int* out) {
    int bins[4], other[4];
    for (int i = 0; i < 4; ++i) bins[i] = other[i] = in[i];
    out[threadIdx.x] = bins[in[threadIdx.x] + 2] + other[in[threadIdx.x]];
}

__global__ void sound(const int* in, int* out) {
    int bins[4];
    for (int i = 0; i < 4; ++i) bins[i] = 0;
    for (int i = 0; i < 8; ++i) bins[in[i] % 4] += table[in[i] % 4];
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += bins[i];
    out[threadIdx.x] = sum;
}

// A pointer past the end is valid if it is not dereferenced.
__global__ void sound_backwards(const int* in, int* out) {
    int bins[4], other[4];
    for (int i = 0; i < 4; ++i) bins[i] = other[i] = in[i];
    int* const end = bins + 4;
    int sum = end[-1 - static_cast<int>(threadIdx.x)];
    for (int* p = end; p-- != bins;) sum += *p;
    for (const int* p = other; p != other + 4; ++p) sum += *p;
    out[threadIdx.x] = sum;
}
// lanescope: n = 8
// lanescope: block = 4
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(block)
