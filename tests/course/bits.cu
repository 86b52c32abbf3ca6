// Bits, and integers beyond the ordinary: products of 128 bits, saturation, bytes in a word.

__global__ void count_bits(const unsigned* in, int* ones, int* leading, int* trailing, unsigned* reversed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    ones[i] = __popc(in[i]);
    leading[i] = __clz(in[i]);
    trailing[i] = __ffs(in[i]);
    reversed[i] = __brev(in[i]);
}

__global__ void count_long_bits(const unsigned long long* in, int* out, unsigned long long* reversed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = __popcll(in[i]) + 100 * __clzll(in[i]) + 10000 * __ffsll(in[i]);
    reversed[i] = __brevll(in[i]);
}

__device__ unsigned extract(unsigned x, unsigned first, unsigned count) {
    unsigned field;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(x), "r"(first), "r"(count));
    return field;
}
__device__ unsigned insert(unsigned field, unsigned x, unsigned first, unsigned count) {
    unsigned result;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(field), "r"(x), "r"(first), "r"(count));
    return result;
}

// Swaps the fields [first, first + count) and [0, count).
__global__ void bit_fields(const unsigned* in, unsigned* out, int first, int count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned high = extract(in[i], first, count);
    unsigned low = extract(in[i], 0, count);
    out[i] = insert(low, insert(high, in[i], 0, count), first, count);
}

__global__ void rotate(const unsigned* in, const int* by, unsigned* left, unsigned* right, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    left[i] = __funnelshift_l(in[i], in[i], by[i]);
    right[i] = __funnelshift_rc(in[i], ~in[i], by[i]);
}

__global__ void swap_bytes(const unsigned* in, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __byte_perm(in[i], 0, 0x0123);
}

__global__ void high_products(const long long* a, const long long* b, long long* high, unsigned* high_word, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    high[i] = __mul64hi(a[i], b[i]);
    high_word[i] = __umulhi((unsigned)a[i], (unsigned)b[i]);
}

// 128 bits from carries.
__global__ void long_sums(const ulonglong2* a, const ulonglong2* b, ulonglong2* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long low, high;
    asm("add.cc.u64 %0, %2, %4;\n\taddc.u64 %1, %3, %5;"
        : "=l"(low), "=l"(high)
        : "l"(a[i].x), "l"(a[i].y), "l"(b[i].x), "l"(b[i].y));
    sum[i] = make_ulonglong2(low, high);
}

__global__ void int128(const long long* a, const long long* b, long long* high, long long* quotient, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __int128 product = (__int128)a[i] * b[i] + 12345;
    high[i] = (long long)(product >> 40);
    quotient[i] = (long long)(product * 4 - product);
}

__global__ void saturate(const int* a, const int* b, int* sums, int* differences, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(sums[i]) : "r"(a[i]), "r"(b[i]));
    int d;
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a[i]), "r"(b[i]));
    differences[i] = d;
}

__global__ void byte_dot_products(const int* a, const int* b, int* out, unsigned* distances, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = __dp4a(a[i], b[i], 1000);
    distances[i] = __usad(a[i], b[i], 7u);
}

// SIMD within a word.
__global__ void bytes_in_words(const unsigned* a, const unsigned* b, unsigned* sums, unsigned* greater, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    sums[i] = __vadd4(a[i], b[i]);
    greater[i] = __vcmpgtu4(a[i], b[i]);
}

__global__ void gray_code(unsigned* code, unsigned* back, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = i * 2654435761u;
    unsigned gray = x ^ (x >> 1);
    code[i] = gray;
    for (int shift = 1; shift < 32; shift <<= 1) gray ^= gray >> shift;
    back[i] = gray;
}

// Small types in memory and in arithmetic.
__global__ void small_integers(const signed char* a, const short* b, unsigned char* bytes, short* shorts,
                               long long* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bytes[i] = a[i] + b[i];
    shorts[i] = a[i] * b[i];
    sum[i] = (long long)a[i] - b[i] + (b[i] >> 3) + (unsigned short)b[i] / 7 + a[i] % 5;
}
