#include "unit/host/host_program.h"

#include "host/compile_steps.h"
#include "host/object_file.h"
#include "host/objects.h"
#include "host/program_sources.h"
#include "host/tool.h"
#include "places.h"
#include "ptx/module.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lanescope::host {
namespace {

using ::testing::HasSubstr;

class HostBuild : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!toolchain()) GTEST_SKIP() << toolchain().error().message();
        // The same folder in each run, so that objects compiled for the release build are found in the cache.
        folder_ = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "build" / "unit_host" /
                  ::testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    std::expected<Built, BuildError> build_files(const std::vector<std::filesystem::path>& sources) const {
        Progress progress;
        BuildRequest request;
        request.sources = sources;
        return build(request, progress);
    }
    std::filesystem::path folder_;
};

TEST_F(HostBuild, ReportsNvccsErrorAtItsLine) {
    const auto built = build_files({write("wrong.cu", "int main()\n{\n    return missing;\n}\n")});
    ASSERT_FALSE(built);
    ASSERT_FALSE(built.error().diagnostics.empty());
    EXPECT_EQ(built.error().diagnostics[0].line, 3U);
    EXPECT_THAT(built.error().problem.what, HasSubstr("\"missing\" is undefined"));
}

/// The names of static device memory and of a kernel in an unnamed namespace contain the module's id.
constexpr const char* internal_names =
    "#include <cstdio>\n"
    "#define TEXT \"it's $HOME\"\n"
    "static __device__ int counter;\n"
    "namespace { __global__ void count(int* out) { *out = atomicAdd(&counter, 1); } }\n"
    "int main() { int* p; cudaMalloc(&p, 4); count<<<1, 1>>>(p); cudaFree(p); puts(TEXT GIVEN); }\n";

TEST_F(HostBuild, CompilesHostAndDeviceSideBySideToWhatNvccMakes) {
    std::filesystem::create_directories(folder_ / "two words");
    BuildRequest request;
    request.sources = {write("two words/internal.cu", internal_names)};
    request.defines["GIVEN"] = "\"a b\"";
    Progress progress;
    const auto object = compile_object(request, request.sources[0], false, progress);
    ASSERT_TRUE(object) << object.error().error.problem.message();
    const std::filesystem::path plain = folder_ / "plain.o";
    const auto made = run_tool(
        {toolchain()->nvcc.string(), "-ccbin", "g++", "-gencode=arch=compute_75,code=compute_75", "--no-compress", "-g",
         "-G", "-Xcompiler", "-fno-pie,-fno-omit-frame-pointer,-fstack-protector-strong", "-std=c++17",
         "-DGIVEN=\"a b\"", "-c", request.sources[0].string(), "-o", plain.string()},
        nullptr);
    ASSERT_TRUE(made && *made && (*made)->ending.fine());
    EXPECT_THAT(read_device_code(plain), HasSubstr("counter"));
    EXPECT_EQ(read_device_code(object->file), read_device_code(plain));
    EXPECT_EQ(read_symbols(object->file).defined, read_symbols(plain).defined);
    EXPECT_EQ(read_symbols(object->file).undefined, read_symbols(plain).undefined);
    // So is device code by itself; fatbinary drops white space and comments.
    EXPECT_EQ(without_blanks(device_code_of(request, progress)), without_blanks(read_device_code(plain)));
    EXPECT_THAT(files_read_for(*object), ::testing::Contains(request.sources[0]));
}

TEST_F(HostBuild, KeepsFilesInBetweenOutOfTheTemporaryFolder) {
    BuildRequest request;
    request.sources = {
        write("plain.cu", "__global__ void k(int* p) { *p = 1; }\nint main() { k<<<1, 1>>>(nullptr); }\n")};
    request.defines["AT"] =
        std::to_string(std::filesystem::last_write_time(request.sources[0]).time_since_epoch().count());
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before != nullptr ? before : "";
    setenv("TMPDIR", "/nonexistent", 1);  // nvcc would fail if it wrote there
    Progress progress;
    const auto object = compile_object(request, request.sources[0], false, progress);
    const auto device = compile_device_code(request, request.sources[0], false, progress);
    if (before != nullptr)
        setenv("TMPDIR", kept.c_str(), 1);
    else
        unsetenv("TMPDIR");
    EXPECT_TRUE(object) << object.error().error.problem.message();
    EXPECT_TRUE(device) << device.error().error.problem.message();
}

TEST_F(HostBuild, PlansHostAndDeviceFromNvccsOwnSteps) {
    const std::filesystem::path source = write("internal.cu", internal_names);
    const auto plan =
        run_tool({toolchain()->nvcc.string(), "-ccbin", "g++", "-gencode=arch=compute_75,code=compute_75", "-c",
                  source.string(), "-o", "x.o", "--dryrun", "--keep", "--keep-dir", folder_.string()},
                 nullptr);
    ASSERT_TRUE(plan && *plan && (*plan)->ending.fine());
    const auto steps = compile_steps((*plan)->text, folder_);
    ASSERT_TRUE(steps) << (*plan)->text;
    EXPECT_THAT(steps->host, HasSubstr("\ncudafe++ "));
    EXPECT_THAT(steps->host, ::testing::Not(HasSubstr("/cicc\" ")));
    EXPECT_THAT(steps->device, HasSubstr("/cicc\" "));
    EXPECT_THAT(steps->finish, HasSubstr(" -c -x c++ "));
    // nvcc itself runs any other plan, or one with a warning among the steps.
    EXPECT_FALSE(compile_steps("nvcc warning : something\n" + (*plan)->text, folder_));
    EXPECT_FALSE(compile_steps("#$ g++ -E -x c++ a.cpp\n#$ g++ -c a.cpp\n", folder_));
    EXPECT_FALSE(compile_steps("", folder_));
}

TEST_F(HostBuild, NamesAFunctionThatTheRuntimeLacks) {
    const auto built = build_files({write(
        "lacks.cu",
        "#include <cuda_runtime.h>\nint main() { cudaArray_t a; return cudaGetMipmappedArrayLevel(&a, 0, 0); }\n")});
    ASSERT_FALSE(built);
    EXPECT_THAT(built.error().problem.what, HasSubstr("cudaGetMipmappedArrayLevel"));
    EXPECT_THAT(built.error().problem.what, HasSubstr("does not implement"));
}

TEST_F(HostBuild, NamesALibraryThatIsNotRun) {
    const auto built = build_files(
        {write("calls.cu", "extern \"C\" int cufftDestroy(int);\nint main() { return cufftDestroy(1); }\n")});
    ASSERT_FALSE(built);
    EXPECT_THAT(built.error().problem.what, HasSubstr("cufftDestroy, and Lanescope does not run cuFFT"));
    EXPECT_THAT(built.error().problem.remedy, HasSubstr("cuRAND, cuBLAS"));
}

TEST_F(HostBuild, CompilesAgainWhatAHeaderChanged) {
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
                                          "    cudaGraph_t graph;\n"
                                          "    cudaGraphNode_t first, second;\n"
                                          "    size_t edges = 0;\n"
                                          "    cudaGraphCreate(&graph, 0);\n"
                                          "    cudaGraphAddEmptyNode(&first, graph, 0, 0);\n"
                                          "    cudaGraphAddEmptyNode(&second, graph, 0, 0);\n"
                                          "    cudaGraphAddDependencies(graph, &first, &second, 1);\n"
                                          "    cudaGraphGetEdges(graph, 0, 0, &edges);\n"
                                          "    cudaGraphNodeGetDependencies(second, 0, &edges);\n"
                                          "    cudaGraphNodeGetDependentNodes(first, 0, &edges);\n"
                                          "    cudaGraphRemoveDependencies(graph, &first, &second, 1);\n"
                                          "    return properties.deviceOverlap;\n"
                                          "}\n")});
    EXPECT_TRUE(built) << built.error().problem.message();
}

/// __reduce_add_sync is of compute capability 8.0 and later.
TEST_F(HostBuild, CompilesForANewerTargetWhereTheProgramNeedsOne) {
    BuildRequest request;
    Progress progress;
    const auto source = write("newer.cu",
                              "__global__ void sum(int* p) { *p = __reduce_add_sync(~0u, int(threadIdx.x)); }\n"
                              "int main() { int* p; cudaMalloc(&p, 4); sum<<<1, 32>>>(p); cudaFree(p); }\n");
    const auto newer = sources_of(source, request, progress);
    ASSERT_TRUE(newer) << newer.error().problem.message();
    EXPECT_EQ(newer->request.arch, 80U);
    // A name that no target has is reported for the requested target.
    const auto wrong = sources_of(write("wrong.cu", "int main() { return __no_such_thing; }\n"), request, progress);
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().problem.what, HasSubstr("__no_such_thing"));
}

TEST_F(HostBuild, SaysThatNoSourceHasAMainAsTheCompilerSeesIt) {
    const auto built = build_files({write("none.cu", "#ifdef NEVER\nint main() {}\n#endif\nvoid f() {}\n")});
    ASSERT_FALSE(built);
    EXPECT_TRUE(built.error().no_main) << built.error().problem.message();
    const auto other = build_files({write("other.cu", "void g();\nint main() { g(); }\n")});
    ASSERT_FALSE(other);
    EXPECT_FALSE(other.error().no_main);
}

TEST_F(HostBuild, LinksSeveralFiles) {
    const auto built =
        build_files({write("a.cu",
                           "int other();\nextern \"C\" int third();\n"
                           "int main() { return other() + third(); }\n"),
                     write("b.cpp", "int other() { return 0; }\n"), write("c.c", "int third(void) { return 0; }\n")});
    ASSERT_TRUE(built) << built.error().problem.message();
    EXPECT_TRUE(built->diagnostics.empty()) << built->diagnostics[0].text;
}

TEST_F(HostBuild, LinksDeviceCodeOfSeveralFiles) {
    const char* header =
        "#pragma once\n__device__ int scaled(int value);\nextern __device__ int counter;\n"
        "void launch_second(int* data);\n";
    write("both.h", header);
    const auto first = write("first.cu",
                             "#include \"both.h\"\n__device__ int counter = 5;\nstatic __managed__ int shared = 6;\n"
                             "static __global__ void same(int* data) { data[0] = shared; }\n"
                             "__global__ void first(int* data) { data[0] = scaled(data[1]); }\n"
                             "int main()\n{\n    first<<<1, 1>>>(nullptr);\n    same<<<1, 1>>>(nullptr);\n"
                             "    launch_second(nullptr);\n    return shared;\n}\n");
    const auto second = write("second.cu",
                              "#include \"both.h\"\n__device__ int scaled(int value) { return value * counter; }\n"
                              "static __global__ void same(int* data) { data[0] = 2; }\n"
                              "void launch_second(int* data) { same<<<1, 1>>>(data); }\n");
    const auto built = build_files({first, second});
    ASSERT_TRUE(built) << built.error().problem.message();

    NEEDS_PROGRAMS();
    /// Records the modules loaded and the kernels launched, and executes nothing.
    class Recorder : public AddingMachine {
      public:
        Result<void> load(std::string_view text) override {
            units.emplace_back(text);
            return {};
        }
        std::optional<Function> function(std::string_view) override {
            Function function;
            function.facts.found = 1;
            function.parameters = {{.offset = 0, .bytes = 8}};
            return function;
        }
        std::optional<VariableFacts> variable(std::string_view name, const DeviceMemory& memory) override {
            EXPECT_EQ(units.size(), 2U) << name << " is asked for before all PTX is there";
            const std::uint64_t address = device_base + (std::uint64_t{200} << 30U);
            memory.at(address, 4)[0] = std::byte{6};
            return VariableFacts{.address = address, .bytes = 4};
        }
        Outcome launch(const KernelLaunch& launch, const DeviceMemory&) override {
            launched.push_back(launch.function);
            return {};
        }
        std::vector<std::string> units, launched;
    } machine;
    Progress progress;
    const auto run = run_program(
        {.program = built->program, .arguments = {}, .input = {}, .folder = {}, .sources = {folder_}, .limits = {}},
        machine, progress);
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(run->end.code, 6);
    ASSERT_EQ(machine.units.size(), 2U);
    const auto module = ptx::parse(machine.units[0] + "\n" + machine.units[1]);
    ASSERT_TRUE(module) << module.error().message();
    ASSERT_EQ(machine.launched.size(), 3U);
    for (const std::string& name : machine.launched) {
        const ptx::Function* kernel = module->find(name);
        ASSERT_NE(kernel, nullptr) << name;
        EXPECT_TRUE(kernel->entry && kernel->defined) << name;
    }
    EXPECT_NE(machine.launched[1], machine.launched[2]);  // each file's own `same`
}

TEST_F(HostBuild, NamesWhatSeveralFilesDefine) {
    const auto built = build_files({write("one.cu", "int twice;\nint main() {}\n"), write("two.cu", "int twice;\n")});
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().problem.what, "several files of the program define twice");
}

TEST_F(HostBuild, GivesEachFileItsOwnOfAHeadersVariables) {
    write("constants.h", "__constant__ int factor;\n");
    const auto built = build_files({write("main.cu",
                                          "#include \"constants.h\"\nvoid second();\nint main()\n{\n    int one = 1;\n"
                                          "    cudaMemcpyToSymbol(factor, &one, 4);\n    second();\n}\n"),
                                    write("second.cu",
                                          "#include \"constants.h\"\nvoid second()\n{\n    int two = 2;\n"
                                          "    cudaMemcpyToSymbol(factor, &two, 4);\n}\n")});
    ASSERT_TRUE(built) << built.error().problem.message();

    NEEDS_PROGRAMS();
    struct PerUnit : AddingMachine {
        std::optional<VariableFacts> variable_of(std::uint32_t unit, std::string_view name,
                                                 const DeviceMemory&) override {
            asked.push_back(std::string(name) + std::to_string(unit));
            return VariableFacts{.address = device_base + (std::uint64_t{200} << 30U) + 256 * unit, .bytes = 4};
        }
        std::vector<std::string> asked;
    } machine;
    Progress progress;
    const auto run = run_program(
        {.program = built->program, .arguments = {}, .input = {}, .folder = {}, .sources = {}, .limits = {}}, machine,
        progress);
    ASSERT_TRUE(run) << run.error().message();
    EXPECT_EQ(machine.asked, (std::vector<std::string>{"factor0", "factor1"}));
}

TEST_F(HostBuild, NamesWhatNoFileDefines) {
    const auto built = build_files({write("lone.cu", "int other(int);\nint main() { return other(1); }\n")});
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().problem.what, "the program calls other(int), which none of its files define");
}

}  // namespace
}  // namespace lanescope::host
