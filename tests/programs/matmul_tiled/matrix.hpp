// A matrix of floats on the host, row by row.
#pragma once

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

class Matrix {
  public:
    Matrix(int rows, int cols) : rows_(rows), cols_(cols), values_(size_t(rows) * cols) {}

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    size_t bytes() const { return values_.size() * sizeof(float); }
    float* data() { return values_.data(); }
    const float* data() const { return values_.data(); }
    float& operator()(int i, int j) { return values_[size_t(i) * cols_ + j]; }
    float operator()(int i, int j) const { return values_[size_t(i) * cols_ + j]; }

    template <typename F>
    void fill(F value) {
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < cols_; ++j) (*this)(i, j) = value(i, j);
    }

    Matrix operator*(const Matrix& other) const {
        Matrix result(rows_, other.cols_);
        for (int i = 0; i < rows_; ++i)
            for (int k = 0; k < cols_; ++k)
                for (int j = 0; j < other.cols_; ++j) result(i, j) += (*this)(i, k) * other(k, j);
        return result;
    }

    float largest_difference(const Matrix& other) const {
        float largest = 0;
        for (size_t i = 0; i < values_.size(); ++i)
            largest = std::max(largest, std::fabs(values_[i] - other.values_[i]));
        return largest;
    }

    std::string corner(int size) const {
        std::ostringstream out;
        for (int i = 0; i < std::min(size, rows_); ++i)
            for (int j = 0; j < std::min(size, cols_); ++j)
                out << (*this)(i, j) << (j + 1 == std::min(size, cols_) ? "\n" : " ");
        return out.str();
    }

  private:
    int rows_, cols_;
    std::vector<float> values_;
};
