// draws n particles, each in proportion to its weight, by a comb with n equidistant teeth
__global__ void resample(const int* particles, const int* weights, int* drawn, int n)
{
    extern __shared__ int total[];

    // a scan of the weights: particle i owns the numbers from total[i - 1] to total[i] - 1
    int tid = threadIdx.x;
    total[tid] = tid < n ? weights[tid] : 0;
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? total[tid - d] : 0;
        __syncthreads();
        total[tid] += left;
    }
    __syncthreads();
    if (tid >= n) return;

    // a thread looks for the particle that owns its tooth
    int tooth = (2 * tid + 1) * total[n - 1] / (2 * n);
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (total[middle] > tooth)
            high = middle;
        else
            low = middle + 1;
    }
    drawn[tid] = particles[low];
}
