// All threads write different values to one address. In the sound twin all write the same value.
__global__ void faulty(const int* in, int* out) { out[0] = in[threadIdx.x]; }

__global__ void sound(const int* in, int* out) {
    if (in[threadIdx.x] > 10) out[0] = 1;
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(1)
