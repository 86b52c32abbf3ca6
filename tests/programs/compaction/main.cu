// Stream compaction: the predicate is a functor, positions come from ballots and one atomic per warp or from a scan.
#include <algorithm>
#include <cstdio>
#include <vector>

struct IsPrime {
    __host__ __device__ bool operator()(int v) const {
        if (v < 2) return false;
        for (int d = 2; d * d <= v; ++d)
            if (v % d == 0) return false;
        return true;
    }
};
struct InRange {
    int low, high;
    __host__ __device__ bool operator()(int v) const { return v >= low && v < high; }
};

template <typename Predicate>
__global__ void compact_unordered(const int* in, int n, int* out, int* count, Predicate keep) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const bool kept = i < n && keep(in[i]);
    const unsigned ballot = __ballot_sync(0xffffffffu, kept);
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(ballot));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (kept) out[base + __popc(ballot & ((1u << lane) - 1))] = in[i];
}

template <typename Predicate>
__global__ void mark(const int* in, int n, int* flags, Predicate keep) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) flags[i] = keep(in[i]) ? 1 : 0;
}

// Hillis and Steele, one block
__global__ void scan_inclusive(int* v, int n) {
    for (int offset = 1; offset < n; offset *= 2) {
        const int i = threadIdx.x;
        int add = 0;
        if (i >= offset && i < n) add = v[i - offset];
        __syncthreads();
        if (i < n) v[i] += add;
        __syncthreads();
    }
}

__global__ void scatter(const int* in, int n, const int* inclusive, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int before = i == 0 ? 0 : inclusive[i - 1];
    if (inclusive[i] != before) out[before] = in[i];
}

template <typename Predicate>
bool compare(const char* name, const std::vector<int>& host, Predicate keep) {
    const int n = static_cast<int>(host.size());
    std::vector<int> expected;
    std::copy_if(host.begin(), host.end(), std::back_inserter(expected), keep);

    int *in, *out, *flags, *count;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&flags, n * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    compact_unordered<<<(n + 255) / 256, 256>>>(in, n, out, count, keep);
    int found;
    cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> unordered(found);
    cudaMemcpy(unordered.data(), out, found * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(unordered.begin(), unordered.end());
    std::vector<int> sorted = expected;
    std::sort(sorted.begin(), sorted.end());

    mark<<<(n + 255) / 256, 256>>>(in, n, flags, keep);
    scan_inclusive<<<1, 1024>>>(flags, n);
    scatter<<<(n + 255) / 256, 256>>>(in, n, flags, out);
    std::vector<int> ordered(expected.size());
    cudaMemcpy(ordered.data(), out, ordered.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int* p : {in, out, flags, count}) cudaFree(p);

    const bool good = unordered == sorted && ordered == expected;
    printf("%s: %d of %d, first %d, last %d: %s\n", name, found, n, ordered.front(), ordered.back(),
           good ? "PASSED" : "FAILED");
    return good;
}

int main() {
    std::vector<int> host(1000);
    for (int i = 0; i < 1000; ++i) host[i] = (i * 619) % 1009;
    const bool primes = compare("primes", host, IsPrime());
    const bool range = compare("in range", host, InRange{100, 350});
    return primes && range ? 0 : 1;
}
