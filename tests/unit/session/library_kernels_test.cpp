// Findings in kernels that are not the program's own.
#include "session/kept_sources.h"

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Kind = trace::Finding::Kind;

/// A launch of a kernel that stands in `file`, with one finding on `variable`.
trace::Trace with_finding(Kind kind, const std::string& variable) {
    trace::Trace trace;
    trace.launches.push_back({.kernel = "k"});
    trace.shared_arrays.push_back({.name = "tile", .offset = 0, .bytes = 512});
    trace::Finding finding;
    finding.kind = kind;
    finding.variable = variable;
    finding.message = "thread 80 reads tile[3], which no thread of the block has written";
    trace.findings.push_back(finding);
    return trace;
}

ptx::Module module_of(const std::string& file) {
    auto module = ptx::parse(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.loc 1 7 3\n\tret;\n}\n"
        ".file 1 \"" +
        file + "\"\n");
    EXPECT_TRUE(module) << module.error().message();
    return std::move(*module);
}

TEST(LibraryKernels, SharedMemoryThatTheyLeaveUnwrittenIsARemark) {
    trace::Trace trace = with_finding(Kind::uninitialized_read, "tile");
    remark_on_library_kernels(trace, module_of("/opt/toolkit/include/tiles.cuh"), {"/home/student/course"});
    EXPECT_THAT(trace.findings, SizeIs(0));
    ASSERT_THAT(trace.remarks, SizeIs(1));
    EXPECT_THAT(trace.remarks[0].message, HasSubstr("the kernel is a library's (tiles.cuh)"));
}

TEST(LibraryKernels, AllElseStaysAFinding) {
    const auto stays = [](trace::Trace trace, const std::string& file) {
        remark_on_library_kernels(trace, module_of(file), {"/home/student/course"});
        return trace.findings.size() == 1 && trace.remarks.empty();
    };
    const std::string library = "/opt/toolkit/include/tiles.cuh";
    EXPECT_TRUE(stays(with_finding(Kind::uninitialized_read, "tile"), "/home/student/course/main.cu")) << "its own";
    EXPECT_TRUE(stays(with_finding(Kind::uninitialized_read, "in"), library)) << "global memory";
    EXPECT_TRUE(stays(with_finding(Kind::out_of_bounds, "tile"), library));
    EXPECT_TRUE(stays(with_finding(Kind::race, "tile"), library));
}

}  // namespace
}  // namespace lanescope::session
