#include "compile/source.h"

#include "support.h"

#include <gmock/gmock.h>
#include <algorithm>
#include <random>

namespace lanescope::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Scan, FindsAKernelWithItsParameters) {
    const SourceScan scan =
        scan_source("// one\n__global__ void k(const int* in, float *__restrict__ out, unsigned int n, int a[]) {}\n");
    ASSERT_EQ(scan.kernels.size(), 1U);
    const KernelDeclaration& kernel = scan.kernels[0];
    EXPECT_EQ(kernel.name, "k");
    EXPECT_EQ(kernel.line, 2U);
    ASSERT_EQ(kernel.parameters.size(), 4U);
    EXPECT_EQ(kernel.parameters[0].type, "const int*");
    EXPECT_EQ(kernel.parameters[0].element, "int");
    EXPECT_TRUE(kernel.parameters[0].pointer);
    EXPECT_TRUE(kernel.parameters[0].read_only);
    EXPECT_EQ(kernel.parameters[1].name, "out");
    EXPECT_EQ(kernel.parameters[1].type, "float*");
    EXPECT_FALSE(kernel.parameters[1].read_only);
    EXPECT_EQ(kernel.parameters[2].type, "unsigned int");
    EXPECT_EQ(kernel.parameters[2].name, "n");
    EXPECT_FALSE(kernel.parameters[2].pointer);
    EXPECT_EQ(kernel.parameters[3].type, "int*");
    EXPECT_EQ(kernel.parameters[3].element, "int");
}

TEST(Scan, FindsKernelsThroughAttributesTemplatesNamespacesAndMacros) {
    const SourceScan scan = scan_source(
        "#define KERNEL extern \"C\" __global__ void\n"
        "__global__ void __launch_bounds__(256, 2) bounded(int n) {}\n"
        "template <typename T, int B = 128> __global__ void typed(T* data) {}\n"
        "namespace a { namespace b::c { __global__ static void nested() {} } }\n"
        "extern \"C\" { __global__ void plain(void) {} }\n"
        "KERNEL hidden(int *x) { }\n"
        "__global__ void declared_only(int);\n"
        "template __global__ void typed<float, 64>(float*);\n");
    std::vector<std::string> names;
    names.reserve(scan.kernels.size());
    for (const KernelDeclaration& kernel : scan.kernels) names.push_back(kernel.name);
    EXPECT_THAT(names, ElementsAre("bounded", "typed", "a::b::c::nested", "plain", "hidden"));
    EXPECT_THAT(scan.kernels[1].template_parameters, ElementsAre("typename T", "int B = 128"));
    EXPECT_TRUE(scan.kernels[3].parameters.empty());
}

TEST(Scan, DistinguishesADeclarationFromTheMacroBeforeItThatIsOneItself) {
    const SourceScan scan = scan_source(
        "#define MY_DEVICE __device__\n"
        "#define ADDER(type) MY_DEVICE inline type add_##type(type a, type b) { return a + b; }\n"
        "#define TIMER(name) void start_##name() { begin(); }\n"
        "#define PAIR(type) struct pair_##type { type one, other; };\n"
        "ADDER(int)\n"
        "ADDER(float)\n"
        "PAIR(int)\n"
        "__global__ void sum(int* x) { x[0] = add_int(x[0], 1); }\n"
        "TIMER(all)\n"
        "int main() { return 0; }\n");
    ASSERT_EQ(scan.kernels.size(), 1U);
    EXPECT_EQ(scan.kernels[0].name, "sum");
    for (const char* kept : {"\nADDER(int)", "\nADDER(float)", "\nPAIR(int)"})
        EXPECT_THAT(scan.device_text, HasSubstr(kept));
    EXPECT_THAT(scan.device_text, Not(HasSubstr("\nTIMER(all)")));
}

TEST(Scan, TakesNothingFromCommentsStringsAndSwitchedOffCode) {
    const SourceScan scan = scan_source(
        "// __global__ void a() {}\n/* __global__ void b() {} */\n"
        "const char* s = \"__global__ void c() {}\";\nconst char* r = R\"x(__global__ void d() { )\" )x\";\n"
        "#if 0\n__global__ void e() { {{{ \n#endif\nchar q = '\"', w = '{';\n__global__ void f() {}\n");
    ASSERT_EQ(scan.kernels.size(), 1U);
    EXPECT_EQ(scan.kernels[0].name, "f");
}

TEST(Scan, KeepsLinesAndColumnsOfWhatItKeeps) {
    const std::string source =
        "#include <stdio.h>\nint main() {\n    printf(\"}\"); // }\n}  __global__ void k() { int x = 1; }\n";
    const SourceScan scan = scan_source(source);
    const std::string kept = "__global__ void k() { int x = 1; }\n";
    ASSERT_EQ(scan.device_text.size(), source.size());
    EXPECT_EQ(scan.device_text.find(kept), source.find(kept));
    for (std::size_t i = 0; i < source.find(kept); ++i)
        EXPECT_EQ(scan.device_text[i], source[i] == '\n' ? '\n' : ' ') << i;
}

TEST(Scan, KeepsDeviceHeadersAndBlanksTheHosts) {
    const SourceScan scan = scan_source(
        "#include <cooperative_groups.h>\n#include <vector>\n#include \"mine.h\"\n#include \"helper_cuda.h\"\n#include "
        "<cub/block/block_reduce.cuh>\n");
    EXPECT_THAT(scan.device_text, HasSubstr("cooperative_groups"));
    EXPECT_THAT(scan.device_text, HasSubstr("block_reduce"));
    EXPECT_THAT(scan.device_text, HasSubstr("mine.h"));
    EXPECT_THAT(scan.device_text, Not(HasSubstr("vector")));
    EXPECT_THAT(scan.device_text, Not(HasSubstr("helper_cuda")));
}

TEST(Scan, KeepsWhatDeviceCodeMayUse) {
    const SourceScan scan = scan_source(
        "#define N 4\nconstexpr int twice(int x) { return 2 * x; }\n__device__ int f() { return 1; }\n"
        "__host__ __device__ int g() { return 1; }\n__constant__ int c[4];\nstruct P { int x; };\nint host() { return "
        "3; }\n");
    for (const char* kept : {"#define N 4", "twice", "int f()", "int g()", "__constant__", "struct P"})
        EXPECT_THAT(scan.device_text, HasSubstr(kept));
    EXPECT_THAT(scan.device_text, Not(HasSubstr("host()")));
}

TEST(Scan, BlanksHostFunctionsInBothBranchesOfAnIf) {
    const SourceScan scan = scan_source("#ifdef _WIN32\nint f() { return 1; }\n#else\nint f() { return 2; }\n#endif\n");
    EXPECT_THAT(scan.device_text, Not(HasSubstr("return")));
    EXPECT_THAT(scan.device_text, HasSubstr("#ifdef _WIN32\n"));
    EXPECT_THAT(scan.device_text, HasSubstr("#else\n"));
    EXPECT_THAT(scan.device_text, HasSubstr("#endif\n"));
}

TEST(Scan, KeepsMacrosThatAreDefinedInsideHostFunctions) {
    const SourceScan scan = scan_source("int main() {\n#define WIDTH 8\n  return WIDTH;\n}\n");
    EXPECT_THAT(scan.device_text, HasSubstr("#define WIDTH 8"));
    EXPECT_THAT(scan.device_text, Not(HasSubstr("return")));
}

TEST(Scan, BlanksStaticSharedVariablesAlone) {
    std::string text = R"(#define TILE __shared__ float
#define DYNAMIC extern __shared__ float
__shared__ int whole; extern __shared__ int dynamic[]; __shared__ extern int other[];
void f() { extern __align__(16) __shared__ char bytes[]; static __shared__ int own; int a = 1; // __shared__
    __shared__ union { int a; float b; } either; }
)";
    blank_static_shared(text);
    EXPECT_EQ(text, R"(#define TILE            float
#define DYNAMIC extern __shared__ float
           int whole; extern __shared__ int dynamic[]; __shared__ extern int other[];
void f() { extern __align__(16) __shared__ char bytes[]; static            int own; int a = 1; // __shared__
               union { int a; float b; } either; }
)");
}

TEST(Launches, NameTheKernelTheLineAndWhetherTheyAreRepeated) {
    const SourceScan scan = scan_source(
        "int main() {\n  for (int i = 0; i < 3; ++i) sum += i;\n  k<<<blocks, threads, threads * sizeof(float)>>>(p, "
        "N, "
        "2.5f);\n  while (more()) {\n    other<<<dim3(2), 32>>>(p);\n  }\n}\n");
    ASSERT_EQ(scan.launches.size(), 2U);
    EXPECT_EQ(scan.launches[0].line, 3U);
    EXPECT_EQ(scan.launches[0].kernel, "k");
    EXPECT_FALSE(scan.launches[0].repeated);
    EXPECT_EQ(scan.launches[1].kernel, "other");
    EXPECT_TRUE(scan.launches[1].repeated);
}

TEST(Launches, OfTemplatesCarryTheirArguments) {
    const SourceScan scan = scan_source("void f() { ns::k<float, (4 > 2), T<int>><<<1, 2>>>(x); }");
    ASSERT_EQ(scan.launches.size(), 1U);
    EXPECT_EQ(scan.launches[0].kernel, "ns::k");
    EXPECT_THAT(scan.launches[0].template_arguments, ElementsAre("float", "(4 > 2)", "T<int>"));
}

TEST(Directives, CarryKeyValueLineAndColumn) {
    const SourceScan scan = scan_source(
        "__global__ void k() {} // lanescope: title = A kernel\n  // lanescope: arg in = input(n)\n"
        "/* lanescope: n = 8\n * lanescope:   grid   =  2 */\n// lanescope: broken\nconst char* s = \"// lanescope: n "
        "= 1\";\n");
    ASSERT_EQ(scan.directives.size(), 5U);
    EXPECT_EQ(scan.directives[0].key, "title");
    EXPECT_EQ(scan.directives[0].value, "A kernel");
    EXPECT_EQ(scan.directives[0].line, 1U);
    EXPECT_EQ(scan.directives[0].column, 38U);
    EXPECT_EQ(scan.directives[0].value_column, 46U);
    EXPECT_EQ(scan.directives[1].key, "arg");
    EXPECT_EQ(scan.directives[1].value, "in = input(n)");
    EXPECT_EQ(scan.directives[1].line, 2U);
    EXPECT_EQ(scan.directives[3].key, "grid");
    EXPECT_EQ(scan.directives[3].value, "2");
    EXPECT_EQ(scan.directives[3].line, 4U);
    EXPECT_EQ(scan.directives[4].key, "broken");
    EXPECT_EQ(scan.directives[4].value_column, 0U);
}

/// Cuts, duplicates, swaps and overwrites parts of real files: scanning must not crash or hang.
TEST(Scan, SurvivesMutationsOfRealFiles) {
    std::mt19937 random(7);
    const auto below = [&](std::size_t bound) { return bound == 0 ? 0 : random() % bound; };
    const std::string pieces[]{
        "{",          "}",           "(",          ")",    "<<<",        ">>>",        "\"",
        "'",          "/*",          "*/",         "//",   "\n#if 0\n",  "\n#endif\n", "R\"(",
        "template <", "namespace {", "struct x {", "\\\n", "#define A(", ";",          "__global__ void k(",
        "="};
    for (const char* name : {"vector_add.cu", "transpose_namespaces.cu", "warp_shuffle.cu", "device_side.cu"}) {
        const std::string original = data_file(name);
        for (int round = 0; round < 100; ++round) {
            std::string text = original;
            for (int edit = 0; edit < 6; ++edit) {
                const std::size_t at = below(text.size()), length = below(40);
                switch (random() % 4) {
                    case 0: text.erase(at, length); break;
                    case 1: text.insert(at, pieces[below(std::size(pieces))]); break;
                    case 2: text.insert(at, text.substr(below(text.size()), length)); break;
                    default: text[at] = char(random()); break;
                }
            }
            const SourceScan scan = scan_source(text);
            ASSERT_EQ(scan.device_text.size(), text.size());
            ASSERT_EQ(std::ranges::count(scan.device_text, '\n'), std::ranges::count(text, '\n'));
        }
    }
}

/// Text may end anywhere, also between any two tokens.
TEST(Scan, SurvivesEveryBeginningOfAFile) {
    const std::string source =
        data_file("prefix_sum_macros.cu").substr(0, 700) +
        "\nint f(int a) { return a; } int main() { dim3 g(4); f<<<g, f(2)>>>(1); cudaMalloc(&p, 4); }";
    for (std::size_t length = 0; length <= source.size(); ++length)
        ASSERT_EQ(scan_source(source.substr(0, length)).device_text.size(), length);
}

TEST(Scan, TakesDeepNestingForNoProgram) {
    for (const char* piece :
         {"namespace a {", "struct a {", "(", "{", "a<", "x = (", "template <", "f(", "<<<", "dim3 a(", "#if 1\n"}) {
        std::string text;
        for (int i = 0; i < 3000; ++i) text += piece;
        EXPECT_EQ(scan_source(text).device_text.size(), text.size()) << piece;
    }
}

}  // namespace
}  // namespace lanescope::compile
