__global__ void reduce(const int* a, int* out, int n)
{
    // one thread adds all elements, one after the other; the others have nothing to do
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum = sum + a[i];
        out[0] = sum;
    }
}
