#include "csr.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <tuple>

CsrMatrix read_matrix_market(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string line;
    do std::getline(file, line);
    while (file && line[0] == '%');
    std::istringstream sizes(line);
    CsrMatrix a;
    int entries = 0;
    sizes >> a.rows >> a.cols >> entries;
    std::vector<std::tuple<int, int, float>> all(entries);
    for (auto& [i, j, v] : all) {
        if (!(file >> i >> j >> v)) throw std::runtime_error(path + " ends early");
        --i;
        --j;
    }
    std::sort(all.begin(), all.end());
    a.row_begin.assign(a.rows + 1, 0);
    for (const auto& [i, j, v] : all) {
        ++a.row_begin[i + 1];
        a.column.push_back(j);
        a.value.push_back(v);
    }
    for (int i = 0; i < a.rows; ++i) a.row_begin[i + 1] += a.row_begin[i];
    return a;
}

std::vector<float> multiply(const CsrMatrix& a, const std::vector<float>& x) {
    std::vector<float> y(a.rows);
    for (int i = 0; i < a.rows; ++i)
        for (int k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) y[i] += a.value[k] * x[a.column[k]];
    return y;
}
