__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    // each thread loads two elements and performs the first step of the reduction
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    sdata[tid] = in[i] + in[i + blockDim.x];
    __syncthreads();

    // do the reduction in shared memory, until one warp is left
    for (unsigned int s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // the last warp needs no block barrier: read, sync the warp, write, sync the warp
    if (tid < 32) {
        int sum = sdata[tid];
        sum += sdata[tid + 32]; __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 16]; __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 8];  __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 4];  __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 2];  __syncwarp(); sdata[tid] = sum; __syncwarp();
        sum += sdata[tid + 1];  __syncwarp(); sdata[tid] = sum; __syncwarp();
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}
