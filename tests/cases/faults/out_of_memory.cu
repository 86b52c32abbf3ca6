// The heap has 8 MiB; three of these threads ask for more than is left.
__global__ void faulty(int* out) {
    char* piece = static_cast<char*>(malloc(3 << 20));
    out[threadIdx.x] = piece != nullptr;
    if (piece != nullptr && threadIdx.x == 0) piece[0] = 1;
    if (threadIdx.x == 0) free(piece + 1);
}

__global__ void sound(int* out) {
    char* piece = static_cast<char*>(malloc(1000));
    out[threadIdx.x] = piece != nullptr;
    piece[999] = 1;
    free(piece);
}
// lanescope: n = 4
// lanescope: block = 4
// lanescope: grid = 1
// lanescope: arg out = zeros(4)
