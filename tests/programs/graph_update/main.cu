// Graphs that change: one captured again at each step updates the executable one, a kernel node gets other arguments, a
// graph is a node of another one, a node is switched off.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call)                                                                  \
    do {                                                                             \
        cudaError_t e = (call);                                                      \
        if (e != cudaSuccess) {                                                      \
            printf("%s at line %d\n", cudaGetErrorName(e), __LINE__);                \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

__global__ void step(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = i > 0 ? in[i - 1] : 0.0f, right = i + 1 < n ? in[i + 1] : 1.0f;
    out[i] = 0.5f * (left + right);
}

void stepOnHost(const std::vector<float> &in, std::vector<float> &out)
{
    const int n = (int)in.size();
    for (int i = 0; i < n; ++i)
        out[i] = 0.5f * ((i > 0 ? in[i - 1] : 0.0f) + (i + 1 < n ? in[i + 1] : 1.0f));
}

int main()
{
    const int n = 128;
    float *a, *b;
    CHECK(cudaMalloc(&a, n * sizeof(float)));
    CHECK(cudaMalloc(&b, n * sizeof(float)));
    CHECK(cudaMemset(a, 0, n * sizeof(float)));
    CHECK(cudaMemset(b, 0, n * sizeof(float)));
    CHECK(cudaDeviceSynchronize());
    std::vector<float> ha(n, 0), hb(n, 0), result(n);
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    cudaGraphExec_t captured = nullptr;
    int updates = 0;
    for (int round = 0; round < 4; ++round) {
        cudaGraph_t graph;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        step<<<1, n, 0, stream>>>(round % 2 ? b : a, round % 2 ? a : b, n);
        CHECK(cudaStreamEndCapture(stream, &graph));
        if (captured == nullptr) {
            CHECK(cudaGraphInstantiate(&captured, graph, 0));
        } else {
            cudaGraphExecUpdateResultInfo info;
            CHECK(cudaGraphExecUpdate(captured, graph, &info));
            updates += info.result == cudaGraphExecUpdateSuccess;
        }
        CHECK(cudaGraphLaunch(captured, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaGraphDestroy(graph));
        if (round % 2) stepOnHost(hb, ha);
        else stepOnHost(ha, hb);
    }

    cudaGraph_t inner, outer;
    cudaGraphNode_t first, second, child, roots[4];
    int size = n;
    void *forth[] = {&a, &b, &size}, *back[] = {&b, &a, &size};
    cudaKernelNodeParams parameters = {};
    parameters.func = (void *)step;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(n);
    parameters.kernelParams = forth;
    CHECK(cudaGraphCreate(&inner, 0));
    CHECK(cudaGraphAddKernelNode(&first, inner, nullptr, 0, &parameters));
    parameters.kernelParams = back;
    CHECK(cudaGraphAddKernelNode(&second, inner, &first, 1, &parameters));
    CHECK(cudaGraphCreate(&outer, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner));
    size_t rootCount = 4;
    CHECK(cudaGraphGetRootNodes(outer, roots, &rootCount));
    cudaGraphExec_t both, alone;
    CHECK(cudaGraphInstantiate(&both, outer, 0));
    CHECK(cudaGraphLaunch(both, stream));
    stepOnHost(ha, hb);
    stepOnHost(hb, ha);

    CHECK(cudaGraphInstantiate(&alone, inner, 0));
    CHECK(cudaGraphNodeSetEnabled(alone, second, 0));
    CHECK(cudaGraphLaunch(alone, stream));
    stepOnHost(ha, hb);
    CHECK(cudaGraphExecKernelNodeSetParams(alone, first, &parameters));  // back
    CHECK(cudaGraphLaunch(alone, stream));
    stepOnHost(hb, ha);
    CHECK(cudaStreamSynchronize(stream));

    CHECK(cudaMemcpy(result.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += result[i] != ha[i];
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(roots[0], &type));
    printf("%d updates, %zu root, %s, %d wrong\n", updates, rootCount,
           type == cudaGraphNodeTypeGraph ? "a graph" : "no graph", wrong);
    CHECK(cudaGraphExecDestroy(captured));
    CHECK(cudaGraphExecDestroy(both));
    CHECK(cudaGraphExecDestroy(alone));
    CHECK(cudaGraphDestroy(inner));
    CHECK(cudaGraphDestroy(outer));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return wrong;
}
