#include "unit/host/host_program.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace lanescope::host {
namespace {

using ::testing::HasSubstr;

class HostBuild : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
        folder_ = std::filesystem::temp_directory_path() / ("lanescope-build-test-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    std::expected<Built, compile::CompileFailure> build_files(const std::vector<std::filesystem::path>& sources) const {
        Progress progress;
        BuildRequest request;
        request.sources = sources;
        return build(request, progress);
    }
    std::filesystem::path folder_;
};

TEST_F(HostBuild, TellsNvccsErrorAtItsLine) {
    const auto built = build_files({write("wrong.cu", "int main()\n{\n    return missing;\n}\n")});
    ASSERT_FALSE(built);
    ASSERT_FALSE(built.error().diagnostics.empty());
    EXPECT_EQ(built.error().diagnostics[0].line, 3U);
    EXPECT_THAT(built.error().problem.what, HasSubstr("\"missing\" is undefined"));
}

TEST_F(HostBuild, NamesAFunctionThatTheRuntimeLacks) {
    const auto built = build_files({write(
        "lacks.cu",
        "#include <cuda_runtime.h>\nint main() { cudaIpcMemHandle_t h; return cudaIpcGetMemHandle(&h, 0); }\n")});
    ASSERT_FALSE(built);
    EXPECT_THAT(built.error().problem.what, HasSubstr("cudaIpcGetMemHandle"));
    EXPECT_THAT(built.error().problem.what, HasSubstr("does not implement"));
}

TEST_F(HostBuild, CompilesAnewWhatAHeaderChanged) {
    write("number.h", "#define NUMBER 1\n");
    const auto source = write("uses.cu", "#include \"number.h\"\nint main() { return NUMBER; }\n");
    const auto first = build_files({source}), second = build_files({source});
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(first->cached);
    EXPECT_TRUE(second->cached);
    write("number.h", "#define NUMBER 2\n");
    const auto third = build_files({source});
    ASSERT_TRUE(third);
    EXPECT_FALSE(third->cached);
}

TEST_F(HostBuild, PutsBackWhatOlderCoursesUse) {
    const auto built = build_files({write("older.cu",
                                          "#include <cuda_runtime.h>\n"
                                          "int main()\n{\n"
                                          "    cudaDeviceProp properties;\n"
                                          "    cudaGetDeviceProperties(&properties, 0);\n"
                                          "    int* data;\n"
                                          "    cudaMallocManaged(&data, properties.clockRate > 0 ? 4 : 8);\n"
                                          "    cudaMemPrefetchAsync(data, 4, 0);\n"
                                          "    cudaThreadSynchronize();\n"
                                          "    return properties.deviceOverlap;\n"
                                          "}\n")});
    EXPECT_TRUE(built) << built.error().problem.message();
}

TEST_F(HostBuild, LinksSeveralFiles) {
    const auto built = build_files({write("a.cu", "int other();\nint main() { return other(); }\n"),
                                    write("b.cpp", "int other() { return 0; }\n")});
    EXPECT_TRUE(built) << built.error().problem.message();
}

}  // namespace
}  // namespace lanescope::host
