#include "unit/host/host_program.h"

#include "host/compile_commands.h"
#include "host/object_file.h"
#include "host/program_sources.h"
#include "places.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace lanescope::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A project of files in the same folder in each run, so that objects compiled before are found in the cache.
class HostSources : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "build" / "unit_host" /
                  ::testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::remove_all(folder_);
        write(".git/HEAD", "");  // the search for headers ends here
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    /// The names of the sources, or what is wrong.
    std::vector<std::string> names_of(const std::string& opened) {
        Progress progress;
        const auto found = sources_of(folder_ / opened, {}, progress);
        if (!found) return {found.error().problem.what};
        request_ = found->request;
        notes_ = found->notes;
        std::vector<std::string> names;
        for (const auto& source : request_.sources) names.push_back(source.lexically_relative(folder_).string());
        return names;
    }
    std::vector<std::string> includes() const {
        std::vector<std::string> names;
        names.reserve(request_.include.size());
        for (const auto& include : request_.include) names.push_back(include.lexically_relative(folder_).string());
        return names;
    }
    std::filesystem::path folder_;
    BuildRequest request_;
    std::vector<std::string> notes_;
};

TEST_F(HostSources, OfAFileThatLinksAreItAlone) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("alone.cu", "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n");
    write("other.cu", "this is no C++\n");
    EXPECT_THAT(names_of("alone.cu"), ElementsAre("alone.cu"));
}

TEST_F(HostSources, AreReadWithTheHeadersThatTheyIncludeAlone) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("main.cu", "#include <cstdio>\n#include \"inner/used.h\"\nint main() {}\n");
    write("inner/used.h", "#include \"../further.cuh\"\n");
    write("further.cuh", "__host__ __device__ inline int next(int n) { return n + 1; }\n");
    write("unused.h", "__host__ __device__ inline int none() { return 0; }\n");
    EXPECT_THAT(names_of("main.cu"), ElementsAre("main.cu"));
    Progress progress;
    std::set<std::string> names;
    for (const auto& file : files_of(request_, progress)) names.insert(file.filename().string());
    EXPECT_THAT(names, ::testing::IsSupersetOf({"main.cu", "used.h", "further.cuh"}));
    EXPECT_FALSE(names.contains("unused.h"));
    EXPECT_FALSE(names.contains("cstdio"));
}

TEST_F(HostSources, WithAHeadersVariablesOfTheirOwnHaveTheirDeviceCodeApart) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("constants.h", "__constant__ int factor;\n__host__ __device__ int second(int n);\n");
    write("main.cu",
          "#include \"constants.h\"\nvoid run();\n__global__ void one(int* out) { *out = factor; }\n"
          "int main() { run(); }\n");
    write("other.cu",
          "#include \"constants.h\"\n__global__ void two(int* out) { *out = 2 * factor; }\nvoid run() {}\n");
    EXPECT_THAT(names_of("main.cu"), ElementsAre("main.cu", "other.cu"));
    EXPECT_TRUE(request_.apart);
    Progress progress;
    const std::string apart = device_code_of(request_, progress);
    EXPECT_THAT(apart, HasSubstr("_Z3onePi"));
    EXPECT_THAT(apart, HasSubstr("_Z3twoPi"));
    const auto built = build(request_, progress);
    ASSERT_TRUE(built) << built.error().problem.message();
    EXPECT_TRUE(built->cached);
    EXPECT_EQ(without_blanks(apart), without_blanks(read_device_code(built->program)))
        << "the kernels' code is that of the program";
}

TEST_F(HostSources, WithAHeadersVariablesOfTheirOwnMayBeMoreThanTwo) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("constants.h", "__constant__ int factor;\n");
    write("main.cu",
          "#include \"constants.h\"\nvoid run();\nvoid walk();\n__global__ void one(int* out) { *out = factor; }\n"
          "int main() { run(); walk(); }\n");
    write("run.cu", "#include \"constants.h\"\n__global__ void two(int* out) { *out = factor; }\nvoid run() {}\n");
    write("walk.cu", "#include \"constants.h\"\n__global__ void three(int* out) { *out = factor; }\nvoid walk() {}\n");
    EXPECT_THAT(names_of("main.cu"), ::testing::UnorderedElementsAre("main.cu", "run.cu", "walk.cu"));
    EXPECT_TRUE(request_.apart);
}

TEST_F(HostSources, AreCompiledWithTheFlagThatNvccAsksFor) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("lambda.cu",
          "template <class F> __global__ void k(F f) { f(threadIdx.x); }\n"
          "int main() { k<<<1, 32>>>([] __device__(int) {}); }\n");
    EXPECT_THAT(names_of("lambda.cu"), ElementsAre("lambda.cu"));
    EXPECT_THAT(request_.options, ElementsAre("--extended-lambda"));
}

TEST_F(HostSources, ThatLackAHeaderAskForItsFolder) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("lacking.cu", "#include <of_the_course.h>\nint main() {}\n");
    Progress progress;
    const auto found = sources_of(folder_ / "lacking.cu", {}, progress);
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().problem.remedy, HasSubstr("of_the_course.h with -I"));
}

TEST_F(HostSources, AreThoseThatDefineWhatTheLinkLacks) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("src/program.cu",
          "#include \"tools/helper.h\"\n#include <common.h>\nint cpu_sum(int);\nextern __device__ int counter;\n"
          "__global__ void k() { counter = scaled(1); }\nint main() { k<<<1, 1>>>(); return cpu_sum(COMMON); }\n");
    write("include/tools/helper.h", "__device__ int scaled(int);\n");
    write("src/common/common.h", "#define COMMON 0\n");
    write("src/reference.cpp",
          "#include <common.h>\nextern \"C\" int third(int);\nint cpu_sum(int n) { return third(n); }\n");
    write("src/third.c", "int third(int n) { return n; }\n");
    write("src/device.cu", "#include \"tools/helper.h\"\n__device__ int scaled(int v) { return 2 * v; }\n");
    write("src/state.cu", "__device__ int counter;\n");
    write("src/second_program.cu", "int cpu_sum(int n) { return n; }\nint main() { return cpu_sum(1); }\n");
    EXPECT_THAT(names_of("src/program.cu"),
                ElementsAre("src/program.cu", "src/reference.cpp", "src/third.c", "src/device.cu", "src/state.cu"));
    EXPECT_THAT(includes(), ElementsAre("include", "src/common"));
    Progress progress;
    const auto built = build(request_, progress);
    ASSERT_TRUE(built) << built.error().problem.message();
    EXPECT_TRUE(built->cached);
}

TEST_F(HostSources, OfAFolderBeginWithItsMain) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("parts.cpp", "int f() { return 0; }\n");
    write("program.cpp", "int f();\nint main(int, char**) { return f(); }\n");
    EXPECT_THAT(names_of("."), ElementsAre("program.cpp", "parts.cpp"));
    write("second.cpp", "int main () { return 1; }\n");
    EXPECT_THAT(names_of("."), ElementsAre(HasSubstr("define main(): program.cpp, second.cpp")));
}

TEST_F(HostSources, AreFoundInTheOtherFoldersOfTheProgram) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("course/ex1/apps/main.cpp", "int f();\nint main() { return f(); }\n");
    write("course/ex1/lib/deep/f.cpp", "int g();\nint f() { return g(); }\n");
    write("course/ex1/build/CMakeCache.txt", "");
    write("course/ex1/build/g.cpp", "int g() { return 1; }\n");
    write("course/ex1/lib/g.cpp", "int g() { return 0; }\n");
    write("course/ex2/f.cpp", "int f() { return 2; }\n");
    // A folder has all of its files.
    EXPECT_THAT(names_of("course/ex1"),
                ElementsAre("course/ex1/apps/main.cpp", "course/ex1/lib/deep/f.cpp", "course/ex1/lib/g.cpp"));
    // A file has the sources of its program's folder, found by its folder's name or by a build file, and none of
    // another exercise.
    EXPECT_THAT(names_of("course/ex1/apps/main.cpp"),
                ElementsAre("course/ex1/apps/main.cpp", "course/ex1/lib/deep/f.cpp", "course/ex1/lib/g.cpp"));
    write("course/ex1/CMakeLists.txt", "project(ex1 LANGUAGES CXX CUDA)\n");
    EXPECT_THAT(names_of("course/ex1/apps/main.cpp"),
                ElementsAre("course/ex1/apps/main.cpp", "course/ex1/lib/deep/f.cpp", "course/ex1/lib/g.cpp"));
    write("course/ex1/other/main.cpp", "int main() { return 1; }\n");
    EXPECT_THAT(names_of("course/ex1"), ElementsAre(HasSubstr("define main(): apps/main.cpp, other/main.cpp")));
}

TEST_F(HostSources, ThatCallOpenMpAreBuiltWithIt) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("program.cu",
          "#include <omp.h>\n__global__ void k() {}\n"
          "int main() {\n    k<<<1, 1>>>();\n    omp_set_num_threads(3);\n    int threads = 0;\n"
          "#pragma omp parallel\n#pragma omp atomic\n    ++threads;\n    return threads - 3;\n}\n");
    EXPECT_THAT(names_of("program.cu"), ElementsAre("program.cu"));
    EXPECT_THAT(request_.options, ElementsAre("--compiler-options=-fopenmp"));
    Progress progress;
    const auto built = build(request_, progress);
    EXPECT_TRUE(built) << built.error().problem.message();
}

TEST_F(HostSources, WhoseKernelsLaunchKernelsAreRefusedWithTheReason) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("program.cu", "__global__ void child() {}\n__global__ void parent() { child<<<1, 1>>>(); }\nint main() {}\n");
    Progress progress;
    const auto found = sources_of(folder_ / "program.cu", {}, progress);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().problem.where.line, 2U);
    EXPECT_THAT(found.error().problem.remedy, HasSubstr("dynamic parallelism"));
}

TEST_F(HostSources, WithTextureReferencesAreRefusedWithWhatReplacesThem) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("program.cu",
          "texture<float, 1, cudaReadModeElementType> t;\n"
          "__global__ void k(float* out) { out[threadIdx.x] = tex1Dfetch(t, threadIdx.x); }\n"
          "int main() {\n    float* d;\n    cudaMalloc(&d, 128);\n    cudaBindTexture(0, t, d, 128);\n"
          "    k<<<1, 32>>>(d);\n}\n");
    Progress progress;
    const auto found = sources_of(folder_ / "program.cu", {}, progress);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().problem.where.line, 1U);
    EXPECT_THAT(found.error().problem.remedy, HasSubstr("cudaCreateTextureObject"));
}

TEST_F(HostSources, AreMissingWhereNoFileDefinesThem) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("program.cpp", "int f();\nint main() { return f(); }\n");
    write("mentions.cpp", "int f();\nint g() { return f(); }\n");
    EXPECT_THAT(names_of("program.cpp"), ElementsAre("the program calls f(), which none of its files define"));
    write("program.cpp", "#include \"nowhere.h\"\nint main() {}\n");
    EXPECT_THAT(names_of("program.cpp"), ElementsAre(HasSubstr("nowhere.h")));
}

TEST_F(HostSources, AreCompiledAsCompileCommandsSay) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("src/program.cu",
          "#include <far.h>\n#if __cplusplus < 202002L\n#error \"C++20 is wanted\"\n#endif\n"
          "int main() { return SIZE + FAR + f(); }\n");
    write("elsewhere/far.h", "#define FAR 1\nint f();\n");
    write("lib/f.cpp", "int f() { return 0; }\n");
    write("build/compile_commands.json",
          R"([{"directory": "../build", "file": "../src/program.cu", "command":)"
          R"( "nvcc -DSIZE=\"(2 + 1)\" --std=c++20 -I../elsewhere -x cu -c ../src/program.cu -o p.o"},)"
          R"( {"directory": "../build", "file": "../lib/f.cpp", "arguments": ["g++", "-c", "../lib/f.cpp"]}])");
    EXPECT_THAT(names_of("src/program.cu"), ElementsAre("src/program.cu", "lib/f.cpp"));
    EXPECT_THAT(request_.own_options.at(request_.sources.front()).include, ElementsAre(folder_ / "elsewhere"));
    EXPECT_THAT(request_.own_options.at(request_.sources.front()).others, ElementsAre("-std=c++20"));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(HostSources, AreEachCompiledAsTheirOwnCommandSays) {
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
    write("main.cpp",
          "#if defined SCALE || __cplusplus != 201703L\n#error \"of the other file\"\n#endif\n"
          "int scaled();\nint main() { return scaled() + MAIN; }\n");
    write(
        "scale.cu",
        "#if defined MAIN || defined GONE || SCALE != 3 || FIRST != 7 || OF_HOST != 1\n#error \"not its own\"\n#endif\n"
        "__device__ int factor = SCALE;\nint scaled() { return 0; }\n");
    write("first.h", "#define FIRST 7\n");
    write("compile_commands.json",
          R"([{"directory": ".", "file": "main.cpp", "command":)"
          R"( "g++ -O2 -Wall -std=gnu++17 -DMAIN=0 -ffast-math -o m -c main.cpp"},)"
          R"({"directory": ".", "file": "scale.cu", "command": "nvcc -DSCALE=3 -DGONE -UGONE -include first.h )"
          R"(-Xcompiler=-fPIC,-DOF_HOST -std=c++23 -c scale.cu"}])");
    EXPECT_THAT(names_of("main.cpp"), ElementsAre("main.cpp", "scale.cu"));
    EXPECT_THAT(notes_, ElementsAre("-ffast-math of main.cpp is not applied: it is compiled without it.",
                                    "-std=c++23 of scale.cu is not applied: it is compiled without it."));
}

TEST_F(HostSources, ReadCompileCommandsAsFarAsTheyAreSound) {
    write("flags.rsp", "-I\"/some where\" -DTEXT=\\\"a\\ b\\\"");
    write("compile_commands.json",
          R"([1, {}, {"file": 3}, {"directory": "/d", "file": "x.cu", "command": "nvcc -isystem sys --options-file )" +
              (folder_ / "flags.rsp").string() + R"( -I"}])");
    const auto commands = read_compile_commands(folder_ / "compile_commands.json");
    ASSERT_EQ(commands.size(), 3U);
    EXPECT_EQ(commands[2].file, "/d/x.cu");
    EXPECT_THAT(commands[2].options.include, ElementsAre("/d/sys", "/some where"));
    EXPECT_EQ(commands[2].options.defines.at("TEXT"), "\"a b\"");
    for (const char* damaged : {"", "{", "[", "{\"a\": 1}", "\"text\"", "[[[["}) {
        write("compile_commands.json", damaged);
        EXPECT_THAT(read_compile_commands(folder_ / "compile_commands.json"), IsEmpty());
    }
}

}  // namespace
}  // namespace lanescope::host
