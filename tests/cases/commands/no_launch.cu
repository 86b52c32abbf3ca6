#include <cstdio>

int main() {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::printf("a warp has %d threads\n", properties.warpSize);
}
