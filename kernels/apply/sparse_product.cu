// a row of the matrix begins where first is 1; its elements follow each other
__global__ void multiply(const int* values, const int* columns, const int* first, const int* x,
                         int* y, int n)
{
    extern __shared__ int row[];
    int* sum = row + blockDim.x;

    // each thread multiplies one element of the matrix
    int tid = threadIdx.x;
    row[tid] = tid < n ? first[tid] : 0;
    sum[tid] = tid < n ? values[tid] * x[columns[tid]] : 0;

    // a segmented scan: a sum that begins in a row of its own does not go on from the left
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left_row = tid >= d ? row[tid - d] : 0;
        int left_sum = tid >= d && row[tid] == 0 ? sum[tid - d] : 0;
        __syncthreads();
        row[tid] += left_row;
        sum[tid] += left_sum;
    }

    // row counts the rows that have begun; the last element of a row has its sum
    if (tid < n && (tid == n - 1 || first[tid + 1])) y[row[tid] - 1] = sum[tid];
}
