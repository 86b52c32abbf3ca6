// An open-addressing hash table: inserted by compare-and-swap, counted by atomicAdd, looked up and emptied.
#include <cstdint>
#include <iostream>
#include <unordered_map>
#include <vector>

#include "hash_table.cuh"

int main() {
    const int n = 900, distinct = 150;
    std::vector<uint32_t> keys(n);
    std::unordered_map<uint32_t, uint32_t> expected;
    for (int i = 0; i < n; ++i) {
        keys[i] = (uint32_t(i) * i * 31 + 7) % distinct * 977;
        ++expected[keys[i]];
    }
    HashTable table(512);
    table.count(keys);
    std::cout << table.used() << " distinct keys of " << n << "\n";

    std::vector<uint32_t> queries;
    for (uint32_t q = 0; q < 200; ++q) queries.push_back(q * 977);
    const std::vector<uint32_t> counts = table.find(queries);
    int wrong = 0, missing = 0;
    for (size_t i = 0; i < queries.size(); ++i) {
        const auto found = expected.find(queries[i]);
        wrong += counts[i] != (found == expected.end() ? 0 : found->second);
        missing += counts[i] == 0;
    }
    std::cout << missing << " of " << queries.size() << " queries not found, " << wrong << " wrong\n";
    table.clear();
    std::cout << table.used() << " after clear\n";
    return wrong + (table.used() != 0);
}
