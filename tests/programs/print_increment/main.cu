// The number of blocks is printed and raised in one expression, and used by the next launch.
#include <iostream>
using namespace std;

__global__ void who(int* out) {
    if (threadIdx.x == 0) out[blockIdx.x] = gridDim.x * 100 + blockIdx.x;
}

int main() {
    int blocks = 0;
    int* d_out;
    int out[8];
    cudaMalloc(&d_out, sizeof(out));
    while (blocks < 5) {
        cout << "launching " << ++blocks << (blocks == 1 ? " block" : " blocks") << endl;
        who<<<blocks, 32>>>(d_out);
        cudaMemcpy(out, d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
        for (int i = 0; i < blocks; i++) cout << out[i] << (i + 1 < blocks ? ' ' : '\n');
    }
    cout << "one more: " << blocks++ << ", then " << blocks << endl;
    who<<<blocks--, 16>>>(d_out);
    cudaMemcpy(out, d_out, sizeof(int) * (blocks + 1), cudaMemcpyDeviceToHost);
    cout << out[0] << ' ' << out[blocks] << endl;
    cudaFree(d_out);
    return 0;
}
