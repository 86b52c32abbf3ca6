// Random numbers are no row pointers and no columns; 0, 1, 2, ... are.
__global__ void multiply(int rows, const int* row_begin, const int* column, const float* value, const float* x,
                         float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = row_begin[row]; k < row_begin[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
}
