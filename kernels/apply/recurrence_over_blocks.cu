// a map: v becomes slope * v + offset
struct Map {
    float slope, offset;
};

__device__ Map compose(Map first, Map second)
{
    return {second.slope * first.slope, second.slope * first.offset + second.offset};
}

// each map becomes the composition of all up to it, the leftmost applied first
__device__ void scan(Map* maps)
{
    int tid = threadIdx.x;
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        Map left = tid >= d ? maps[tid - d] : Map{1, 0};
        __syncthreads();
        maps[tid] = compose(left, maps[tid]);
    }
    __syncthreads();
}

__global__ void scan_blocks(const float* lambda, const float* u, Map* maps, Map* totals, int n)
{
    extern __shared__ Map temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? Map{1 - lambda[i], lambda[i] * u[i]} : Map{1, 0};
    scan(temp);

    if (i < n) maps[i] = temp[tid];
    if (tid == blockDim.x - 1) totals[blockIdx.x] = temp[tid];
}

__global__ void scan_totals(Map* totals, int blocks)
{
    extern __shared__ Map temp[];

    int tid = threadIdx.x;
    temp[tid] = tid < blocks ? totals[tid] : Map{1, 0};
    scan(temp);

    if (tid < blocks) totals[tid] = temp[tid];
}

// v is 0 at first; a block begins with what the blocks before it make of that 0
__global__ void apply_maps(const Map* maps, const Map* totals, float* v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float before = blockIdx.x > 0 ? totals[blockIdx.x - 1].offset : 0;
    if (i < n) v[i] = maps[i].slope * before + maps[i].offset;
}

void recurrence(const float* lambda, const float* u, float* v, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(Map);
    Map *maps, *totals;
    cudaMalloc(&maps, n * sizeof(Map));
    cudaMalloc(&totals, blocks * sizeof(Map));

    scan_blocks<<<blocks, block, shared>>>(lambda, u, maps, totals, n);
    scan_totals<<<1, block, shared>>>(totals, blocks);
    apply_maps<<<blocks, block>>>(maps, totals, v, n);

    cudaFree(maps);
    cudaFree(totals);
}
