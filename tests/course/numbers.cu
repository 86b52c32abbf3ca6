// Numbers: sequences, primes, polynomials, chance.

__global__ void collatz(int* steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    for (long long x = i + 1; x != 1; x = x % 2 == 0 ? x / 2 : 3 * x + 1) ++count;
    steps[i] = count;
}

__global__ void fibonacci_numbers(unsigned long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long a = 0, b = 1;
    for (int k = 0; k < i % 94; ++k) {
        unsigned long long next = a + b;
        a = b;
        b = next;
    }
    out[i] = a;
}

// Strikes out the multiples of every number up to the root of n. One block.
__global__ void sieve(unsigned char* composite, int n) {
    for (int p = 2; p * p <= n; ++p) {
        if (!composite[p]) {
            for (int multiple = p * p + threadIdx.x * p; multiple <= n; multiple += blockDim.x * p)
                composite[multiple] = 1;
        }
        __syncthreads();
    }
}

__global__ void greatest_common_divisors(const unsigned* a, const unsigned* b, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = a[i], y = b[i];
    while (y != 0) {
        unsigned rest = x % y;
        x = y;
        y = rest;
    }
    out[i] = x;
}

__global__ void powers_modulo(const unsigned* base, const unsigned* exponent, unsigned* out, unsigned modulus, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long result = 1, square = base[i] % modulus;
    for (unsigned e = exponent[i]; e != 0; e >>= 1) {
        if (e & 1) result = result * square % modulus;
        square = square * square % modulus;
    }
    out[i] = (unsigned)result;
}

__constant__ double coefficients[6] = {1.0, -0.5, 3.0, 0.25, -2.0, 7.0};

__global__ void horner(const double* x, double* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = coefficients[5];
    for (int k = 4; k >= 0; --k) sum = __fma_rn(sum, x[i], coefficients[k]);
    y[i] = sum;
}

// Points that fall into the quarter circle, by a xorshift generator a thread.
__global__ void monte_carlo(unsigned long long* inside, int rounds) {
    unsigned state = 2463534242u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x);
    unsigned count = 0;
    for (int k = 0; k < rounds; ++k) {
        unsigned words[2];
        for (int j = 0; j < 2; ++j) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            words[j] = state >> 16;
        }
        count += (unsigned long long)words[0] * words[0] + (unsigned long long)words[1] * words[1] < 0xFFFE0001ull;
    }
    for (int offset = 16; offset > 0; offset /= 2) count += __shfl_down_sync(0xffffffff, count, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(inside, (unsigned long long)count);
}

// One step of bodies that attract each other, a tile of them in shared memory at a time.
__global__ void n_body(const float4* bodies, float4* accelerations, int n) {
    __shared__ float4 tile[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int first = 0; first < n; first += 32) {
        tile[threadIdx.x] = first + threadIdx.x < n ? bodies[first + threadIdx.x] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = tile[k].w * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        __syncthreads();
    }
    if (i < n) accelerations[i] = make_float4(ax, ay, az, 0.0f);
}

__global__ void special_functions(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    out[8 * i + 0] = expf(v);
    out[8 * i + 1] = logf(v + 1.0f);
    out[8 * i + 2] = sinf(v);
    out[8 * i + 3] = tanhf(v);
    out[8 * i + 4] = powf(v + 0.5f, 1.5f);
    out[8 * i + 5] = __expf(v);
    out[8 * i + 6] = cbrtf(v);
    out[8 * i + 7] = erff(v);
}

// Rows of a matrix as probabilities: the largest, the sum of exponentials, the quotient.
__global__ void softmax(const float* in, float* out, int columns) {
    __shared__ float cells[64];
    const float* row = in + blockIdx.x * columns;
    float most = -3.4e38f;
    for (int c = threadIdx.x; c < columns; c += 64) most = fmaxf(most, row[c]);
    cells[threadIdx.x] = most;
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
        if (threadIdx.x < s) cells[threadIdx.x] = fmaxf(cells[threadIdx.x], cells[threadIdx.x + s]);
        __syncthreads();
    }
    most = cells[0];
    __syncthreads();
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += 64) sum += expf(row[c] - most);
    cells[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
        if (threadIdx.x < s) cells[threadIdx.x] += cells[threadIdx.x + s];
        __syncthreads();
    }
    for (int c = threadIdx.x; c < columns; c += 64) out[blockIdx.x * columns + c] = expf(row[c] - most) / cells[0];
}

// A warp a row: mean and variance by shuffles.
__global__ void layer_norm(const float* in, float* out, int columns) {
    const float* row = in + blockIdx.x * columns;
    float sum = 0.0f, squares = 0.0f;
    for (int c = threadIdx.x; c < columns; c += 32) sum += row[c];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
    float mean = sum / columns;
    for (int c = threadIdx.x; c < columns; c += 32) squares += (row[c] - mean) * (row[c] - mean);
    for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffff, squares, offset);
    float scale = rsqrtf(squares / columns + 1e-5f);
    for (int c = threadIdx.x; c < columns; c += 32) out[blockIdx.x * columns + c] = (row[c] - mean) * scale;
}

// The largest and where it is, as one word of 64 bits.
__global__ void arg_max(const int* in, int n, unsigned long long* best) {
    __shared__ unsigned long long cells[64];
    unsigned long long own = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64 * gridDim.x) {
        unsigned long long key = (unsigned long long)((unsigned)in[i] ^ 0x80000000u) << 32 | (0xFFFFFFFFu - i);
        own = max(own, key);
    }
    cells[threadIdx.x] = own;
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
        if (threadIdx.x < s) cells[threadIdx.x] = max(cells[threadIdx.x], cells[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicMax(best, cells[0]);
}
