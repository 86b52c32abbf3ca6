#pragma once

#include <cstdint>
#include <vector>

struct Slot {
    uint32_t key, count;
};
constexpr uint32_t kEmpty = 0xffffffffu;

__device__ inline uint32_t hash(uint32_t k, uint32_t capacity) {
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    k ^= k >> 16;
    return k & (capacity - 1);
}

__global__ void count_keys(Slot* table, uint32_t capacity, const uint32_t* keys, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t slot = hash(keys[i], capacity);
    while (true) {
        const uint32_t previous = atomicCAS(&table[slot].key, kEmpty, keys[i]);
        if (previous == kEmpty || previous == keys[i]) {
            atomicAdd(&table[slot].count, 1u);
            return;
        }
        slot = (slot + 1) & (capacity - 1);
    }
}

__global__ void find_keys(const Slot* table, uint32_t capacity, const uint32_t* keys, uint32_t* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    counts[i] = 0;
    for (uint32_t slot = hash(keys[i], capacity); table[slot].key != kEmpty; slot = (slot + 1) & (capacity - 1))
        if (table[slot].key == keys[i]) {
            counts[i] = table[slot].count;
            break;
        }
}

__global__ void used_slots(const Slot* table, uint32_t capacity, int* used) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = i < capacity && table[i].key != kEmpty;
    const int in_block = __syncthreads_count(mine);
    if (threadIdx.x == 0) atomicAdd(used, in_block);
}

__global__ void clear_slots(Slot* table, uint32_t capacity) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < capacity) table[i] = {kEmpty, 0};
}

class HashTable {
  public:
    explicit HashTable(uint32_t capacity) : capacity_(capacity) {
        cudaMalloc(&slots_, capacity * sizeof(Slot));
        clear();
    }
    ~HashTable() { cudaFree(slots_); }
    HashTable(const HashTable&) = delete;
    HashTable& operator=(const HashTable&) = delete;

    void clear() { clear_slots<<<blocks(capacity_), kBlock>>>(slots_, capacity_); }
    void count(const std::vector<uint32_t>& keys) {
        uint32_t* device = upload(keys);
        count_keys<<<blocks(keys.size()), kBlock>>>(slots_, capacity_, device, int(keys.size()));
        cudaFree(device);
    }
    std::vector<uint32_t> find(const std::vector<uint32_t>& keys) const {
        uint32_t *device = upload(keys), *found;
        cudaMalloc(&found, keys.size() * sizeof(uint32_t));
        find_keys<<<blocks(keys.size()), kBlock>>>(slots_, capacity_, device, found, int(keys.size()));
        std::vector<uint32_t> counts(keys.size());
        cudaMemcpy(counts.data(), found, keys.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost);
        cudaFree(device);
        cudaFree(found);
        return counts;
    }
    int used() const {
        int *device, host = 0;
        cudaMalloc(&device, sizeof(int));
        cudaMemset(device, 0, sizeof(int));
        used_slots<<<blocks(capacity_), kBlock>>>(slots_, capacity_, device);
        cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(device);
        return host;
    }

  private:
    static constexpr unsigned kBlock = 128;
    static unsigned blocks(size_t n) { return unsigned((n + kBlock - 1) / kBlock); }
    static uint32_t* upload(const std::vector<uint32_t>& v) {
        uint32_t* device;
        cudaMalloc(&device, v.size() * sizeof(uint32_t));
        cudaMemcpy(device, v.data(), v.size() * sizeof(uint32_t), cudaMemcpyHostToDevice);
        return device;
    }
    Slot* slots_ = nullptr;
    uint32_t capacity_;
};
