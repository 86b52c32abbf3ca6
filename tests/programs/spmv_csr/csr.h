// A sparse matrix by rows, read from a MatrixMarket file.
#pragma once

#include <string>
#include <vector>

struct CsrMatrix {
    int rows = 0, cols = 0;
    std::vector<int> row_begin;  // rows + 1
    std::vector<int> column;
    std::vector<float> value;
};

CsrMatrix read_matrix_market(const std::string& path);
std::vector<float> multiply(const CsrMatrix& a, const std::vector<float>& x);
