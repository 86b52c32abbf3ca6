// A string's terminating zero is copied back, too, but no room was made for it on the device.
#include <cstdio>
#include <cstring>

__global__ void rot13(char* text, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length) return;
    char c = text[i];
    if (c >= 'a' && c <= 'z') text[i] = 'a' + (c - 'a' + 13) % 26;
    if (c >= 'A' && c <= 'Z') text[i] = 'A' + (c - 'A' + 13) % 26;
}

int main() {
    const char* message = "Uryyb, Jbeyq! Gur onpx fvqr bs gur jnec.";
    const int length = strlen(message);
    char decoded[64] = {}, whole[64] = {};
    char* d_text;
    cudaMalloc(&d_text, length);
    cudaMemcpy(d_text, message, length, cudaMemcpyHostToDevice);
    rot13<<<2, 32>>>(d_text, length);
    cudaMemcpy(decoded, d_text, length, cudaMemcpyDeviceToHost);
    cudaMemcpy(whole, d_text, length + 1, cudaMemcpyDeviceToHost);  // one byte too many
    cudaGetLastError();
    printf("%s\n", decoded);
    cudaFree(d_text);
    return strcmp(decoded, "Hello, World! The back side of the warp.") != 0;
}
