// Folders and files for the tests of sessions.
#pragma once

#include "scratch_folder.h"
#include "session/catalog.h"
#include "session/run.h"
#include "session/whole_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::session {

/// Whether the program runs at any launch: host code needs nvcc and a sandbox; otherwise only its default launch runs,
/// from shipped steps.
inline bool runs_at_any_launch(const Program& program) { return !program.recipe.host || !cannot_run_programs(); }

#define NEEDS_HOST_CODE() \
    if (const auto problem = cannot_run_programs()) GTEST_SKIP() << problem->message()

/// The tests of a suite that are skipped where host code cannot run.
class NeedsHostCode : public testing::Test {
  protected:
    void SetUp() override { NEEDS_HOST_CODE(); }
};

/// A student's reduction, with the host code that a course's file has.
inline const std::string student_file = R"(#include <cstdio>
#include <cuda_runtime.h>
#define N 64

__global__ void total(const float* x, float* y, int len) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t < len ? x[t] : 0;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) y[0] = s[0];
}

int main() {
    float *x, *y;
    cudaMalloc(&x, N * sizeof(float));
    cudaMalloc(&y, sizeof(float));
    total<<<1, N>>>(x, y, N);
    printf("done\n");
}
)";

/// The run of a request that must succeed.
inline std::shared_ptr<const Run> run_of(const Request& request) {
    Progress progress;
    auto run = session::run(request, progress);
    if (run) return *run;
    ADD_FAILURE() << run.error().field << ": " << run.error().problem.message();
    return nullptr;
}

/// "10: the copy from b reads ...", for each finding.
inline std::vector<std::string> findings_by_line(const Run& run) {
    std::vector<std::string> said;
    for (const trace::Finding& finding : run.trace().findings)
        said.push_back(fmt::format("{}: {}", finding.source_line, finding.message));
    return said;
}

/// The refusal of a request that must fail.
inline Refusal refusal_of(const Request& request) {
    Progress progress;
    const auto run = session::run(request, progress);
    return run ? Refusal{} : run.error();
}

}  // namespace lanescope::session
