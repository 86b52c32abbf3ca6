template <typename T>
__global__ void reduce(const T* in, T* out, int n)
{
    // one declaration for all instances: an extern array can have only one type
    extern __shared__ __align__(8) unsigned char bytes[];
    T* sdata = reinterpret_cast<T*>(bytes);

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : T(0);
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
