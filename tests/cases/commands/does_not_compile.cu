__global__ void broken(int* x)
{
    x[threadIdx.x] = undefined_name;
    int unused;
}
