__global__ void fill(cudaSurfaceObject_t surface, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width) surf2DLayeredwrite(1.0f, surface, x * 4, blockIdx.y, 0);
}
