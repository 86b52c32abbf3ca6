// Values guessed for a file that states none: sizes, arguments, types, structures.
#include "catalog_support.h"
#include "compile/compile.h"
#include "run_support.h"
#include "scratch_folder.h"
#include "session/compiled_kernel.h"
#include "session/launch_plan.h"
#include "session/launch_size.h"
#include "trace/element.h"

#include <gmock/gmock.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Guess, IsMarkedInEveryPartThatNothingStates) {
    const Program program = read_alone(student("vector_add.cu"));
    EXPECT_EQ(program.recipe.kernel, "vecAdd");
    EXPECT_EQ(program.recipe.n, "64");
    EXPECT_EQ(program.recipe.block, "32");
    EXPECT_EQ(program.recipe.grid, "ceil(n / block)");
    EXPECT_THAT(plans(program), ElementsAre("a = input(n)", "b = input(n)", "c = zeros(n)", "n = n"));
    EXPECT_EQ(program.recipe.expected.output, "c");
    const GuessedParts& guessed = program.recipe.guessed;
    EXPECT_TRUE(guessed.block && guessed.grid && guessed.n && guessed.input);
    for (const ArgumentPlan& plan : program.recipe.arguments) EXPECT_TRUE(plan.guessed);
}

TEST(Guess, FollowsTwoDimensions) {
    const Program program = read_alone(student("matrix_multiply.cu"));
    EXPECT_EQ(program.recipe.block, "16, 16");
    EXPECT_EQ(program.recipe.grid, "ceil(n / 16), ceil(n / 16)");
    EXPECT_EQ(program.recipe.n, "32");
    EXPECT_THAT(plans(program), ElementsAre("A = input(n * n)", "B = input(n * n)", "C = zeros(n * n)", "width = n"));
}

std::vector<std::string> reasons(const Program& program) {
    std::vector<std::string> texts;
    texts.reserve(program.recipe.guessed.reasons.size());
    for (const auto& [part, text] : program.recipe.guessed.reasons) texts.push_back(text);
    return texts;
}

TEST(Guess, TakesSquaresForAKernelThatAsksForBothIndices) {
    const std::string body = " { int x = threadIdx.x, y = threadIdx.y; out[y * width + x] = in[x * width + y]; }\n";
    const Program plain = read("__global__ void turn(float* out, const float* in, int width)" + body);
    EXPECT_EQ(plain.recipe.block, "16, 16");
    EXPECT_EQ(plain.recipe.n, "32");
    EXPECT_THAT(plans(plain), ElementsAre("out = zeros(n * n)", "in = input(n * n)", "width = n"));
    const Program tiled = read(
        "#define SIDE 8\n__global__ void turn(float* out, const float* in, int width)"
        " { __shared__ float tile[SIDE][SIDE + 1]; tile[threadIdx.y][threadIdx.x] = in[0];" +
        body.substr(2));
    EXPECT_EQ(tiled.recipe.block, "8, 8");
    EXPECT_THAT(reasons(tiled), Contains("the block is guessed: 8, 8, because the kernel reads threadIdx.y"));
}

TEST(Guess, TakesCubesForAKernelThatAsksForThreeIndices) {
    const Program program = read(
        "__global__ void fill(float* out, int nx, int ny, int nz) {"
        " int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,"
        " z = blockIdx.z * blockDim.z + threadIdx.z;"
        " if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = 1; }\n");
    EXPECT_EQ(program.recipe.block, "8, 4, 4");
    EXPECT_EQ(program.recipe.grid, "ceil(n / 8), ceil(n / 4), ceil(n / 4)");
    EXPECT_EQ(program.recipe.n, "16");
    EXPECT_THAT(plans(program), ElementsAre("out = zeros(n * n * n)", "nx = n", "ny = n", "nz = n"));
}

TEST(Guess, KnowsWhichNumbersBoundThreadsWhateverTheirNames) {
    const Program program = read(
        "__global__ void shade(float* out, int nx, int r, int shift, int inner) {"
        " int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;"
        " if (x >= nx || y > r - 1) return;"
        " for (int i = 0; i < inner; ++i) out[y * nx + x + shift] += i; }\n");
    std::vector<std::string> bounds;
    for (const ArgumentPlan& plan : program.recipe.arguments)
        if (plan.bounds_threads) bounds.push_back(plan.parameter);
    EXPECT_THAT(bounds, ElementsAre("nx", "r"));
}

/// The grid of the launch that is planned for a kernel alone, and the note on it.
std::pair<std::string, std::string> grid_and_note(const std::string& text,
                                                  const std::map<std::string, std::string>& arguments,
                                                  std::optional<std::uint64_t> n = {}) {
    const ScratchFolder folder;
    folder.add("kernel.cu", text);
    Request request{.program = (folder / "kernel.cu").string(), .n = n};
    for (const auto& [name, value] : arguments) request.arguments[name] = value;
    const auto made = plan(request);
    if (!made) return {made.error().problem.what, {}};
    const auto note = std::ranges::find_if(made->notes, [](const auto& each) { return each.starts_with("The grid"); });
    return {extent_text(made->grid), note == made->notes.end() ? std::string() : *note};
}

TEST(Guess, IsExplainedOnlyWhereItStands) {
    const ScratchFolder folder;
    folder.add("kernel.cu",
               "__global__ void mirrored(const int* in, int* out) { extern __shared__ int s[];"
               " s[threadIdx.y * 4 + threadIdx.x] = in[threadIdx.x]; __syncthreads();"
               " out[threadIdx.x] = s[threadIdx.x * 4 + threadIdx.y]; }\n");
    Request request{.program = (folder / "kernel.cu").string()};
    const auto notes = [&] {
        const auto made = plan(request);
        return made ? made->notes : std::vector{made.error().problem.what};
    };
    EXPECT_THAT(notes(), testing::IsSupersetOf({HasSubstr("The block is guessed"), HasSubstr("The grid is one block"),
                                                HasSubstr("extern __shared__ array is guessed")}));
    request.block_extent = trace::Dim3{4, 4, 1};
    request.grid = 2;
    request.shared_bytes = 64;
    EXPECT_THAT(notes(), testing::Each(testing::Not(
                             testing::AnyOf(HasSubstr("block"), HasSubstr("__shared__"), HasSubstr("The grid")))));
}

TEST(Guess, OfTemplateArgumentsThatTheCompilerRefusesIsCalledOne) {
    const ScratchFolder folder;
    Progress progress;
    const std::string fold =
        "template <class T, unsigned size, bool two> __global__ void fold(const T* in, T* out) {"
        " __shared__ T s[size]; s[threadIdx.x] = in[threadIdx.x]; __syncthreads();"
        " if (two) out[threadIdx.x] = s[size - 1 - threadIdx.x]; }\n";
    const auto ran = run({.program = folder.add("fold.cu", fold)}, progress);
    ASSERT_TRUE(ran) << ran.error().problem.message();
    EXPECT_THAT((*ran)->notes, Contains(HasSubstr("fold<int, block, true>, which is guessed")));
    const std::string kinds =
        "enum class Kind { sum, most };\ntemplate <class T, Kind kind> __global__ void reduce(T* x) { *x = 1; }\n";
    Request request{.program = folder.add("kinds.cu", kinds)};
    const auto refused = run(request, progress);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().diagnostics, testing::IsEmpty()) << "the file is not accused";
    EXPECT_THAT(refused.error().problem.message(),
                testing::AllOf(HasSubstr("reduce<int, 32> is a guess of the template's arguments"),
                               HasSubstr("--kernel \"reduce<...>\", for class T, Kind kind")));
    EXPECT_TRUE(refused.error().of_guess);
    request.kernel = "reduce<int, Kind::sum>";
    const auto named = run(request, progress);
    EXPECT_TRUE(named) << named.error().problem.message();
}

TEST(Guess, OfAnInstanceWhoseBodyOrParametersDoNotCompileIsNoErrorOfTheFile) {
    const ScratchFolder folder;
    Progress progress;
    const auto refusal_of = [&](const std::string& text) {
        const auto refused = run({.program = folder.add("instance.cu", text)}, progress);
        return refused ? Refusal() : refused.error();
    };
    const std::string functor =
        "template <class Op> __global__ void apply(float* p, Op op) { p[threadIdx.x] = op(p[threadIdx.x]); }\n";
    const std::string member =
        "template <class T> __global__ void fill(T* p, typename T::value_type v) { p[threadIdx.x].x = v; }\n";
    for (const auto& [text, instance] : {std::pair(functor, "apply<int>"), std::pair(member, "fill<int>")}) {
        const Refusal refused = refusal_of(text);
        EXPECT_TRUE(refused.of_guess) << instance;
        EXPECT_THAT(refused.diagnostics, testing::IsEmpty());
        EXPECT_THAT(refused.problem.message(),
                    testing::AllOf(HasSubstr(instance + std::string(" is a guess of the template's arguments")),
                                   HasSubstr("--kernel \"")));
    }
    EXPECT_THAT(refusal_of(functor).problem.message(), HasSubstr("(line 1: ")) << "the compiler's words";
    const Refusal broken = refusal_of(functor + "__global__ void other(float* p) { *p = unknown; }\n");
    EXPECT_FALSE(broken.of_guess) << "without the instance it does not compile either";
    EXPECT_THAT(broken.diagnostics, testing::Not(testing::IsEmpty()));
}

TEST(Guess, CoversTheSizesThatAreGiven) {
    const std::string transpose =
        "__global__ void turn(float* out, const float* in, int lines, int columns) {"
        " int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;"
        " if (r < lines && c < columns) out[c * lines + r] = in[r * columns + c]; }\n";
    EXPECT_EQ(grid_and_note(transpose, {}), std::pair(std::string("2x2"), std::string()));
    EXPECT_EQ(grid_and_note(transpose, {{"lines", "64"}}),
              std::pair(std::string("2x4"), std::string("The grid is guessed to cover lines = 64.")));
    EXPECT_EQ(grid_and_note(transpose, {{"lines", "40"}, {"columns", "100"}}),
              std::pair(std::string("7x3"), std::string("The grid is guessed to cover lines = 40, columns = 100.")));
    const std::string flat =
        "__global__ void scale(float* p, int w, int h, float by) {"
        " int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= w * h) return; p[i] *= by; }\n";
    EXPECT_EQ(grid_and_note(flat, {{"w", "20"}, {"h", "32"}}).first, "20") << "640 in blocks of 32";
    EXPECT_EQ(grid_and_note(flat, {{"w", "5"}, {"h", "2"}}).first, "1");
    EXPECT_EQ(grid_and_note(flat, {{"w", "5"}, {"h", "2"}}, 640), std::pair(std::string("20"), std::string()))
        << "n is stated";
    EXPECT_EQ(grid_and_note(flat, {{"by", "3"}}), std::pair(std::string("2"), std::string())) << "it bounds no thread";
}

TEST(Guess, TakesElementTypesFromTheParameters) {
    const Program program = read_alone(student("histogram.cu"));
    EXPECT_EQ(program.recipe.arguments[0].element, trace::Element::u8);
    EXPECT_EQ(program.recipe.arguments[1].element, trace::Element::u32);
}

TEST(Guess, GoesByWhatTheKernelDoesThroughEachPointer) {
    const std::string begin = " { int i = blockIdx.x * blockDim.x + threadIdx.x; ";
    const Program first = read("__global__ void copy(float* a, float* b, int n)" + begin + "a[i] = b[i]; }\n");
    EXPECT_THAT(plans(first), ElementsAre("a = zeros(n)", "b = input(n)", "n = n"));
    const Program both =
        read("__global__ void saxpy(int n, const float* x, float* y)" + begin + "y[i] += 2 * x[i]; }\n");
    EXPECT_THAT(plans(both), ElementsAre("n = n", "x = input(n)", "y = input(n)"));
    const Program atomics =
        read("__global__ void count(int* bins, int* keys)" + begin + "atomicAdd(&bins[keys[i] & 7], 1); }\n");
    EXPECT_THAT(plans(atomics), ElementsAre("bins = zeros(n)", "keys = input(n)"));
    // A pointer selected from two stands for both; one that is passed to a function is followed there.
    const Program chosen =
        read("__global__ void pick(int* a, int* b, int* c)" + begin + "int* from = i & 1 ? a : b; c[i] = from[i]; }\n");
    EXPECT_THAT(plans(chosen), ElementsAre("a = input(n)", "b = input(n)", "c = zeros(n)"));
    const Program passed = read(
        "__device__ __noinline__ void put(int* to, int* from, int i) { to[i] = from[i]; }\n"
        "__global__ void call(int* a, int* b)" +
        begin + "put(a, b, i); }\n");
    EXPECT_THAT(plans(passed), ElementsAre("a = zeros(n)", "b = input(n)"));
}

TEST(Guess, KnowsPointersBehindAliases) {
    const Program program = read(
        "typedef float* Reals;\ntypedef const float* Inputs;\ntemplate <class T> using Pointer = T*;\n"
        "typedef float Four[4];\n"
        "__global__ void odd(Inputs in, Reals __restrict__ out, Pointer<unsigned short> index, Four four, int n)"
        " { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i] + four[1]; index[i] = n; }\n");
    EXPECT_THAT(plans(program),
                ElementsAre("in = input(n)", "out = zeros(n)", "index = zeros(n)", "four = input(n)", "n = n"));
    EXPECT_EQ(program.recipe.arguments[2].element, trace::Element::u16);
}

TEST(Guess, TakesNamesAndTypesOfParametersFromTheCompiler) {
    if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
    const Program program = read(
        "#define BUFFERS(type) const type* source, type *target\n"
        "#define COUNT , int items\n"
        "#ifdef __CUDACC_RTC__\n#define NAME scale_by\n#else\n#define NAME factor\n#endif\n"
        "using Real = float;\n"
        "extern \"C\" __global__ void k(BUFFERS(Real) COUNT, Real NAME, unsigned long long (*table)[4], bool) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < items) target[i] = scale_by * source[i] + (*table)[0];\n}\n");
    const std::vector<compile::Parameter>& parameters = program.source.scan.kernels.front().parameters;
    ASSERT_EQ(parameters.size(), 6U);
    EXPECT_THAT(plans(program), ElementsAre("source = input(n)", "target = zeros(n)", "items = n", "scale_by = 1",
                                            testing::StartsWith("table = "), "parameter6 = n"));
    EXPECT_EQ(parameters[0].type, "const Real*");
    EXPECT_EQ(program.recipe.arguments[0].element, trace::Element::f32);
}

TEST(Guess, NamesTheParametersOfPtxByItsDwarf) {
    if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
    const auto output = compile::compile(
        {.source = "__global__ void k(const float* from, float* to, int count) { if (count) to[0] = from[0]; }\n"});
    ASSERT_TRUE(output);
    const Program program = read(output->ptx, "kernel.ptx");
    EXPECT_THAT(plans(program), ElementsAre("from = input(n)", "to = zeros(n)", "count = n"));
    const std::string bare = output->ptx.substr(0, output->ptx.find(".section"));
    EXPECT_THAT(plans(read(bare, "kernel.ptx")),
                ElementsAre("parameter1 = input(n)", "parameter2 = zeros(n)", "parameter3 = n"));
}

/// The parameters of a built-in kernel, read from its text without a compiler, are those of DWARF.
TEST(Catalog, ReadsTheParametersThatDwarfHas) {
    std::size_t compared = 0;
    for (const Program& program : catalog()) {
        if (program.recipe.host) continue;
        SCOPED_TRACE(program.name);
        const auto kernel = compiled_kernel(program);
        ASSERT_TRUE(kernel);
        const auto described = described_parameters(kernel->function());
        ASSERT_TRUE(described);
        const auto* declared = declaration_of(program.source.scan, program.recipe.kernel);
        ASSERT_EQ(declared->parameters.size(), described->size());
        for (std::size_t i = 0; i < described->size(); ++i) {
            const compile::Parameter &read = declared->parameters[i], &known = (*described)[i];
            EXPECT_EQ(read.name, known.name);
            EXPECT_EQ(read.pointer, known.pointer) << read.name;
            EXPECT_EQ(read.read_only, known.read_only) << read.name;
            const auto type = [&](const compile::Parameter& p) {
                const auto element = element_type(program, p.pointer ? p.element : p.type);
                return element ? trace::name_of(element->element) : std::string_view(known.type);
            };
            EXPECT_EQ(type(read), type(known)) << read.name;
        }
        ++compared;
    }
    EXPECT_GT(compared, 80U);
}

TEST(Guess, InstantiatesATemplateAsTheFileDoes) {
    NEEDS_HOST_CODE();
    const Program file = read(student("reduce_template.cu"));
    EXPECT_EQ(file.recipe.kernel, "main") << "which chooses the instance by a switch";
    const Result<Program> chosen = with_kernel(file, "reduce6");
    ASSERT_TRUE(chosen);
    const Program& program = *chosen;
    EXPECT_EQ(program.recipe.kernel, "reduce6");
    EXPECT_THAT(program.recipe.template_arguments, ElementsAre("512"));
    EXPECT_EQ(program.recipe.shared, "4 * block");
    EXPECT_THAT(program.notes, Contains(HasSubstr("as in line")));
    EXPECT_EQ(instance_of(program, {}), "reduce6<512>");
    const Result<Program> other = with_kernel(program, "reduce6<block>");
    ASSERT_TRUE(other);
    EXPECT_EQ(instance_of(*other, {.n = 1, .block = 64, .grid = 1}), "reduce6<64>");
}

TEST(Guess, ResolvesElementTypesThroughTemplatesAliasesAndVectors) {
    std::string source = student("warp_shuffle.cu");
    source.replace(source.find("1 << 20"), 7, "1 << 12");  // it is followed
    const Program shuffle = read_alone(source, "blockReduce");
    EXPECT_EQ(instance_of(shuffle, {}), "blockReduce<float>");
    EXPECT_EQ(shuffle.recipe.arguments[0].element, trace::Element::f32);
    EXPECT_EQ(shuffle.recipe.arguments[2].element, trace::Element::u64);
    const Program transpose = read_alone(student("transpose_namespaces.cu"));
    EXPECT_EQ(transpose.recipe.kernel, "course::transpose");
    EXPECT_EQ(transpose.recipe.arguments[0].element, trace::Element::f32);
    const Program bodies = read_alone(student("nbody.cu"));
    EXPECT_EQ(bodies.recipe.arguments[0].components, 4U);
    const auto positions = make_argument(bodies.recipe.arguments[0], "iota", {.n = 3, .block = 1, .grid = 1});
    ASSERT_TRUE(positions);
    EXPECT_EQ(positions->bytes.size(), 3 * 4 * sizeof(float));
    EXPECT_EQ(bodies.recipe.arguments[2].plan, "1");
}

TEST(Guess, ReadsTheNamesWhereNothingIsConst) {
    const Program program = read_alone(student("unmarked.cu"));
    EXPECT_EQ(program.recipe.kernel, "sum");
    EXPECT_THAT(plans(program), ElementsAre("d_sum = zeros(n)", "d_data = input(n)"));
    EXPECT_EQ(program.recipe.shared, "4 * block");
    EXPECT_THAT(program.notes, Contains(HasSubstr("hsh_scan")));
    const Result<Program> scan = with_kernel(program, "hsh_scan");
    ASSERT_TRUE(scan);
    EXPECT_THAT(plans(*scan), ElementsAre("X = input(n)", "Y = zeros(n)", "len = n"));
}

TEST(Guess, DoesNotStopAtAParameterItCannotMake) {
    const Program program = read("struct S : Base { int* x; };\n__global__ void k(S s, int* p) {}\n");
    EXPECT_THAT(program.notes, Contains(HasSubstr("the parameter s of type S cannot be guessed")));
    const auto value = make_argument(program.recipe.arguments[0], "ones", {});
    ASSERT_FALSE(value);
    EXPECT_THAT(value.error().remedy, HasSubstr("lanescope: arg s"));
}

TEST(Guess, FillsAStructureMemberByMember) {
    const char* const source =
        "struct Inner { char c; double d; };\n"
        "typedef struct { int width, height = 3; float scale[2]; Inner inner; float4 v; } S;\n"
        "// lanescope: kernel = told\n"
        "// lanescope: arg s = {2 * n, 7, 0.5}\n"
        "__global__ void guessed(const S s, int* p) {}\n"
        "__global__ void told(S s, int* p) {}\n";
    const Program told = read(source);
    const auto value = make_argument(told.recipe.arguments[0], "ones", {.n = 8});
    ASSERT_TRUE(value) << value.error().message();
    // int, int, float[2], char, double at 24, float4 at 32
    std::vector<std::byte> expected(48);
    const auto put = [&](std::size_t offset, auto number) { std::memcpy(&expected[offset], &number, sizeof number); };
    put(0, 16);
    put(4, 7);
    put(8, 0.5F);
    EXPECT_EQ(value->bytes, expected);
    const Result<Program> guessed = with_kernel(told, "guessed");
    ASSERT_TRUE(guessed);
    EXPECT_EQ(guessed->recipe.arguments[0].plan, "{n, n, 1, 1, 0, 1, 1, 1, 1, 1}");
}

TEST(Guess, GivesAStructuresPointersBuffersOfTheirOwn) {
    const Program program = read(
        "struct Matrix {\n"
        "    int width, height;\n"
        "    float* data;\n"
        "    Matrix() : width(0) {}\n"
        "    ~Matrix() {}\n"
        "    static const int most = 3;\n"
        "  public:\n"
        "    __host__ __device__ float& at(int r, int c) { return data[r * width + c]; }\n"
        "    Matrix* next;\n"
        "};\n"
        "__global__ void k(Matrix m) {}\n");
    EXPECT_EQ(program.recipe.arguments[0].plan, "{n, n, input(n), 0}");
    const auto value = make_argument(program.recipe.arguments[0], "iota", {.n = 5});
    ASSERT_TRUE(value) << value.error().message();
    EXPECT_EQ(value->bytes.size(), 24U);
    ASSERT_EQ(value->members.size(), 2U);
    EXPECT_TRUE(value->members[0].buffer);
    EXPECT_EQ(value->members[0].element, trace::Element::f32);
    EXPECT_EQ(value->members[0].bytes.size(), 20U);
    EXPECT_FALSE(value->members[1].buffer);
}

TEST(Guess, FillsArraysOfStructuresNumberByNumber) {
    const Program program = read("struct P { float x; int id; };\n__global__ void k(P* p) {}\n");
    EXPECT_EQ(program.recipe.arguments[0].plan, "input(n)");
    const auto value = make_argument(program.recipe.arguments[0], "iota", {.n = 2});
    ASSERT_TRUE(value) << value.error().message();
    ASSERT_EQ(value->bytes.size(), 16U);
    float x = 0;
    int id = 0;
    std::memcpy(&x, &value->bytes[8], 4);
    std::memcpy(&id, &value->bytes[12], 4);
    EXPECT_EQ(x, 2.0F);
    EXPECT_EQ(id, 3);
}

TEST(Guess, TakesTypesAsTheCompilerSaysThem) {
    if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
    const Program program = read(
        "#define REAL double\n"
        "typedef REAL real;\n"
        "using number = real;\n"
        "template <class T, int k> struct Row { T cell[k]; };\n"
        "namespace course {\n"
        "enum class Color : unsigned char { red, green };\n"
        "struct Base { short id; };\n"
        "struct Pixel : Base { number* levels; Color color; };\n"
        "union Either { int i; float f; };\n"
        "struct Tagged { int tag; Either value; };\n"
        "typedef Pixel* PixelPointer;\n"
        "__global__ void k(const number* in, Row<float, 2> row, Pixel pixel, Color* colors, Tagged tagged,\n"
        "                  PixelPointer next, number** rows) {}\n"
        "}\n");
    EXPECT_EQ(program.recipe.kernel, "course::k");
    const std::vector<ArgumentPlan>& arguments = program.recipe.arguments;
    EXPECT_EQ(arguments[0].element, trace::Element::f64);
    EXPECT_EQ(arguments[1].plan, "{1, 1}");
    EXPECT_EQ(arguments[2].plan, "{0, input(n), 0}") << "the base's member, the pointer and the color";
    EXPECT_EQ(arguments[2].members[0].element, trace::Element::f64);
    EXPECT_EQ(arguments[3].element, trace::Element::u8);
    EXPECT_EQ(arguments[5].plan, "zeros(n)") << "as Pixel* would be";
    for (const char* unknown : {"tagged", "rows"})
        EXPECT_THAT(program.notes, Contains(HasSubstr(std::string("the parameter ") + unknown)))
            << "no layout is made up";
}

TEST(Guess, TakesOneBlockWhereTheKernelAsksForNone) {
    for (const char* launch :
         {"", "int main() { k<<<1, n>>>(p, n); }", "const int N = 64; int main() { k<<<1, n>>>(p, N); }"}) {
        const Program program = read_alone(
            std::string("__global__ void k(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= 2; }\n") + launch);
        EXPECT_EQ(program.recipe.grid, "1") << launch;
    }
}

TEST(Guess, IsOfNoSharedArrayWhereOnlyAnotherKernelHasOneThatTheLaunchSizes) {
    const std::string file =
        "__global__ void plain(int* p) { p[threadIdx.x] = 1; }\n"
        "__global__ void sized(int* p) { extern __shared__ int s[]; s[threadIdx.x] = 1; p[threadIdx.x] = s[0]; }\n";
    const Program program = read(file);
    EXPECT_EQ(program.recipe.kernel, "plain");
    EXPECT_EQ(program.recipe.shared, "");
    EXPECT_THAT(reasons(program), testing::Not(Contains(HasSubstr("extern __shared__"))));
    const Result<Program> sized = with_kernel(program, "sized");
    ASSERT_TRUE(sized) << sized.error().message();
    EXPECT_EQ(sized->recipe.shared, "4 * block");
    EXPECT_THAT(reasons(*sized), Contains(HasSubstr("extern __shared__")));
    EXPECT_EQ(
        read("extern __shared__ int s[];\n__global__ void k(int* p) { s[threadIdx.x] = 1; p[threadIdx.x] = s[0]; }")
            .recipe.shared,
        "4 * block");
}

TEST(Guess, OfAFileWithoutKernelIsRefused) {
    const Result<Program> program = program_from_source("void nothing() {}", "host.cu");
    ASSERT_FALSE(program);
    EXPECT_THAT(program.error().what, HasSubstr("no kernel"));
}

}  // namespace
}  // namespace lanescope::session
