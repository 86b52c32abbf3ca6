// How long the work of the default stream took, by a pair of events.
#pragma once

#include <cuda_runtime.h>

class GpuTimer {
  public:
    GpuTimer() {
        cudaEventCreate(&begin_);
        cudaEventCreate(&end_);
    }
    ~GpuTimer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

    void start() { cudaEventRecord(begin_, 0); }
    void stop() {
        cudaEventRecord(end_, 0);
        cudaEventSynchronize(end_);
    }
    float milliseconds() const {
        float elapsed = 0;
        cudaEventElapsedTime(&elapsed, begin_, end_);
        return elapsed;
    }

  private:
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};
