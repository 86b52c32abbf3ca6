// A sequence of small kernels is captured from a stream into a graph once, and launched many times.
#include <cstdio>
#include <vector>

#define N 2000
#define NSTEP 6
#define NKERNEL 4

__global__ void shortKernel(float *out_d, const float *in_d)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) out_d[idx] = 1.5f * in_d[idx] - 0.5f * in_d[(idx + 1) % N];
}

__global__ void normalize(float *v, float by)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) v[idx] *= by;
}

int main()
{
    std::vector<float> host(N), result(N);
    for (int i = 0; i < N; i++) host[i] = (float)(i % 8);

    float *a, *b;
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&b, N * sizeof(float));
    cudaMemcpy(a, host.data(), N * sizeof(float), cudaMemcpyHostToDevice);

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    const dim3 blocks((N + 255) / 256), threads(256);

    bool graphCreated = false;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    for (int istep = 0; istep < NSTEP; istep++) {
        if (!graphCreated) {
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
            for (int ikrnl = 0; ikrnl < NKERNEL; ikrnl += 2) {
                shortKernel<<<blocks, threads, 0, stream>>>(b, a);
                shortKernel<<<blocks, threads, 0, stream>>>(a, b);
            }
            normalize<<<blocks, threads, 0, stream>>>(a, 0.125f);
            cudaStreamEndCapture(stream, &graph);
            size_t nodes = 0;
            cudaGraphGetNodes(graph, nullptr, &nodes);
            printf("captured %zu nodes\n", nodes);
            cudaGraphInstantiate(&instance, graph, 0);
            graphCreated = true;
        }
        cudaGraphLaunch(instance, stream);
        cudaStreamSynchronize(stream);
    }
    cudaMemcpy(result.data(), a, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(a);
    cudaFree(b);

    for (int step = 0; step < NSTEP; step++) {
        std::vector<float> next(N);
        for (int k = 0; k < NKERNEL; k++) {
            for (int i = 0; i < N; i++) next[i] = 1.5f * host[i] - 0.5f * host[(i + 1) % N];
            host.swap(next);
        }
        for (float &v : host) v *= 0.125f;
    }
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        const float difference = result[i] - host[i];
        wrong += difference > 1e-3f || difference < -1e-3f;
    }
    printf("%d steps of %d kernels, %d wrong\n", NSTEP, NKERNEL + 1, wrong);
    return wrong ? 1 : 0;
}
