__global__ void compress(int* A, int segments, int size)
{
    // the first element of each segment moves down to the start of the array
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = i < segments ? A[i * size] : 0;
    __syncthreads();
    if (i < segments) A[i] = first;
}
