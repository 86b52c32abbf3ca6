// The size of the record of a lecture's largest lesson: 1024 threads, ten passes, every register result.
#include "unit/analysis/kernels.h"

#include "trace/file.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

constexpr std::uint64_t megabyte = 1'000'000;

TEST(RecordingSize, Of1024ThreadsByTenPassesIsBoundedInMemoryAndOnDisk) {
    for (const char* name :
         {"reduce/interleaved_modulo", "reduce/strided_index", "reduce/sequential", "scan/double_buffered"}) {
        const auto analysis = analysis_of(kernel_run(name, trace::View::written, 1024, iota(1024)));
        const trace::Trace& trace = *analysis->trace;
        ASSERT_GE(analysis->passes.size(), 11U) << name << ": the load and ten passes";
        EXPECT_LT(trace.memory_bytes(), 64 * megabyte) << name;
        EXPECT_LT(trace::to_bytes(trace).size(), 4 * megabyte) << name;
    }
}

}  // namespace
}  // namespace lanescope::analysis
