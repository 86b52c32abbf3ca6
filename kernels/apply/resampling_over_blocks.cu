__device__ void scan(int* temp)
{
    int tid = threadIdx.x;
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }
    __syncthreads();
}

// total: the weights of a block up to each particle
__global__ void scan_blocks(const int* weights, int* total, int* sums, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? weights[i] : 0;
    scan(temp);

    if (i < n) total[i] = temp[tid];
    if (tid == blockDim.x - 1) sums[blockIdx.x] = temp[tid];
}

// one block scans the sums, as many at a time as it has threads
__global__ void scan_sums(int* sums, int blocks)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int before = 0;
    for (int begin = 0; begin < blocks; begin += blockDim.x) {
        int i = begin + tid;
        temp[tid] = i < blocks ? sums[i] : 0;
        scan(temp);

        if (i < blocks) sums[i] = before + temp[tid];
        before += temp[blockDim.x - 1];
        __syncthreads();
    }
}

// the first of the totals that is greater; the last one, if none is
__device__ int first_greater(const int* total, int count, int number)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (total[middle] > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// a thread looks for the block that owns its tooth, and in the block for the particle
__global__ void draw(const int* particles, const int* total, const int* sums, int* drawn, int n,
                     int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    int tooth = (2LL * i + 1) * sums[blocks - 1] / (2LL * n);
    int owner = first_greater(sums, blocks, tooth);
    if (owner > 0) tooth -= sums[owner - 1];

    int begin = owner * blockDim.x;
    int count = n - begin < blockDim.x ? n - begin : blockDim.x;
    drawn[i] = particles[begin + first_greater(total + begin, count, tooth)];
}

// draws n particles, each in proportion to its weight, by a comb with n equidistant teeth
void resample(const int* particles, const int* weights, int* drawn, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(int);
    int *total, *sums;
    cudaMalloc(&total, n * sizeof(int));
    cudaMalloc(&sums, blocks * sizeof(int));

    scan_blocks<<<blocks, block, shared>>>(weights, total, sums, n);
    scan_sums<<<1, block, shared>>>(sums, blocks);
    draw<<<blocks, block>>>(particles, total, sums, drawn, n, blocks);

    cudaFree(total);
    cudaFree(sums);
}
