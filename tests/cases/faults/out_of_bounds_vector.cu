// The buffer ends within a vector: the last part of the vector load is out of bounds.
__global__ void faulty(const int* in, int* out) {
    const int4 four = reinterpret_cast<const int4*>(in)[threadIdx.x];
    out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

__global__ void sound(const int* in, int* out) {
    if (threadIdx.x == 8) {
        out[8] = in[32] + in[33];
    } else {
        const int4 four = reinterpret_cast<const int4*>(in)[threadIdx.x];
        out[threadIdx.x] = four.x + four.y + four.z + four.w;
    }
}
// lanescope: n = 34
// lanescope: block = 9
// lanescope: grid = 1
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(block)
