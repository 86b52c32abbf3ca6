__global__ void histogram_global(const unsigned char* data, int n, unsigned* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[data[i]], 1);
}

// A histogram for each block, then all into one.
__global__ void histogram_privatized(const unsigned char* data, int n, unsigned* bins) {
    __shared__ unsigned own[256];
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) own[bin] = 0;
    __syncthreads();
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&own[data[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        if (own[bin] > 0) atomicAdd(&bins[bin], own[bin]);
    }
}

// Letters only, seven bins of four letters.
__global__ void histogram_of_letters(const char* text, int n, int* bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int position = text[i] - 'a';
    if (position >= 0 && position < 26) atomicAdd(&bins[position / 4], 1);
}

// Weighted, in floating point.
template <int bins>
__global__ void histogram_weighted(const float* values, const float* weights, int n, float* sums) {
    __shared__ float own[bins];
    if (threadIdx.x < bins) own[threadIdx.x] = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int bin = static_cast<int>(values[i] * bins);
        atomicAdd(&own[min(bin, bins - 1)], weights[i]);
    }
    __syncthreads();
    if (threadIdx.x < bins) atomicAdd(&sums[threadIdx.x], own[threadIdx.x]);
}
