// An atomic update of block scope is not atomic for other blocks, and releases nothing for them.
__global__ void faulty_update(const int* in, int* out, int* parts) {
    if (threadIdx.x == 0) atomicAdd_block(&out[0], in[blockIdx.x]);
}

__global__ void sound_update(const int* in, int* out, int* parts) {
    atomicAdd_block(&out[blockIdx.x], in[blockIdx.x]);
}

__global__ void faulty_release(const int* in, int* out, int* parts) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        parts[0] = in[0];
        asm volatile("st.release.cta.global.u32 [%0], 1;" ::"l"(parts + 1) : "memory");
    } else if (blockIdx.x == 1) {
        int ready = 0;
        while (!ready) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(parts + 1) : "memory");
        out[1] = parts[0];
    }
}

__global__ void sound_release(const int* in, int* out, int* parts) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        parts[0] = in[0];
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(parts + 1) : "memory");
    } else if (blockIdx.x == 1) {
        int ready = 0;
        while (!ready) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(parts + 1) : "memory");
        out[1] = parts[0];
    }
}
// lanescope: n = 8
// lanescope: block = 32
// lanescope: grid = 8
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(8)
// lanescope: arg parts = zeros(2)
