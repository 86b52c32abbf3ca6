// Counts the letters of a file with shared-memory atomics, and writes the counts to a CSV file.
#include <cctype>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

constexpr int kBins = 26;

inline void check(cudaError_t error, const char* what) {
    if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}
#define CHECK(call) check((call), #call)

__global__ void count_letters(const char* text, int length, unsigned* bins) {
    __shared__ unsigned local[kBins];
    if (threadIdx.x < kBins) local[threadIdx.x] = 0;
    __syncthreads();
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        char c = text[i];
        if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
        if (c >= 'a' && c <= 'z') atomicAdd(&local[c - 'a'], 1u);
    }
    __syncthreads();
    if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    std::stringstream content;
    content << file.rdbuf();
    return content.str();
}

int main(int argc, char** argv) try {
    const std::string text = read_file(argc > 1 ? argv[1] : "text.txt");
    char* d_text;
    unsigned* d_bins;
    CHECK(cudaMalloc(&d_text, text.size()));
    CHECK(cudaMalloc(&d_bins, kBins * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, kBins * sizeof(unsigned)));
    count_letters<<<2, 128>>>(d_text, static_cast<int>(text.size()), d_bins);
    CHECK(cudaGetLastError());
    std::vector<unsigned> bins(kBins), expected(kBins);
    CHECK(cudaMemcpy(bins.data(), d_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_text));
    CHECK(cudaFree(d_bins));

    for (unsigned char c : text)
        if (std::isalpha(c)) ++expected[std::tolower(c) - 'a'];
    {
        std::ofstream csv("histogram.csv");
        for (int i = 0; i < kBins; ++i) csv << char('a' + i) << ',' << bins[i] << '\n';
    }
    std::cout << read_file("histogram.csv");
    std::cout << text.size() << " characters, " << (bins == expected ? "counted right" : "COUNTED WRONG") << std::endl;
    return bins == expected ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 2;
}
