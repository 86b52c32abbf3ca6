// Sparse matrices and graphs.

// Compressed rows: a thread a row.
__global__ void csr_by_threads(const int* row_begins, const int* columns, const float* values, const float* x, float* y,
                               int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = row_begins[row]; k < row_begins[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}

// A warp a row.
__global__ void csr_by_warps(const int* row_begins, const int* columns, const float* values, const float* x, float* y,
                             int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = row_begins[row] + lane; k < row_begins[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}

// Padded rows, column by column in memory; -1 pads.
__global__ void ell(const int* columns, const float* values, const float* x, float* y, int rows, int width) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k) {
        int column = columns[k * rows + row];
        if (column >= 0) sum += values[k * rows + row] * x[column];
    }
    y[row] = sum;
}

// Coordinates: a thread an element.
__global__ void coo(const int* rows, const int* columns, const float* values, const float* x, float* y, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}

// One level of a breadth-first search.
__global__ void bfs_level(const int* edge_begins, const int* edges, int* levels, int* changed, int level, int nodes) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || *(volatile int*)&levels[node] != level) return;
    for (int k = edge_begins[node]; k < edge_begins[node + 1]; ++k) {
        if (atomicCAS(&levels[edges[k]], -1, level + 1) == -1) *(volatile int*)changed = 1;
    }
}

// All shortest paths through node k.
__global__ void floyd_warshall(int* distances, int nodes, int k) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= nodes || column >= nodes || row == k || column == k) return;
    int through = distances[row * nodes + k] + distances[k * nodes + column];
    if (through < distances[row * nodes + column]) distances[row * nodes + column] = through;
}

// Every node takes the smallest label among itself and its neighbors.
__global__ void spread_labels(const int* edge_begins, const int* edges, const int* in, int* out, int nodes) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes) return;
    int label = in[node];
    for (int k = edge_begins[node]; k < edge_begins[node + 1]; ++k) label = min(label, in[edges[k]]);
    out[node] = label;
}

// A list that threads push to, linked by indices.
struct Node {
    int value, next;
};
__device__ int head = -1;
__device__ Node nodes[512];

__global__ void push_all(const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    nodes[i].value = in[i];
    nodes[i].next = atomicExch(&head, i);
}
__global__ void sum_list(int* result) {
    int sum = 0, count = 0;
    for (int i = head; i >= 0; i = nodes[i].next) {
        sum += nodes[i].value;
        ++count;
    }
    result[0] = sum;
    result[1] = count;
}
