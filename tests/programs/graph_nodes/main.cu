// A graph built node by node: two independent branches, a kernel that joins them, and a copy back.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define check(call)                                                                   \
    do {                                                                              \
        cudaError_t status = call;                                                    \
        if (status != cudaSuccess) {                                                  \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));            \
            exit(1);                                                                  \
        }                                                                             \
    } while (false)

__global__ void square(int *v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = v[i] * v[i];
}
__global__ void ramp(int *v, int n, int factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = i * factor;
}
__global__ void join(const int *a, const int *b, int *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, a[i] - b[i]);
}

static void CUDART_CB on_host(void *data) { *static_cast<int *>(data) += 1; }

int main() {
    int n = 300, factor = 3, rounds = 0, result = -1;
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i % 10;
    int *a, *b, *sum;
    check(cudaMalloc(&a, n * sizeof(int)));
    check(cudaMalloc(&b, n * sizeof(int)));
    check(cudaMalloc(&sum, sizeof(int)));

    cudaGraph_t graph;
    check(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t upload, clear, squared, ramped, joined, counted, download;
    check(cudaGraphAddMemcpyNode1D(&upload, graph, nullptr, 0, a, host.data(), n * sizeof(int),
                                   cudaMemcpyHostToDevice));
    cudaMemsetParams zero = {};
    zero.dst = sum;
    zero.elementSize = sizeof(int);
    zero.width = 1;
    zero.height = 1;
    check(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));

    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)square;
    kernel.gridDim = dim3(3);
    kernel.blockDim = dim3(128);
    void *square_arguments[] = {&a, &n};
    kernel.kernelParams = square_arguments;
    check(cudaGraphAddKernelNode(&squared, graph, &upload, 1, &kernel));

    kernel.func = (void *)ramp;
    kernel.gridDim = dim3(5);
    kernel.blockDim = dim3(64);
    void *ramp_arguments[] = {&b, &n, &factor};
    kernel.kernelParams = ramp_arguments;
    check(cudaGraphAddKernelNode(&ramped, graph, &squared, 1, &kernel));

    kernel.func = (void *)join;
    kernel.gridDim = dim3(10);
    kernel.blockDim = dim3(32);
    void *join_arguments[] = {&a, &b, &sum, &n};
    kernel.kernelParams = join_arguments;
    cudaGraphNode_t before_join[] = {squared, ramped, clear};
    check(cudaGraphAddKernelNode(&joined, graph, before_join, 3, &kernel));

    cudaHostNodeParams on_host_node = {};
    on_host_node.fn = on_host;
    on_host_node.userData = &rounds;
    check(cudaGraphAddHostNode(&counted, graph, &joined, 1, &on_host_node));
    check(cudaGraphAddMemcpyNode1D(&download, graph, &counted, 1, &result, sum, sizeof(int), cudaMemcpyDeviceToHost));

    size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes));
    cudaGraphExec_t exec;
    check(cudaGraphInstantiate(&exec, graph, 0));
    factor = 1000;  // the node has copied its arguments
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    for (int i = 0; i < 3; i++) check(cudaGraphLaunch(exec, stream));
    check(cudaStreamSynchronize(stream));

    int expected = 0;
    for (int i = 0; i < n; i++) expected += (i % 10) * (i % 10) - 3 * i;
    printf("%zu nodes, %d rounds, result %d, %s\n", nodes, rounds, result, result == expected ? "PASSED" : "FAILED");
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    check(cudaFree(a));
    check(cudaFree(b));
    check(cudaFree(sum));
    return result == expected ? 0 : 1;
}
