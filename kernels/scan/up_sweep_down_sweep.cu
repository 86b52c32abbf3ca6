__global__ void scan(const int* in, int* out)
{
    extern __shared__ int temp[];

    int t = threadIdx.x;
    int size = 2 * blockDim.x;
    int first = blockIdx.x * size;
    temp[t] = in[first + t];
    temp[t + blockDim.x] = in[first + t + blockDim.x];

    // up-sweep: a tree of sums; each right child adds its left sibling
    for (int stride = 1; stride < size; stride *= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size)
            temp[right] += temp[right - stride];
    }

    // the root becomes 0, the sum of no elements
    if (t == 0) temp[size - 1] = 0;

    // down-sweep: a left child gets its parent's value, a right child that plus the left one's sum
    for (int stride = size / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size) {
            int left = temp[right - stride];
            temp[right - stride] = temp[right];
            temp[right] += left;
        }
    }

    __syncthreads();
    out[first + t] = temp[t];
    out[first + t + blockDim.x] = temp[t + blockDim.x];
}
