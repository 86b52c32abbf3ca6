// The finding names the member of a structure.
struct Node {
    int key;
    float weight[3];
};

__global__ void faulty(const int* in, float* out) {
    __shared__ Node nodes[32];
    const unsigned t = threadIdx.x;
    nodes[t].key = in[t];
    nodes[t].weight[1] = in[t];
    out[t] = nodes[(t + 1) % 32].weight[1];
}

__global__ void faulty_uninitialized(const int* in, float* out) {
    __shared__ Node nodes[32];
    const unsigned t = threadIdx.x;
    nodes[t].key = in[t];
    __syncthreads();
    out[t] = nodes[31 - t].weight[1];
}

__global__ void faulty_buffer(const Node* nodes, float* out) { out[threadIdx.x] = nodes[threadIdx.x + 1].weight[2]; }

__global__ void sound(const int* in, float* out) {
    __shared__ Node nodes[32];
    const unsigned t = threadIdx.x;
    nodes[t].key = in[t];
    nodes[t].weight[1] = in[t];
    __syncthreads();
    out[t] = nodes[31 - t].weight[1];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg nodes = input(n)
