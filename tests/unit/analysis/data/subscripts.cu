// Two-dimensional, atomic and wide accesses of shared memory.
__global__ void subscripts(const int* in, int* out)
{
    __shared__ int tile[4][5];
    __shared__ int counts[8];
    __shared__ int4 quads[8];
    int tid = threadIdx.x;
    int row = tid / 4, column = tid % 4;
    if (tid < 8) counts[tid] = 0;
    tile[row][column] = in[tid];
    __syncthreads();
    atomicAdd(&counts[tile[column][row] & 7], 1);
    if (tid < 4) quads[7 - tid] = reinterpret_cast<const int4*>(in)[tid];
    __syncthreads();
    if (tid < 4) {
        int4 four = quads[tid + 4];
        out[tid] = four.x + four.y + four.z + four.w + counts[tid];
    }
}
