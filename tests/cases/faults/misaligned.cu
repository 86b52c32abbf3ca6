// An 8-byte integer must be read from a multiple of 8 bytes.
__global__ void faulty(const int* in, long long* out) {
    out[threadIdx.x] = *reinterpret_cast<const long long*>(in + threadIdx.x);
}

__global__ void sound(const int* in, long long* out) {
    out[threadIdx.x] = reinterpret_cast<const long long*>(in)[threadIdx.x];
}
// lanescope: n = 16
// lanescope: block = 8
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(8)
