// Positions in two buffers that swap roles, and velocities, on the device.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <vector>

class BodySystem {
  public:
    BodySystem(const std::vector<float4>& position, const std::vector<float4>& velocity) : size_(position.size()) {
        for (float4*& p : position_) cudaMalloc(&p, bytes());
        cudaMalloc(&velocity_, bytes());
        cudaMemcpy(position_[0], position.data(), bytes(), cudaMemcpyHostToDevice);
        cudaMemcpy(velocity_, velocity.data(), bytes(), cudaMemcpyHostToDevice);
    }
    virtual ~BodySystem() {
        for (float4* p : position_) cudaFree(p);
        cudaFree(velocity_);
    }
    BodySystem(const BodySystem&) = delete;
    BodySystem& operator=(const BodySystem&) = delete;

    const float4* read() const { return position_[current_]; }
    float4* write() { return position_[1 - current_]; }
    float4* velocity() { return velocity_; }
    void flip() { current_ = 1 - current_; }
    std::vector<float4> positions() const {
        std::vector<float4> all(size_);
        cudaMemcpy(all.data(), read(), bytes(), cudaMemcpyDeviceToHost);
        return all;
    }

  private:
    size_t bytes() const { return size_ * sizeof(float4); }
    size_t size_;
    int current_ = 0;
    float4* position_[2] = {};
    float4* velocity_ = nullptr;
};

/// A heavy body in the middle and light ones around it, in shells.
inline void initial_shells(int n, std::vector<float4>& position, std::vector<float4>& velocity) {
    position.assign(1, make_float4(0, 0, 0, 10));
    velocity.assign(1, make_float4(0, 0, 0, 0));
    for (int i = 1; i < n; ++i) {
        const float angle = i * 2.399963f, radius = 1.0f + 0.02f * i;
        const float speed = std::sqrt(10.0f / radius);
        position.push_back(make_float4(radius * std::cos(angle), radius * std::sin(angle), 0.01f * (i % 7), 0.001f));
        velocity.push_back(make_float4(-speed * std::sin(angle), speed * std::cos(angle), 0, 0));
    }
}
