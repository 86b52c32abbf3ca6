// LSD radix sort, four bits a pass: histogram per block, scan of the histograms, stable scatter.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

namespace {

constexpr int kBits = 4;
constexpr int kBuckets = 1 << kBits;
constexpr int kBlock = 64;

__global__ void histograms(const uint32_t* keys, int n, int shift, uint32_t* counts) {
    __shared__ uint32_t local[kBuckets];
    if (threadIdx.x < kBuckets) local[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) atomicAdd(&local[(keys[i] >> shift) & (kBuckets - 1)], 1u);
    __syncthreads();
    // bucket by bucket, so that one scan gives every block its places
    if (threadIdx.x < kBuckets) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void exclusive_scan(uint32_t* v, int n) {
    __shared__ uint32_t carry, sums[2][256];
    if (threadIdx.x == 0) carry = 0;
    for (int start = 0; start < n; start += 256) {
        const int i = start + threadIdx.x;
        const uint32_t own = i < n ? v[i] : 0;
        int from = 0;
        sums[0][threadIdx.x] = own;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            sums[from ^ 1][threadIdx.x] =
                sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
            from ^= 1;
            __syncthreads();
        }
        if (i < n) v[i] = carry + sums[from][threadIdx.x] - own;
        __syncthreads();
        if (threadIdx.x == 255) carry += sums[from][255];
        __syncthreads();
    }
}

__global__ void scatter(const uint32_t* keys, uint32_t* sorted, int n, int shift, const uint32_t* places) {
    __shared__ uint32_t digits[kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x;
    const uint32_t key = i < n ? keys[i] : 0;
    const uint32_t digit = (key >> shift) & (kBuckets - 1);
    digits[threadIdx.x] = i < n ? digit : kBuckets;
    __syncthreads();
    if (i >= n) return;
    uint32_t rank = 0;
    for (int j = 0; j < threadIdx.x; ++j) rank += digits[j] == digit;
    sorted[places[digit * gridDim.x + blockIdx.x] + rank] = key;
}

}  // namespace

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 3000;
    std::vector<uint32_t> keys(n);
    uint32_t state = 0x9e3779b9u;
    for (auto& key : keys) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        key = state;
    }
    std::vector<uint32_t> expected = keys;
    std::sort(expected.begin(), expected.end());

    const int blocks = (n + kBlock - 1) / kBlock;
    uint32_t *d_keys, *d_sorted, *d_counts;
    cudaMalloc(&d_keys, n * sizeof(uint32_t));
    cudaMalloc(&d_sorted, n * sizeof(uint32_t));
    cudaMalloc(&d_counts, blocks * kBuckets * sizeof(uint32_t));
    cudaMemcpy(d_keys, keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice);
    for (int shift = 0; shift < 32; shift += kBits) {
        histograms<<<blocks, kBlock>>>(d_keys, n, shift, d_counts);
        exclusive_scan<<<1, 256>>>(d_counts, blocks * kBuckets);
        scatter<<<blocks, kBlock>>>(d_keys, d_sorted, n, shift, d_counts);
        std::swap(d_keys, d_sorted);
    }
    cudaMemcpy(keys.data(), d_keys, n * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(d_keys);
    cudaFree(d_sorted);
    cudaFree(d_counts);

    std::cout << std::hex << keys.front() << " ... " << keys[n / 2] << " ... " << keys.back() << std::dec << "\n";
    std::cout << n << " keys " << (keys == expected ? "sorted" : "NOT SORTED") << "\n";
    return keys == expected ? 0 : 1;
}
