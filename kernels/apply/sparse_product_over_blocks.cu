// how many rows begin in a part of the matrix, and the sum of the products since the last of them
struct Part {
    int rows, sum;
};

__device__ Part join(Part left, Part right)
{
    return {left.rows + right.rows, right.rows > 0 ? right.sum : left.sum + right.sum};
}

// each part becomes the join of all up to it
__device__ void scan(Part* parts)
{
    int tid = threadIdx.x;
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        Part left = {0, 0};
        if (tid >= d) left = parts[tid - d];
        __syncthreads();
        parts[tid] = join(left, parts[tid]);
    }
    __syncthreads();
}

// a row of the matrix begins where first is 1; its elements follow each other
__global__ void scan_blocks(const int* values, const int* columns, const int* first, const int* x,
                            Part* parts, Part* totals, int n)
{
    extern __shared__ Part temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = {0, 0};
    if (i < n) temp[tid] = {first[i], values[i] * x[columns[i]]};
    scan(temp);

    if (i < n) parts[i] = temp[tid];
    if (tid == blockDim.x - 1) totals[blockIdx.x] = temp[tid];
}

// one block scans the totals, as many at a time as it has threads
__global__ void scan_totals(Part* totals, int blocks)
{
    extern __shared__ Part temp[];

    int tid = threadIdx.x;
    Part before = {0, 0};
    for (int begin = 0; begin < blocks; begin += blockDim.x) {
        int i = begin + tid;
        temp[tid] = {0, 0};
        if (i < blocks) temp[tid] = totals[i];
        scan(temp);

        if (i < blocks) totals[i] = join(before, temp[tid]);
        before = join(before, temp[blockDim.x - 1]);
        __syncthreads();
    }
}

// the last element of a row has its sum, but for what the blocks before it hold of the row
__global__ void add_totals(const Part* parts, const Part* totals, const int* first, int* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || (i < n - 1 && first[i + 1] == 0)) return;

    Part part = parts[i];
    if (blockIdx.x > 0) part = join(totals[blockIdx.x - 1], part);
    y[part.rows - 1] = part.sum;
}

void multiply(const int* values, const int* columns, const int* first, const int* x, int* y, int n,
              int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(Part);
    Part *parts, *totals;
    cudaMalloc(&parts, n * sizeof(Part));
    cudaMalloc(&totals, blocks * sizeof(Part));

    scan_blocks<<<blocks, block, shared>>>(values, columns, first, x, parts, totals, n);
    scan_totals<<<1, block, shared>>>(totals, blocks);
    add_totals<<<blocks, block>>>(parts, totals, first, y, n);

    cudaFree(parts);
    cudaFree(totals);
}
