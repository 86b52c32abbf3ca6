// Structures are copied as a whole: padding, bits beside a bit-field and unset members are copied without a finding.
// Using such a member is a fault, in the original or in a copy.
struct Best {
    int index;
    double value;
};

struct Flags {
    unsigned low : 5;
    unsigned high : 7;
};

struct Stack {
    int top;
    int data[4];
    __device__ void push(int value) { data[top++] = value; }
};

__device__ Best better(Best a, Best b) { return a.value >= b.value ? a : b; }
__device__ int sum_of(Stack stack, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += stack.data[i];
    return sum;
}

__global__ void sound_padding(const int* in, int* out) {
    __shared__ Best best[8];
    Best mine;
    mine.index = threadIdx.x;
    mine.value = in[threadIdx.x] * 0.5;
    best[threadIdx.x] = mine;
    __syncthreads();
    for (int k = 4; k > 0; k /= 2) {
        if (threadIdx.x < k) best[threadIdx.x] = better(best[threadIdx.x], best[threadIdx.x + k]);
        __syncthreads();
    }
    out[threadIdx.x] = best[0].index;
}

__global__ void sound_bit_fields(const int* in, int* out) {
    __shared__ Flags flags[8];
    flags[threadIdx.x].low = in[threadIdx.x];
    flags[threadIdx.x].high = 3;
    __syncthreads();
    Flags copy = flags[7 - threadIdx.x];
    out[threadIdx.x] = copy.low + copy.high;
}

__global__ void sound_part(const int* in, int* out) {
    Stack stack;
    stack.top = 0;
    stack.push(in[threadIdx.x]);
    stack.push(2);
    out[threadIdx.x] = sum_of(stack, stack.top);
}

__global__ void faulty_member(const int* in, int* out) {
    __shared__ Best best[8];
    best[threadIdx.x].index = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = best[7 - threadIdx.x].index + best[7 - threadIdx.x].value;
}

__global__ void faulty_given_away(const int* in, int* out) {
    __shared__ Best best[8];
    best[threadIdx.x].value = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = best[7 - threadIdx.x].index;
}

__global__ void faulty_bit_field(const int* in, int* out) {
    __shared__ Flags flags[8];
    if (threadIdx.x != 5) flags[threadIdx.x].low = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = flags[threadIdx.x].low;
}

__global__ void faulty_copy(const int* in, int* out) {
    __shared__ Best best[8];
    best[threadIdx.x].index = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) best[0] = best[1];
    __syncthreads();
    Best copy = best[0];
    out[threadIdx.x] = copy.index + (copy.value > 0 ? 1 : 0);
}

__global__ void faulty_parameter(const int* in, int* out) {
    Stack stack;
    stack.top = 0;
    stack.push(in[threadIdx.x]);
    out[threadIdx.x] = sum_of(stack, in[1] + 1);
}

__global__ void faulty_numbers(const int* in, int* out) {
    __shared__ int cells[9];
    __shared__ int next[8];
    cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    next[threadIdx.x] = cells[threadIdx.x + 1];
    __syncthreads();
    out[threadIdx.x] = next[threadIdx.x];
}
// lanescope: n = 8
// lanescope: block = 8
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
