// one iteration; the first and the last plane in each direction stay
__global__ void laplace3d(int NX, int NY, int NZ, const float* u1, float* u2, float* sum)
{
    extern __shared__ float sdata[];

    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    int k = threadIdx.z + blockIdx.z * blockDim.z;
    int ind = i + NX * (j + NY * k);

    float change = 0;
    if (i < NX && j < NY && k < NZ) {
        float u = u1[ind];
        if (i > 0 && i < NX - 1 && j > 0 && j < NY - 1 && k > 0 && k < NZ - 1)
            u = (u1[ind - 1] + u1[ind + 1] + u1[ind - NX] + u1[ind + NX]
                 + u1[ind - NX * NY] + u1[ind + NX * NY]) / 6;
        u2[ind] = u;
        change = u - u1[ind];
    }

    // the block's three dimensions in one row
    int tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int threads = blockDim.x * blockDim.y * blockDim.z;
    sdata[tid] = change * change;
    __syncthreads();

    for (int s = threads / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) atomicAdd(sum, sdata[0]);
}

__global__ void root_mean_square(const float* sum, float* rms, int points)
{
    *rms = sqrtf(*sum / points);
}

void iterate(int NX, int NY, int NZ, const float* u1, float* u2, float* sum, float* rms, int block)
{
    dim3 threads(block, 2, 2);
    dim3 blocks((NX + block - 1) / block, (NY + 1) / 2, (NZ + 1) / 2);
    int shared = 4 * block * sizeof(float);

    cudaMemset(sum, 0, sizeof(float));
    laplace3d<<<blocks, threads, shared>>>(NX, NY, NZ, u1, u2, sum);
    root_mean_square<<<1, 1>>>(sum, rms, NX * NY * NZ);
}
