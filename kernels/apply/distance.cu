__global__ void sum_of_squares(const float* a, const float* b, float* sum, int n)
{
    extern __shared__ float sdata[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float difference = i < n ? a[i] - b[i] : 0;
    sdata[tid] = difference * difference;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) atomicAdd(sum, sdata[0]);
}

__global__ void root(float* sum)
{
    *sum = sqrtf(*sum);
}

// the root comes last, when all blocks have added their sums
void distance(const float* a, const float* b, float* result, int n, int block)
{
    int blocks = (n + block - 1) / block;
    cudaMemset(result, 0, sizeof(float));
    sum_of_squares<<<blocks, block, block * sizeof(float)>>>(a, b, result, n);
    root<<<1, 1>>>(result);
}
