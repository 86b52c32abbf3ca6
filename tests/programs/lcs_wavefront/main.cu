// Longest common subsequence by anti-diagonals, one launch a diagonal; three diagonals are kept in turn.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using std::string;

template <int Which>
struct Sequence {
    char* device = nullptr;
    int length;
    explicit Sequence(const string& s) : length(static_cast<int>(s.size())) {
        cudaMalloc(&device, s.size());
        cudaMemcpy(device, s.c_str(), s.size(), cudaMemcpyHostToDevice);
    }
    ~Sequence() { cudaFree(device); }
    Sequence(const Sequence&) = delete;
};

// cell (i, j) of diagonal d = i + j stands at i
__global__ void diagonal(const char* a, const char* b, int first, int last, int d, const int* before2,
                         const int* before1, int* now) {
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i > last) return;
    const int j = d - i;
    if (i == 0 || j == 0)
        now[i] = 0;
    else if (a[i - 1] == b[j - 1])
        now[i] = before2[i - 1] + 1;
    else
        now[i] = max(before1[i - 1], before1[i]);
}

int lcs_cpu(const string& a, const string& b) {
    std::vector<std::vector<int>> t(a.size() + 1, std::vector<int>(b.size() + 1));
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t j = 1; j <= b.size(); ++j)
            t[i][j] = a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : std::max(t[i - 1][j], t[i][j - 1]);
    return t[a.size()][b.size()];
}

int lcs_gpu(const string& a, const string& b) {
    const Sequence<0> da(a);
    const Sequence<1> db(b);
    int* rows[3];
    for (int*& row : rows) {
        cudaMalloc(&row, (a.size() + 1) * sizeof(int));
        cudaMemset(row, 0, (a.size() + 1) * sizeof(int));
    }
    const int m = da.length, n = db.length;
    for (int d = 0; d <= m + n; ++d) {
        const int first = std::max(0, d - n), last = std::min(d, m);
        diagonal<<<(last - first + 32) / 32, 32>>>(da.device, db.device, first, last, d, rows[(d + 1) % 3],
                                                   rows[(d + 2) % 3], rows[d % 3]);
    }
    int result = 0;
    cudaMemcpy(&result, rows[(m + n) % 3] + m, sizeof(int), cudaMemcpyDeviceToHost);
    for (int* row : rows) cudaFree(row);
    return result;
}

int main(int argc, char** argv) {
    string a = "the quick brown fox jumps over the lazy dog", b = "a thick crown of rocks slumps on every day long";
    if (argc == 3) a = argv[1], b = argv[2];
    const int gpu = lcs_gpu(a, b), cpu = lcs_cpu(a, b);
    std::cout << "\"" << a << "\" and \"" << b << "\": " << gpu << (gpu == cpu ? "" : " WRONG") << std::endl;
    return gpu != cpu;
}
