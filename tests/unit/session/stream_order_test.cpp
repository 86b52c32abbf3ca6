// Accesses of the same bytes by several streams and the host: a finding if no event and no wait orders them, and none
// if one does.
#include "run_support.h"

#include "analysis/panels/program_lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

/// main() runs a range of cases, each after the previous one has ended.
const std::string cases_of_main = R"(#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void add(float* x, int n, float value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += value;
}
__global__ void every(float* x, int n, int first, int step) {
    int i = first + step * threadIdx.x;
    if (i < n) x[i] = i;
}
__global__ void total(const float* x, int n, float* sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}
const int n = 1000;
const size_t bytes = n * sizeof(float);
float *h, *d, *e;
cudaStream_t a, b, c;
cudaEvent_t done;
void in(cudaStream_t stream) { cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, stream); }
void out(cudaStream_t stream) { cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, stream); }
void work(cudaStream_t stream) { add<<<4, 256, 0, stream>>>(d, n, 1); }
/// add in a and in b, at elements `first` and `second`, as branches that join; then once more after both.
void launch_graph(cudaStream_t into, int first, int second, bool dependent) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done);
    add<<<1, 64, 0, a>>>(d + first, 64, 1);
    if (dependent) cudaEventRecord(done, a), cudaStreamWaitEvent(b, done);
    add<<<1, 64, 0, b>>>(d + second, 64, 2);
    cudaEventRecord(done, b);
    cudaStreamWaitEvent(a, done);
    add<<<1, 256, 0, a>>>(d, 256, 3);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, into);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}
void CUDART_CB read_back(void* sum) { *(float*)sum = h[0]; }
int main(int argc, char** argv) {
    float seen = 0;
    cudaMallocHost(&h, bytes);
    cudaMalloc(&d, bytes);
    cudaMalloc(&e, bytes);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMemset(d, 0, bytes);
    cudaMemset(e, 0, bytes);
    for (int number = atoi(argv[1]); number < atoi(argv[2]); ++number) {
    cudaDeviceSynchronize();
    switch (number) {
        // Sound.
        case 0: in(a), work(a), out(a), cudaStreamSynchronize(a), seen = h[1]; break;
        case 1: in(a), cudaEventRecord(done, a), cudaStreamWaitEvent(b, done, 0), work(b); break;
        case 2: in(a), cudaStreamSynchronize(a), work(b); break;
        case 3: in(a), work(0), out(b), cudaDeviceSynchronize(), seen = h[1]; break;
        case 4:
            for (int i = 0; i < 2; ++i) {
                cudaStream_t stream = i == 0 ? a : b;
                cudaMemcpyAsync(d + 500 * i, h + 500 * i, bytes / 2, cudaMemcpyHostToDevice, stream);
                add<<<2, 256, 0, stream>>>(d + 500 * i, 500, 1);
                cudaMemcpyAsync(h + 500 * i, d + 500 * i, bytes / 2, cudaMemcpyDeviceToHost, stream);
            }
            cudaStreamSynchronize(a), seen = h[1];
            cudaStreamSynchronize(b), seen += h[600];
            break;
        case 5: every<<<1, 512, 0, a>>>(d, n, 0, 2), every<<<1, 512, 0, b>>>(d, n, 1, 2); break;
        case 6: total<<<4, 256, 0, a>>>(d, n, e), total<<<4, 256, 0, b>>>(d, n, e); break;
        case 7: out(a), cudaEventRecord(done, a), cudaEventSynchronize(done), seen = h[1]; break;
        case 8: out(a), cudaLaunchHostFunc(a, read_back, &seen); break;
        case 9: in(a), seen = h[1]; break;
        case 10: work(a), cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost), seen = h[1]; break;
        case 11: out(0), cudaStreamSynchronize(0), seen = h[1]; break;
        case 12: launch_graph(a, 0, 64, false), work(a); break;
        case 13: launch_graph(a, 0, 32, true), cudaEventRecord(done, a), cudaStreamWaitEvent(b, done), work(b); break;
        // Not.
        case 100: in(a), work(b); break;
        case 101: work(a), out(b), cudaStreamSynchronize(b), seen = h[1]; break;
        case 102: out(a), seen = h[1]; break;
        case 103: in(a), h[1] = 7; break;
        case 104: cudaMemset(d, 0, bytes), work(c); break;
        case 105: work(a), cudaEventRecord(done, a), work(a), cudaStreamWaitEvent(b, done, 0), out(b); break;
        case 106: every<<<1, 512, 0, a>>>(d, n, 0, 2), every<<<1, 512, 0, b>>>(d, n, 2, 3); break;
        case 107: total<<<4, 256, 0, a>>>(d, n, e), add<<<1, 1, 0, b>>>(e, 1, 1); break;
        case 108: out(0), seen = h[1]; break;
        case 109: launch_graph(a, 0, 32, false); break;
    }
    }
    cudaDeviceSynchronize();
    cudaFree(d), cudaFree(e), cudaFreeHost(h);
    return seen < 0;
}
)";

class StreamOrder : public testing::Test {
  protected:
    void SetUp() override { NEEDS_HOST_CODE(); }
    static std::vector<trace::Finding> findings_of(int first, int past_last) {
        const ScratchFolder folder;
        Request request{.program = folder.add("order.cu", cases_of_main)};
        request.command_line = {std::to_string(first), std::to_string(past_last)};
        const auto run = run_of(request);
        if (run == nullptr) return {};
        EXPECT_EQ(run->trace().host_end, trace::successful_exit);
        return run->trace().findings;
    }
};

TEST_F(StreamOrder, OrderedWorkIsNotAccused) {
    for (const trace::Finding& finding : findings_of(0, 14))
        ADD_FAILURE() << finding.source_line << ": " << finding.message;
}

TEST_F(StreamOrder, UnorderedWorkIsFoundWithBothLines) {
    std::string text;
    for (const trace::Finding& finding : findings_of(100, 110)) {
        EXPECT_EQ(finding.kind, trace::Finding::Kind::missing_synchronization);
        text += fmt::format("{}: {}\n", finding.source_line, finding.message);
    }
    const std::string remedy =
        " it in another stream, without synchronization between the two. Record an event after one, and let the "
        "other's stream wait for "
        "it\n";
    const std::string wait = ": nothing waits for it. Call cudaStreamSynchronize before\n";
    EXPECT_EQ(text, "23: add writes d[0] to [999], and the copy to d in line 21 writes" + remedy +
                        "22: the copy to h reads d[0] to [999], and add in line 23 writes" + remedy +
                        "86: host code reads h[1], which the copy to h in line 22 may still write" + wait +
                        "87: host code writes h[1], which the copy to d in line 21 may still read" + wait +
                        "23: add writes d[0] to [999], and the fill of d in line 88 writes" + remedy +
                        "90: every writes d[2], and every in line 90 writes" + remedy +
                        "91: add writes e[0], and total in line 91 writes" + remedy +
                        "92: host code reads h[1], which the copy to h in line 22 may still write" + wait +
                        "39: add writes d[32] to [63], and add in line 39 writes it in another branch of the graph, "
                        "without an edge between the two. Let one node depend on the other\n");
}

/// main() has memory that host and kernels reach, `h` of `bytes`, and does what its argument says.
const std::string cases_of_host_memory = R"(#include <cstdlib>
#include <cuda_runtime.h>
__global__ void fill(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 7; }
__global__ void total(const int* x, int n, int* sum) { for (int i = 0; i < n; ++i) *sum += x[i]; }
__global__ void tell(int* x, volatile int* flag) {
    *x = 42;
    __threadfence_system();
    *flag = 1;
}
void CUDART_CB look(void* x) { static volatile int seen = *(int*)x; }
int main(int argc, char** argv) {
    const int n = 1024, number = atoi(argv[1]);
    int *h, *d, *sum;
    if (number >= 200) {
        const size_t bytes = (number >= 300 ? n : 4 * n) * sizeof(int);
        h = (int*)aligned_alloc(64, bytes);
        cudaHostRegister(h, bytes, cudaHostRegisterDefault);
    } else {
        cudaHostAlloc(&h, n * sizeof(int), cudaHostAllocMapped);
    }
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(d, 0, n * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    int* mapped;
    cudaHostGetDevicePointer(&mapped, h, 0);
    cudaStream_t a;
    cudaStreamCreate(&a);
    for (int i = 0; i < n; ++i) h[i] = 1;
    volatile int seen = 0;
    switch (number) {
        // Sound.
        case 0: fill<<<1, n>>>(h, n), cudaDeviceSynchronize(), seen = h[5]; break;
        case 1: fill<<<1, n>>>(h, n), cudaStreamSynchronize(0), seen = h[5]; break;
        case 2: fill<<<1, n, 0, a>>>(h, n), cudaLaunchHostFunc(a, look, h), cudaStreamSynchronize(a); break;
        case 3: total<<<1, 1>>>(h, n, sum), seen = h[5], cudaDeviceSynchronize(), h[5] = 3; break;
        case 4: fill<<<1, 512>>>(h, 512), seen = h[600], cudaDeviceSynchronize(); break;
        case 5:
            tell<<<1, 1>>>(h, h + 1);
            while (((volatile int*)h)[1] != 1) {}
            seen = h[0];
            break;
        case 200: fill<<<1, n>>>(mapped, n), cudaDeviceSynchronize(), seen = h[5]; break;
        // Not.
        case 100: fill<<<1, n>>>(h, n), seen = h[5]; break;
        case 101: total<<<1, 1>>>(h, n, sum), h[6] = 1000; break;
        case 201:
            fill<<<1, n, 0, a>>>(d, n);
            cudaMemcpyAsync(h + 1500, d, 4096, cudaMemcpyDeviceToHost, a);
            seen = h[2000];
            break;
        case 202: fill<<<1, n>>>(mapped + 1500, n), seen = h[2000]; break;
        case 300:
            cudaMemcpyAsync(d, h, 4096, cudaMemcpyHostToDevice, a);
            h[3] = 2;
            total<<<1, 1, 0, a>>>(d, n, sum);
            break;
    }
    cudaDeviceSynchronize();
    if (number >= 200)
        cudaHostUnregister(h), free(h);
    else
        cudaFreeHost(h);
    cudaFree(d), cudaFree(sum), cudaStreamDestroy(a);
    return 0;
}
)";

class HostMemory : public StreamOrder {
  protected:
    /// The findings, "line: message", and remarks.
    static std::string told_of(int number) {
        const ScratchFolder folder;
        Request request{.program = folder.add("host.cu", cases_of_host_memory)};
        request.command_line = {std::to_string(number)};
        const auto run = run_of(request);
        if (run == nullptr) return "no run";
        EXPECT_EQ(run->trace().host_end, trace::successful_exit) << number;
        std::string text;
        for (const trace::Finding& finding : run->trace().findings)
            text += fmt::format("{}: {}\n", finding.source_line, finding.message);
        for (const trace::HostStep& step : run->trace().host_steps)
            if (step.kind == trace::HostStep::Kind::remark) text += fmt::format("remark: {}\n", step.text);
        return text;
    }
};

TEST_F(HostMemory, ThatWorkUsesIsTheHostsAfterAWait) {
    for (const int number : {0, 1, 2, 3, 4}) EXPECT_EQ(told_of(number), "") << number;
    EXPECT_THAT(told_of(200), testing::Not(testing::HasSubstr("nothing waits"))) << "registered";
}

TEST_F(HostMemory, ThatAKernelWritesOrReadsIsNotTheHostsBefore) {
    EXPECT_EQ(told_of(100),
              "45: host code reads h[5], which fill in line 45 may still write: nothing waits for it. Call "
              "cudaStreamSynchronize before\n");
    EXPECT_EQ(told_of(101),
              "46: host code writes h[6], which total in line 46 may still read: nothing waits for it. Call "
              "cudaStreamSynchronize before\n");
}

TEST_F(HostMemory, OfAFlagThatTheKernelSetsIsNotAccused) {
    EXPECT_THAT(told_of(5),
                testing::StartsWith("remark: not known: whether host code waits for the kernel before it accesses"));
}

TEST_F(HostMemory, ThatIsRegisteredIsWatchedOnItsOwnPagesAndItsWritesElsewhere) {
    EXPECT_THAT(told_of(201), testing::HasSubstr("may still write: nothing waits for it"));
    EXPECT_THAT(told_of(202), testing::HasSubstr("which fill in line 52 may still write: nothing waits for it"));
    EXPECT_THAT(told_of(300), testing::AllOf(testing::HasSubstr("56: before this call host code writes "),
                                             testing::HasSubstr("may still read: nothing waits for it")));
    EXPECT_THAT(told_of(200), testing::HasSubstr("remark: not known: whether host code reads this registered memory"));
}

/// The system returns an error for inaccessible memory, and no signal.
TEST_F(HostMemory, IsReachedByCallsOfTheSystemAsByHostCode) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("files.cu", R"(#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>
extern "C" ssize_t __read_chk(int, void*, size_t, size_t);
__global__ void fill(int* p, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = i; }
int main() {
    const int n = 1 << 14;
    int *pinned, *device, *managed;
    cudaMallocHost(&pinned, 4 * n);
    cudaMalloc(&device, 4 * n);
    cudaMallocManaged(&managed, 4 * n);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    fill<<<1, 128, 0, stream>>>(device, n);
    cudaMemcpyAsync(pinned, device, 4 * n, cudaMemcpyDeviceToHost, stream);
    FILE* file = fopen("a", "wb");
    printf("%zu", fwrite(pinned, 4, n, file));
    fclose(file);
    cudaMemcpyAsync(pinned, device, 4 * n, cudaMemcpyDeviceToHost, stream);
    std::ofstream out("b", std::ios::binary);
    out.write((char*)pinned, 4 * n);
    printf(" %d", int(out.good()));
    out.close();
    fill<<<1, 128, 0, stream>>>(managed, n);
    int c = open("c", O_CREAT | O_RDWR, 0600);
    printf(" %zd", write(c, managed, 4 * n));
    lseek(c, 0, SEEK_SET);
    cudaMemcpyAsync(device, pinned, 4 * n, cudaMemcpyHostToDevice, stream);
    printf(" %zd", read(c, pinned, 4 * n));  // below as _FORTIFY_SOURCE has it
    lseek(c, 0, SEEK_SET);
    cudaMemcpyAsync(device, pinned, 4 * n, cudaMemcpyHostToDevice, stream);
    printf(" %zd", __read_chk(c, pinned, 4 * n, 4 * n));
    printf(" %zd\n", write(c, device, 64));
    close(c);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
    cudaFree(device);
    cudaFree(managed);
}
)")});
    ASSERT_NE(run, nullptr);
    EXPECT_EQ(analysis::printed_by(run->trace()), "16384 1 65536 65536 65536 -1\n");
    const auto told = [&](unsigned line, const char* what) {
        return std::ranges::any_of(run->trace().findings, [&](const trace::Finding& finding) {
            return finding.source_line == line && finding.message.contains(what);
        });
    };
    EXPECT_TRUE(told(18, "host code reads pinned")) << "fwrite";
    EXPECT_TRUE(told(22, "host code reads pinned")) << "a stream";
    EXPECT_TRUE(told(27, "before a synchronization")) << "managed memory";
    EXPECT_TRUE(told(30, "host code writes pinned")) << "read";
    EXPECT_TRUE(told(33, "host code writes pinned")) << "read, checked";
    EXPECT_TRUE(told(34, "a device pointer to a function of the system")) << "device memory";
}

TEST_F(StreamOrder, AWaitForAnotherStreamsWorkIsNotAccused) {
    const std::string kernels =
        "#include <cuda_runtime.h>\n__device__ volatile int flag;\n"
        "__global__ void waits(int* out) { while (flag == 0) {} *out = 1; }\n__global__ void sets() { flag = 1; }\n";
    const auto ends = [&](const std::string& streams) {
        const ScratchFolder folder;
        return run_of(
            {.program = folder.add("wait.cu", kernels + "int main() {\n    int* d;\n    cudaMalloc(&d, 4);\n" +
                                                  streams + "    cudaDeviceSynchronize();\n}\n")});
    };
    const auto unknown = ends(
        "    cudaStream_t a, b;\n    cudaStreamCreate(&a);\n    cudaStreamCreate(&b);\n    waits<<<1, 1, 0, a>>>(d);\n"
        "    sets<<<1, 1, 0, b>>>();\n");
    ASSERT_NE(unknown, nullptr);
    const auto of_kind = [](const session::Run& run, trace::Finding::Kind kind) {
        return std::ranges::count(run.trace().findings, kind, &trace::Finding::kind);
    };
    EXPECT_EQ(of_kind(*unknown, trace::Finding::Kind::deadlock), 0);
    EXPECT_THAT(unknown->trace().notes,
                testing::Contains(
                    testing::AllOf(testing::StartsWith("Not known: whether launch 0 ends"),
                                   testing::HasSubstr("Work of another stream may write there while a kernel runs"))));
    EXPECT_EQ(unknown->trace().host_end, analysis::unknown_end) << "host code does not go on with what is not known";
    const auto deadlock = ends("    waits<<<1, 1>>>(d);\n    sets<<<1, 1>>>();\n");
    ASSERT_NE(deadlock, nullptr);
    EXPECT_EQ(of_kind(*deadlock, trace::Finding::Kind::deadlock), 1) << "one stream is in order";
}

}  // namespace
}  // namespace lanescope::session
