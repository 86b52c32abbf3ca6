#include "compile/compile.h"

#include "base/embedded.h"
#include "support.h"

#include <gmock/gmock.h>
#include <algorithm>
#include <array>
#include <thread>

namespace lanescope::compile {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

constexpr const char* simple = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n";

std::string message(const std::expected<CompileOutput, CompileFailure>& output) {
    if (output) return {};
    std::string text = output.error().problem.message();
    for (const Diagnostic& diagnostic : output.error().diagnostics)
        text +=
            "\n" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ": " + diagnostic.text;
    return text;
}

struct Student {
    const char* file;
    const char* kernel;       ///< source name
    const char* instantiate;  ///< or nullptr
};
class StudentFile : public testing::TestWithParam<Student> {};

TEST_P(StudentFile, CompilesInBothViews) {
    NEEDS_NVRTC();
    for (const View view : {View::written, View::compiled}) {
        CompileRequest request{.source = data_file(GetParam().file), .name = GetParam().file, .view = view};
        if (GetParam().instantiate != nullptr) request.instantiate = {GetParam().instantiate};
        const auto output = compile_uncached(request);
        ASSERT_TRUE(output) << message(output);
        ASSERT_THAT(output->names, Contains(Key(GetParam().kernel)));
        EXPECT_THAT(output->ptx, HasSubstr(".entry " + output->names.at(GetParam().kernel) + "("));
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, StudentFile,
    testing::Values(
        Student{"vector_add.cu", "vecAdd", nullptr}, Student{"matrix_multiply.cu", "matMul", nullptr},
        Student{"reduce_template.cu", "reduce6<256>", "reduce6<256>"}, Student{"histogram.cu", "histogram", nullptr},
        Student{"stencil_constant.cu", "stencil_1d", nullptr}, Student{"complex_class.cu", "mandelbrot", nullptr},
        Student{"warp_shuffle.cu", "blockReduce<float>", "blockReduce<float>"},
        Student{"nbody.cu", "bodyForce", nullptr}, Student{"transpose_namespaces.cu", "course::transpose", nullptr},
        Student{"prefix_sum_macros.cu", "exclusive_scan", nullptr}, Student{"dot_product.cu", "dot", nullptr},
        Student{"device_side.cu", "maximum", nullptr}, Student{"unmarked.cu", "hsh_scan", nullptr}),
    [](const testing::TestParamInfo<Student>& student) {
        const std::string file = student.param.file;
        return file.substr(0, file.size() - 3);
    });

TEST(Compile, ReportsLineAndColumnOfAnError) {
    NEEDS_NVRTC();
    const auto output =
        compile_uncached({.source = "#include <stdio.h>\n\n__global__ void k(int* p) {\n\tp[0] = undefined_name;\n}\n",
                          .name = "/home/a/bad.cu"});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().problem.where, (Place{"/home/a/bad.cu", 4, 9}));
    EXPECT_THAT(output.error().problem.what, HasSubstr("undefined_name"));
    EXPECT_THAT(output.error().diagnostics,
                Contains(AllOf(Field(&Diagnostic::line, 4U), Field(&Diagnostic::column, 9U),
                               Field(&Diagnostic::text, "identifier \"undefined_name\" is undefined"))));
}

TEST(Compile, ReportsTheKernelsErrorsAndNotTheHosts) {
    NEEDS_NVRTC();
    const auto output =
        compile_uncached({.source = "std::string title;\n__global__ void k(int* p) { p[0] = nothing; }\n"});
    ASSERT_FALSE(output);
    ASSERT_EQ(output.error().diagnostics.size(), 1U) << message(output);
    EXPECT_EQ(output.error().diagnostics[0].line, 2U);
}

TEST(Compile, PassesWarningsOn) {
    NEEDS_NVRTC();
    const auto output = compile_uncached(
        {.source = "__global__ void k(int* p) {\n  int unused;\n  unused = p[0];\n  p[0] = 1 / 0;\n}\n"});
    ASSERT_TRUE(output) << message(output);
    EXPECT_THAT(output->diagnostics, Contains(AllOf(Field(&Diagnostic::severity, Diagnostic::Severity::warning),
                                                    Field(&Diagnostic::line, 4U))));
}

TEST(Compile, SaysWhichHeaderItTookAsEmpty) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = std::string("#include \"nowhere.h\"\n") + simple});
    ASSERT_TRUE(output) << message(output);
    EXPECT_THAT(output->diagnostics,
                Contains(AllOf(Field(&Diagnostic::line, 1U), Field(&Diagnostic::text, HasSubstr("nowhere.h")))));
}

TEST(Compile, ReadsTheUsersOwnHeaders) {
    NEEDS_NVRTC();
    const ScratchFolder folder;
    std::ofstream(folder.path() / "mine.h") << "#define SEVEN 7\n";
    const CompileRequest request{.source = "#include \"mine.h\"\n__global__ void k(int* p) { p[0] = SEVEN; }\n",
                                 .include = {folder.path()}};
    const auto output = compile_uncached(request);
    ASSERT_TRUE(output) << message(output);
    EXPECT_THAT(output->ptx, Not(HasSubstr(folder.path().string())));
}

TEST(Compile, DefinesTheTypesAndMacrosOfHostHeaders) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = "using namespace std;\n__global__ void k(uint* p, uchar c, ushort "
                                                    "s, ulong l, uint8_t b, int64_t q, size_t z) {\n"
                                                    "  assert(p != NULL);\n  p[0] = INT_MAX + UINT32_MAX + (uint)(M_PI "
                                                    "+ FLT_MAX + INFINITY) + c + s + l + b + q + z;\n}\n"});
    EXPECT_TRUE(output) << message(output);
}

TEST(Compile, LetsAFileDefineAgainWhatItFindsDefined) {
    NEEDS_NVRTC();
    const auto output = compile_uncached(
        {.source = "typedef unsigned int uint;\n#define INT_MAX 5\n#define M_PI 3.14f\n#define NULL 0\n"
                   "__global__ void k(uint* p) { p[0] = INT_MAX; }\n"});
    ASSERT_TRUE(output) << message(output);
    EXPECT_TRUE(output->diagnostics.empty()) << output->diagnostics[0].text;
}

TEST(Compile, TakesANewerArchitectureWhereTheKernelNeedsIt) {
    NEEDS_NVRTC();
    const auto output = compile_uncached(
        {.source = "__global__ void k(unsigned* p) { p[0] = __reduce_add_sync(0xffffffff, p[threadIdx.x]); }\n"});
    ASSERT_TRUE(output) << message(output);
    EXPECT_EQ(output->arch, 80U);
    EXPECT_THAT(output->ptx, HasSubstr(".target sm_80"));
    EXPECT_THAT(output->diagnostics, Contains(Field(&Diagnostic::text, HasSubstr("compute_80"))));
}

TEST(Compile, HonorsDefines) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = "__global__ void k(int* p) { p[0] = ANSWER; }\n",
                                          .view = View::compiled,
                                          .defines = {{"ANSWER", "4242"}}});
    ASSERT_TRUE(output) << message(output);
    EXPECT_THAT(output->ptx, HasSubstr("4242"));
}

TEST(Compile, PtxIsTheSameFromAnyFolderAndNamesNone) {
    NEEDS_NVRTC();
    const ScratchFolder folder;
    std::ofstream(folder.path() / "mine.h") << "__device__ int seven(uint* p) { return p[0] == 7; }\n";
    const std::filesystem::path before = std::filesystem::current_path();
    for (const View view : {View::written, View::compiled}) {
        const CompileRequest request{
            .source =
                "#include <cuda_fp16.h>\n#include \"mine.h\"\n"
                "__global__ void k(uint* p, half* h) { p[1] = seven(p); h[0] = __hadd(h[1], h[2]); }\n",
            .name = "some/where/a.cu",
            .view = view,
            .include = {folder.path()}};
        const auto here = compile_uncached(request);
        std::filesystem::current_path(folder.path());
        CompileRequest other = request;
        other.name = "/else/where/a.cu";
        const auto there = compile_uncached(other);
        std::filesystem::current_path(before);
        ASSERT_TRUE(here && there) << message(here);
        EXPECT_TRUE(here->ptx == there->ptx);
        EXPECT_THAT(here->ptx, HasSubstr("\"a.cu\""));
        // No `.file` is absolute. DWARF stores strings as bytes, which only the comparison above covers.
        EXPECT_THAT(here->ptx, Not(HasSubstr(" \"/")));
    }
}

TEST(Compile, NamesOfPlainKernelsMayBeAskedForToo) {
    NEEDS_NVRTC();
    const auto output =
        compile_uncached({.source = "static __global__ void k(int* p) {}\n__global__ void o(int*) {}\n"
                                    "__global__ void o(float*) {}\nnamespace a { __global__ void b() {} }\n",
                          .include = {""},
                          .instantiate = {"k", "o", "a::b"}});
    ASSERT_TRUE(output) << message(output);
    EXPECT_THAT(output->names,
                testing::IsSupersetOf({Pair("k", "_Z1kPi"), Pair("o", "_Z1oPi"), Pair("a::b", "_ZN1a1bEv")}));
}

TEST(Compile, SaysWhatIsWrongWithAnInstance) {
    NEEDS_NVRTC();
    const auto output = compile_uncached(
        {.source = "template <int N> __global__ void k(int* p) { p[0] = N; }\n", .instantiate = {"k<float>"}});
    ASSERT_FALSE(output);
    EXPECT_THAT(output.error().problem.what, HasSubstr("k<float>"));
}

TEST(Compile, RefusesAZeroByte) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = std::string("__global__ void k() {}\0", 23)});
    ASSERT_FALSE(output);
    EXPECT_THAT(output.error().problem.what, HasSubstr("zero byte"));
}

TEST(Compile, WorksOnSeveralThreadsAtOnce) {
    NEEDS_NVRTC();
    const ScratchFolder folder;
    const Cache cache(folder.path());
    std::array<bool, 4> good{};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < good.size(); ++i) {
        threads.emplace_back([&, i] {
            const std::string source = "__global__ void k(int* p) { p[0] = " + std::to_string(i % 2) + "; }\n";
            good[i] = compile_with(any_nvrtc(), cache, {.source = source}).has_value();
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(good, testing::Each(true));
}

// --- The cache ---------------------------------------------------------------------------------------------------

TEST(Cache, ASecondCompilationComesFromDiskAndIsTheSame) {
    NEEDS_NVRTC();
    const ScratchFolder folder;
    const Cache cache(folder.path() / "deep" / "down");
    const CompileRequest request{.source = std::string("__global__ void t(int* p) { int u; u = 1 / 0; }\n") + simple};
    const auto first = compile_with(any_nvrtc(), cache, request);
    const auto second = compile_with(any_nvrtc(), cache, request);
    ASSERT_TRUE(first && second) << message(first);
    EXPECT_FALSE(first->cached);
    EXPECT_TRUE(second->cached);
    EXPECT_EQ(first->ptx, second->ptx);
    EXPECT_EQ(first->names, second->names);
    EXPECT_EQ(first->arch, second->arch);
    ASSERT_EQ(first->diagnostics.size(), second->diagnostics.size());
    EXPECT_EQ(first->diagnostics.at(0).text, second->diagnostics.at(0).text);
}

TEST(Cache, WhateverDeterminesTheOutcomeMakesAnotherEntry) {
    NEEDS_NVRTC();
    const ScratchFolder folder;
    const Cache cache(folder.path());
    const CompileRequest base{.source = simple};
    ASSERT_TRUE(compile_with(any_nvrtc(), cache, base));
    std::vector<CompileRequest> others(5, base);
    others[0].source += " ";
    others[1].view = View::compiled;
    others[2].arch = 80;
    others[3].defines = {{"A", "1"}};
    others[4].name = "other.cu";
    for (const CompileRequest& other : others) {
        const auto output = compile_with(any_nvrtc(), cache, other);
        ASSERT_TRUE(output) << message(output);
        EXPECT_FALSE(output->cached);
    }
    const auto again = compile_with(any_nvrtc(), cache, base);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->cached);
}

TEST(Cache, ADamagedFileIsMadeAgain) {
    const ScratchFolder folder;
    const Cache cache(folder.path());
    CompileOutput output;
    output.ptx = "some text\n";
    output.names = {{"k", "_Z1kv"}};
    output.diagnostics = {{.severity = Diagnostic::Severity::warning, .line = 3, .column = 4, .text = "careful"}};
    cache.keep("key", output);
    const std::filesystem::path file = cache.file_of("key");
    std::ifstream stream(file, std::ios::binary);
    const std::string whole(std::istreambuf_iterator<char>(stream), {});
    ASSERT_TRUE(cache.find("key"));
    EXPECT_FALSE(cache.find("other key"));
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = char(damaged[at] ^ 0x11);
        std::ofstream(file, std::ios::binary) << damaged;
        EXPECT_FALSE(cache.find("key")) << at;
        std::ofstream(file, std::ios::binary) << whole.substr(0, at);
        EXPECT_FALSE(cache.find("key")) << at;
    }
    std::ofstream(file, std::ios::binary) << whole;
    ASSERT_TRUE(cache.find("key"));
    EXPECT_EQ(cache.find("key")->diagnostics[0].column, 4U);
}

TEST(Cache, AFolderThatCannotBeWrittenCostsNothingButTime) {
    NEEDS_NVRTC();
    const ScratchFolder folder;
    std::ofstream(folder.path() / "file") << "not a folder";
    const Cache cache(folder.path() / "file" / "below");
    for (int round = 0; round < 2; ++round) {
        const auto output = compile_with(any_nvrtc(), cache, {.source = simple});
        ASSERT_TRUE(output) << message(output);
        EXPECT_FALSE(output->cached);
    }
}

TEST(Cache, LiesWhereTheEnvironmentSays) {
    const auto with = [](const char* lanescope, const char* xdg, const char* home) {
        const auto set = [](const char* name, const char* value) {
            if (value != nullptr)
                setenv(name, value, 1);
            else
                unsetenv(name);
        };
        set("LANESCOPE_CACHE", lanescope);
        set("XDG_CACHE_HOME", xdg);
        set("HOME", home);
        return Cache::of_environment().folder();
    };
    EXPECT_EQ(with("off", "/x", "/h"), std::nullopt);
    EXPECT_EQ(with("/c", "/x", "/h"), std::filesystem::path("/c"));
    EXPECT_EQ(with(nullptr, "/x", "/h"), std::filesystem::path("/x/lanescope"));
    EXPECT_EQ(with(nullptr, nullptr, "/h"), std::filesystem::path("/h/.cache/lanescope"));
    EXPECT_EQ(with(nullptr, "not/absolute", "/h"), std::filesystem::path("/h/.cache/lanescope"));
    EXPECT_EQ(with(nullptr, nullptr, nullptr), std::nullopt);
}

// --- Without a compiler ------------------------------------------------------------------------------------------

Result<Nvrtc> no_compiler() { return Nvrtc::find({.given = "none", .toolkits = {}, .venvs = {}, .loader = false}); }

TEST(NoCompiler, BuiltInKernelsComeFromThePtxKeptBesideThem) {
    std::size_t kernels = 0;
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.starts_with("kernels/") || !file.path.ends_with(".cu")) continue;
        ++kernels;
        for (const View view : {View::written, View::compiled}) {
            const auto output =
                compile_with(no_compiler(), Cache(std::nullopt), {.source = std::string(file.bytes), .view = view});
            ASSERT_TRUE(output) << file.path << ": " << message(output);
            EXPECT_TRUE(output->kept);
            const std::string kernel = output->names.begin()->first;
            EXPECT_TRUE(compile_with(no_compiler(), Cache(std::nullopt),
                                     {.source = std::string(file.bytes), .view = view, .instantiate = {kernel}}))
                << "a name that is no template needs no compiler either";
            EXPECT_FALSE(output->names.empty());
            EXPECT_EQ(output->ptx.find(", debug") != std::string::npos, view == View::written) << file.path;
        }
    }
    EXPECT_GE(kernels, 5U);
}

TEST(NoCompiler, AnotherSourceIsRefusedWithWhatToInstall) {
    const auto output = compile_with(no_compiler(), Cache(std::nullopt), {.source = simple, .name = "mine.cu"});
    ASSERT_FALSE(output);
    EXPECT_THAT(output.error().problem.what, HasSubstr("mine.cu cannot be compiled"));
    EXPECT_THAT(output.error().problem.remedy, HasSubstr("install the CUDA Toolkit 12.4 or later"));
}

TEST(NoCompiler, ALibraryThatIsNoneIsRefusedWithItsReason) {
    const ScratchFolder folder;
    std::ofstream(folder.path() / "libnvrtc.so") << "no library";
    const auto broken =
        Nvrtc::find({.given = (folder.path() / "libnvrtc.so").string(), .toolkits = {}, .venvs = {}, .loader = false});
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().what, HasSubstr("could not be loaded"));
    const auto other = Nvrtc::find({.given = "libm.so.6", .toolkits = {}, .venvs = {}, .loader = false});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().remedy, HasSubstr("LANESCOPE_NVRTC"));
    const auto nowhere =
        Nvrtc::find({.given = {}, .toolkits = {folder.path()}, .venvs = {folder.path()}, .loader = false});
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().what, HasSubstr("no CUDA compiler (NVRTC) was found"));
}

TEST(OldDriver, ACompilerNewerThanTheDriverIsPassedOverWithItsReason) {
    NEEDS_NVRTC();
    NvrtcPlaces places = NvrtcPlaces::of_environment();
    places.newest = oldest_cuda;
    const auto older = Nvrtc::find(places);
    if (older) {  // another NVRTC is installed that the driver supports
        EXPECT_LE(std::pair(older->compiler().major, older->compiler().minor), *places.newest);
    } else {
        EXPECT_THAT(older.error().what, HasSubstr("newer than the driver supports"));
    }
    const Compiler& any = any_nvrtc()->compiler();
    places.newest = {any.major, any.minor};
    EXPECT_TRUE(Nvrtc::find(places));
}

}  // namespace
}  // namespace lanescope::compile
