// Copies and kernels in chunks over several streams, joined by events; a host function counts finished chunks.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_TRY(expression)                                                                  \
    if (cudaError_t error = (expression); error != cudaSuccess) {                             \
        std::fprintf(stderr, "%s failed: %s\n", #expression, cudaGetErrorName(error));        \
        std::exit(3);                                                                         \
    }

__global__ void encode(const unsigned char* in, unsigned char* out, int n, unsigned char key) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = static_cast<unsigned char>(in[i] ^ (key + (i & 7)));
}

__global__ void checksum(const unsigned char* data, int n, unsigned* sum) {
    unsigned own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += data[i] * (i % 251 + 1);
    atomicAdd(sum, own);
}

struct Progress {
    std::atomic<int> chunks{0};
};
void CUDART_CB chunk_done(void* data) { static_cast<Progress*>(data)->chunks++; }

int main() {
    constexpr int chunks = 5, per_chunk = 2048, n = chunks * per_chunk, kStreams = 2;
    unsigned char *pinned_in, *pinned_out, *d_in, *d_out;
    unsigned *d_sum, sum = 0;
    CUDA_TRY(cudaMallocHost(&pinned_in, n));
    CUDA_TRY(cudaMallocHost(&pinned_out, n));
    CUDA_TRY(cudaMalloc(&d_in, n));
    CUDA_TRY(cudaMalloc(&d_out, n));
    CUDA_TRY(cudaMalloc(&d_sum, sizeof(unsigned)));
    for (int i = 0; i < n; ++i) pinned_in[i] = static_cast<unsigned char>(i * 13 + i / 256);

    cudaStream_t streams[kStreams], last;
    std::vector<cudaEvent_t> done(chunks);
    for (auto& stream : streams) CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreate(&last));
    for (auto& event : done) CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));

    Progress progress;
    for (int c = 0; c < chunks; ++c) {
        const int at = c * per_chunk;
        cudaStream_t stream = streams[c % kStreams];
        CUDA_TRY(cudaMemcpyAsync(d_in + at, pinned_in + at, per_chunk, cudaMemcpyHostToDevice, stream));
        encode<<<per_chunk / 256, 256, 0, stream>>>(d_in + at, d_out + at, per_chunk, 0x5a);
        CUDA_TRY(cudaGetLastError());
        CUDA_TRY(cudaMemcpyAsync(pinned_out + at, d_out + at, per_chunk, cudaMemcpyDeviceToHost, stream));
        CUDA_TRY(cudaLaunchHostFunc(stream, chunk_done, &progress));
        CUDA_TRY(cudaEventRecord(done[c], stream));
    }
    for (auto event : done) CUDA_TRY(cudaStreamWaitEvent(last, event, 0));
    CUDA_TRY(cudaMemsetAsync(d_sum, 0, sizeof(unsigned), last));
    checksum<<<4, 128, 0, last>>>(d_out, n, d_sum);
    CUDA_TRY(cudaMemcpyAsync(&sum, d_sum, sizeof(unsigned), cudaMemcpyDeviceToHost, last));
    CUDA_TRY(cudaStreamSynchronize(last));
    CUDA_TRY(cudaDeviceSynchronize());

    unsigned expected = 0;
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        const auto value = static_cast<unsigned char>(pinned_in[i] ^ (0x5a + (i % per_chunk & 7)));
        wrong += pinned_out[i] != value;
        expected += value * (i % 251 + 1);
    }
    std::printf("%d chunks done, %d bytes wrong, checksum %u, %s\n", progress.chunks.load(), wrong, sum,
                sum == expected ? "right" : "WRONG");
    for (auto event : done) cudaEventDestroy(event);
    for (auto stream : streams) cudaStreamDestroy(stream);
    cudaStreamDestroy(last);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_sum);
    cudaFreeHost(pinned_in);
    cudaFreeHost(pinned_out);
    return wrong || sum != expected;
}
