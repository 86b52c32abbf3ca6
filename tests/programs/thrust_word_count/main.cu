// Counts words and their lengths in the text of standard input with thrust::inner_product and reduce_by_key.
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

__host__ __device__ bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct starts_word {
    __host__ __device__ bool operator()(const char& left, const char& right) const {
        return !is_letter(left) && is_letter(right);
    }
};

__global__ void word_lengths(const char* text, int n, int* length_at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    length_at[i] = 0;
    if (!is_letter(text[i]) || (i > 0 && is_letter(text[i - 1]))) return;
    int length = 0;
    while (i + length < n && is_letter(text[i + length])) ++length;
    length_at[i] = length;
}

int main() {
    const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    if (text.empty()) return 1;
    thrust::device_vector<char> input(text.begin(), text.end());
    int words = thrust::inner_product(input.begin(), input.end() - 1, input.begin() + 1, 0, thrust::plus<int>(),
                                      starts_word());
    if (is_letter(input.front())) ++words;

    const int n = static_cast<int>(text.size());
    thrust::device_vector<int> lengths(n), sizes(n), counts(n);
    word_lengths<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(input.data()), n,
                                           thrust::raw_pointer_cast(lengths.data()));
    thrust::sort(lengths.begin(), lengths.end());
    const auto ends = thrust::reduce_by_key(lengths.begin(), lengths.end(), thrust::constant_iterator<int>(1),
                                            sizes.begin(), counts.begin());
    const int groups = static_cast<int>(ends.first - sizes.begin());

    std::map<int, int> expected;
    int length = 0, all = 0;
    for (char c : text + ".") {
        if (is_letter(c)) {
            ++length;
        } else if (length) {
            ++expected[length];
            ++all;
            length = 0;
        }
    }
    std::cout << words << " words\n";
    std::map<int, int> counted;
    for (int i = 0; i < groups; ++i)
        if (sizes[i] > 0) counted[sizes[i]] = counts[i];
    for (const auto& [size, count] : counted) std::cout << "of " << size << ": " << count << "\n";
    const bool good = counted == expected && words == all;
    std::cout << (good ? "PASSED" : "FAILED") << std::endl;
    return good ? 0 : 1;
}
