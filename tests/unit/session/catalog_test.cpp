#include "session/catalog.h"

#include "analysis/panels/step_condition.h"
#include "base/number_type.h"
#include "catalog_support.h"
#include "places.h"
#include "session/input.h"
#include "session/oracle.h"

#include <gmock/gmock.h>
#include <filesystem>

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// --- The built-in programs -----------------------------------------------------------------------------------------

TEST(Catalog, StandsInTeachingOrder) {
    std::vector<std::string> names;
    for (const Program& program : catalog()) names.push_back(program.name);
    const auto place = [&](const char* name) { return std::ranges::find(names, name) - names.begin(); };
    EXPECT_EQ(names.front(), "reduce/two-elements");
    for (const auto& [earlier, later] :
         {std::pair("reduce/two-elements", "reduce/interleaved-modulo"),
          std::pair("reduce/interleaved-modulo", "reduce/strided-index"),
          std::pair("reduce/strided-index", "reduce/sequential"),
          std::pair("reduce/sequential", "reduce/first-add-during-load"),
          std::pair("reduce/first-add-during-load", "reduce/unrolled-last-warp"),
          std::pair("reduce/unrolled-last-warp", "reduce/completely-unrolled"),
          std::pair("reduce/completely-unrolled", "reduce/grid-stride"),
          std::pair("reduce/grid-stride", "reduce/warp-shuffle"),
          std::pair("reduce/warp-shuffle", "scan/double-buffered"),
          std::pair("scan/double-buffered", "scan/reduction-distribution"),
          std::pair("scan/reduction-distribution", "scan/up-sweep-down-sweep"),
          std::pair("scan/up-sweep-down-sweep", "scan/padded"), std::pair("scan/padded", "apply/dot-product"),
          std::pair("apply/recurrence", "faulty/missing-barrier")})
        EXPECT_LT(place(earlier), place(later)) << earlier << " before " << later;
    EXPECT_LT(place("faulty/missing-barrier"), std::ssize(names));
}

TEST(Catalog, EveryProgramDescribesItselfCompletely) {
    for (const Program& program : catalog()) {
        SCOPED_TRACE(program.name);
        for (const std::string* field :
             {&program.lesson.title, &program.lesson.family, &program.lesson.summary, &program.recipe.grid,
              &program.recipe.n, &program.recipe.block, &program.recipe.input, &program.recipe.limits.block,
              &program.recipe.expected.oracle, &program.recipe.expected.slice, &program.recipe.expected.output})
            EXPECT_FALSE(field->empty());
        for (const std::string_view heading : {section::look, section::lecture, section::reading})
            EXPECT_FALSE(paragraphs_of(program.lesson, heading).empty()) << heading;
        EXPECT_NE(paragraphs_of(program.lesson, section::words).empty(),
                  paragraphs_of(program.lesson, section::background).empty())
            << "either a lecture is quoted, or there is background";
        EXPECT_EQ(program.lesson.sections.size(), 4U);
        EXPECT_EQ(program.source.text.find("lanescope"), std::string::npos) << "a lesson says it, not the source";
        EXPECT_TRUE(program.source.built_in);
        EXPECT_TRUE(program.notes.empty()) << program.notes[0];
        for (const ArgumentPlan& plan : program.recipe.arguments) EXPECT_FALSE(plan.guessed) << plan.parameter;
        EXPECT_EQ(program.lesson.family == "faulty", !program.recipe.expected.fault.empty());
        // The kernel, or a part that it is made of.
        const std::size_t code =
            std::min({program.source.text.find("__global__"), program.source.text.find("__device__"),
                      program.source.text.find("struct ")});
        EXPECT_LT(code, 150U) << "code is what the projector shows first";
    }
}

TEST(Catalog, EveryProgramCanBeLaunchedWithItsDefaults) {
    for (const Program& program : catalog()) {
        SCOPED_TRACE(program.name);
        const auto block = evaluate_extent(program.recipe.block, {});
        const auto n = evaluate(program.recipe.n, {});
        ASSERT_TRUE(block && n);
        EXPECT_TRUE(check_block(program, block->x));
        EXPECT_TRUE(check_n(program, {.n = *n, .block = block->x, .grid = 1}));
        const auto grid = evaluate_extent(program.recipe.grid, {.n = *n, .block = block->x, .grid = 0});
        ASSERT_TRUE(grid);
        EXPECT_LE(grid->x, 4U) << "small by default";
        for (const ArgumentPlan& plan : program.recipe.arguments)
            EXPECT_TRUE(make_argument(plan, program.recipe.input, {.n = *n, .block = block->x, .grid = grid->x}));
    }
}

TEST(Catalog, IsFoundByNameAndByTheLastPartOfIt) {
    ASSERT_NE(find_program("reduce/sequential"), nullptr);
    EXPECT_EQ(find_program("sequential"), find_program("reduce/sequential"));
    EXPECT_EQ(find_program("reduce"), nullptr);
    EXPECT_EQ(find_program("quential"), nullptr);
    EXPECT_EQ(find_program(""), nullptr);
}

TEST(Catalog, PadsWhatABlockTakesWithZeros) {
    const Program& program = *find_program("two-elements");
    const Variables sizes{.n = 18, .block = 8, .grid = 2};
    const auto input = make_argument(program.recipe.arguments[0], "ones", sizes);
    ASSERT_TRUE(input);
    EXPECT_EQ(input->count, 18U);
    EXPECT_EQ(input->bytes.size(), 32 * sizeof(float));
    EXPECT_EQ(decode(trace::Element::f32, trace::bits_at(trace::Element::f32, input->bytes, 17)), 1);
    EXPECT_EQ(decode(trace::Element::f32, trace::bits_at(trace::Element::f32, input->bytes, 18)), 0);
}

// --- A file's own comment ------------------------------------------------------------------------------------------

TEST(Comment, SaysEverythingAndMayUseTheFilesConstants) {
    const Program program = read(
        "#define WIDTH 4\n// lanescope: title = Mine\n// lanescope: arg out = zeros(n / WIDTH)\n"
        "__global__ void k(const float* in, float* out, int n, float s) {}\n"
        "// lanescope: arg in = input(n, grid * block) as random 3\n// lanescope: arg n = n - 1\n// lanescope: arg s = "
        "0.5\n"
        "// lanescope: block = WIDTH * 8\n// lanescope: n = 100\n// lanescope: oracle = block-max(2 * block)\n// "
        "lanescope: output = out\n");
    EXPECT_EQ(program.lesson.title, "Mine");
    EXPECT_EQ(program.lesson.family, "file");
    EXPECT_THAT(plans(program), ElementsAre("in = input(n, grid * block) as random 3", "out = zeros(n / WIDTH)",
                                            "n = n - 1", "s = 0.5"));
    EXPECT_EQ(program.recipe.arguments[1].size, "n / 4");
    EXPECT_EQ(program.recipe.arguments[0].fill, "random 3");
    EXPECT_EQ(program.recipe.block, "4 * 8");
    EXPECT_EQ(program.recipe.expected.oracle, "block-max");
    EXPECT_EQ(program.recipe.expected.slice, "2 * block");
    EXPECT_TRUE(program.notes.empty());
}

TEST(Comment, MayUseConstantsThatTheCompilerOptionsDefine) {
    const std::string source = "// lanescope: n = COUNT\n__global__ void k(int* out) { out[threadIdx.x] = COUNT; }\n";
    EXPECT_FALSE(program_from_source(source, "k.cu"));
    const Result<Program> program =
        program_from_source(source, "k.cu", {}, {.include = {}, .defines = {{"COUNT", "96"}}, .others = {}});
    ASSERT_TRUE(program) << program.error().message();
    EXPECT_EQ(program->recipe.n, "96");
}

TEST(Comment, HasASectionForEachKernel) {
    const std::string source =
        "__global__ void a(int* p) {}\n__global__ void b(int* q) {}\n// lanescope: family = pair\n"
        "// lanescope: kernel = b\n// lanescope: title = B\n// lanescope: arg q = input(7)\n"
        "// lanescope: kernel = a\n// lanescope: title = A\n// lanescope: arg p = zeros(5)\n";
    const Program b = read(source);
    EXPECT_EQ(b.recipe.kernel, "b");
    EXPECT_EQ(b.lesson.title, "B");
    EXPECT_EQ(b.lesson.family, "pair");
    EXPECT_THAT(plans(b), ElementsAre("q = input(7)"));
    const Result<Program> a = with_kernel(b, "a");
    ASSERT_TRUE(a);
    EXPECT_EQ(a->lesson.title, "A");
    EXPECT_EQ(a->lesson.family, "pair");
    EXPECT_THAT(plans(*a), ElementsAre("p = zeros(5)"));
    const Result<Program> none = with_kernel(b, "c");
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().remedy, HasSubstr("a, b"));
}

struct Mistake {
    const char* comment;
    unsigned column;
    const char* what;
};
class CommentMistake : public testing::TestWithParam<Mistake> {};

TEST_P(CommentMistake, IsReportedWithItsPlace) {
    const std::string source =
        std::string("__global__ void k(const int* in, int* out, int n) {}\n\n") + GetParam().comment + "\n";
    const Result<Program> program = program_from_source(source, "dir/mine.cu");
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().where, (Place{"dir/mine.cu", 3, GetParam().column})) << program.error().message();
    EXPECT_THAT(program.error().what, HasSubstr(GetParam().what));
}

INSTANTIATE_TEST_SUITE_P(All, CommentMistake,
                         testing::Values(Mistake{"// lanescope: color = red", 15, "\"color\" is not a key"},
                                         Mistake{"// lanescope: title", 15, "reads `key = value`"},
                                         Mistake{"// lanescope: shared = block * m", 32, "\"m\" is undefined"},
                                         Mistake{"// lanescope: grid = ceil(n / )", 31, "unexpected \")\""},
                                         Mistake{"// lanescope: fault when = 2 * n", 28, "is not a condition"},
                                         Mistake{"// lanescope: grid = 4, 0", 25, "an extent of 0"},
                                         Mistake{"// lanescope: block = 2 *", 26, "is incomplete"},
                                         Mistake{"// lanescope: arg x = n", 15, "no parameter named \"x\""},
                                         Mistake{"// lanescope: arg in = input(n", 24, "neither a number nor the name"},
                                         Mistake{"// lanescope: arg in = input(n, m)", 33, "\"m\" is undefined"},
                                         Mistake{"// lanescope: arg in = input(n) as rand", 36, "\"rand\" is neither"},
                                         Mistake{"// lanescope: arg in = zeros()", 24, "is not a plan"},
                                         Mistake{"// lanescope: arg n = many", 23, "\"many\" is undefined"},
                                         Mistake{"// lanescope: arg n = 1.5", 23, "unexpected"},
                                         Mistake{"// lanescope: input = 1 2 x", 27, "\"x\" is neither"},
                                         Mistake{"// lanescope: oracle = total", 24,
                                                 "no CPU reference named \"total\""},
                                         Mistake{"// lanescope: oracle = block-sum(k)", 34, "\"k\" is undefined"},
                                         Mistake{"// lanescope: output = n", 24, "no pointer named \"n\""},
                                         Mistake{"// lanescope: kernel = other", 24, "no kernel named \"other\""},
                                         Mistake{"// lanescope: block rule = odd", 28, "\"odd\" is not a rule"}));

TEST(Catalog, RefusesTooManyMembersAndWhatIsNoStructure) {
    const auto refusal = [](const std::string& plan) {
        const auto program = program_from_source(
            "struct S { int a, b; };\n// lanescope: arg s = " + plan + "\n__global__ void k(S s, int* p) {}\n",
            "file.cu");
        return program ? "taken" : program.error().message();
    };
    EXPECT_THAT(refusal("{1, 2, 3}"), HasSubstr("the structure S has 2 members, and 3 values are given"));
    EXPECT_THAT(refusal("5"), HasSubstr("\"5\" is not a value of the structure S"));
}

TEST(Ptx, IsAProgramWithTheTypesOfItsMangledNames) {
    const std::filesystem::path path =
        std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels/scan/double_buffered.compiled.ptx";
    const Result<Program> program = read_program(path);
    ASSERT_TRUE(program) << program.error().message();
    EXPECT_EQ(program->recipe.kernel, "_Z4scanPKfPfi");
    ASSERT_EQ(program->recipe.arguments.size(), 3U);
    EXPECT_EQ(program->recipe.arguments[0].kind, ArgumentPlan::Kind::input);
    EXPECT_EQ(program->recipe.arguments[0].element, trace::Element::f32);
    EXPECT_EQ(program->recipe.arguments[1].kind, ArgumentPlan::Kind::zeros);
    EXPECT_EQ(program->recipe.arguments[2].kind, ArgumentPlan::Kind::value);
    EXPECT_FALSE(program->source.ptx.empty());
}

TEST(File, ThatIsNotThereIsRefused) {
    const Result<Program> program = read_program("/no/such/file.cu");
    ASSERT_FALSE(program);
    EXPECT_THAT(program.error().what, HasSubstr("/no/such/file.cu"));
    EXPECT_FALSE(read_program("/"));
}

// --- Expressions, plans and rules ----------------------------------------------------------------------------------

TEST(Expression, IsArithmeticOfNBlockAndGrid) {
    const Variables v{.n = 100, .block = 32, .grid = 4};
    const auto value = [&](const char* text) { return evaluate(text, v).value_or(999999); };
    EXPECT_EQ(value("n"), 100U);
    EXPECT_EQ(value("ceil(n / block)"), 4U);
    EXPECT_EQ(value("ceil(n / (2 * block))"), 2U);
    EXPECT_EQ(value("ceil(n * 3 / 7 / 2)"), 22U);
    EXPECT_EQ(value("n / block"), 3U);
    EXPECT_EQ(value("floor(n / block)"), 3U);
    EXPECT_EQ(value("n % block + 2 * (grid - 1)"), 10U);
    EXPECT_EQ(value("max(n, block * grid) - min(n, 7)"), 121U);
    EXPECT_EQ(value("n * log2(block) - grid * (block - 1)"), 376U);
    EXPECT_EQ(value("log2(5)"), 3U);
    EXPECT_EQ(value("log2(1)"), 0U);
    EXPECT_EQ(value("block * sizeof(unsigned int)"), 128U);
    EXPECT_EQ(value("2 - 3 + 4"), 3U);
    EXPECT_EQ(value("ceil(min(n / 3, 50))"), 34U);
}

TEST(Condition, ComparesExpressions) {
    const auto value = [](const char* text) { return holds(text, {.n = 100, .block = 32, .grid = 4}).value(); };
    EXPECT_TRUE(value("grid > 1"));
    EXPECT_TRUE(value("n % block != 0 && n >= block * (grid - 1)"));
    EXPECT_FALSE(value("grid > 1 && n < block"));
    EXPECT_FALSE(value("n == block"));
    EXPECT_TRUE(value("(grid <= 4) && ceil(n / block) == grid"));
    for (const char* bad : {"n", "n + 1", "grid > 1 && n", "(n > 1) + 1 > 0", "n > x", "1 < grid < 5", ""})
        EXPECT_FALSE(holds(bad, {.n = 100, .block = 32, .grid = 4})) << bad;
}

TEST(Expression, ThatIsNoneSaysWhere) {
    const auto column = [](const char* text) {
        const auto value = evaluate(text, {.n = 8, .block = 4, .grid = 2});
        EXPECT_FALSE(value) << text;
        return value ? 0 : value.error().where.column;
    };
    EXPECT_EQ(column("n + x"), 5U);
    EXPECT_EQ(column("n +"), 4U);
    EXPECT_EQ(column("(n"), 3U);
    EXPECT_EQ(column("n n"), 3U);
    EXPECT_EQ(column("n / 0"), 3U);
    EXPECT_EQ(column("f(n)"), 1U);
    for (const char* bad :
         {"", " ", "1 - 2", "n * 9223372036854775807", "99999999999999999999", "1.5", "sizeof(Foo)", "log2(0)", "n % 0",
          "ceil(1 / 3) / 0", "((((", "n, n", "-9223372036854775807 - 1", "\xff", "ceil("})
        EXPECT_FALSE(evaluate(bad, {.n = 8, .block = 4, .grid = 2})) << bad;
    EXPECT_FALSE(evaluate(std::string(100000, '('), {}));
    EXPECT_FALSE(evaluate(std::string(100000, '-') + "1", {}));
}

TEST(Expression, OfARecipeAndOfABreakpointHaveOneGrammar) {
    for (const char* const text : {"n +", "(n", "n n", "f()", "n < ", "n == 1 &&", "n = 1", "1, 2", "n == 1 ]"}) {
        const auto size = evaluate(text, {.n = 8, .block = 4, .grid = 2});
        const auto condition = analysis::read_condition(text);
        ASSERT_TRUE(!size && !condition) << text;
        EXPECT_EQ(size.error().what, condition.error().what);
        EXPECT_EQ(size.error().where, condition.error().where) << text;
    }
}

TEST(Expression, HasTheSizesOfTheTableOfNumberTypes) {
    for (const char* const type :
         {"char", "short", "int", "unsigned long long", "__half", "float", "double", "float4"}) {
        const std::optional<NumberType> row = number_type(type);
        ASSERT_TRUE(row) << type;
        EXPECT_EQ(evaluate("sizeof(" + std::string(type) + ")", {}).value_or(0), row->bytes * row->components) << type;
    }
}

TEST(Expression, RefusesWhatOnlyAConditionSays) {
    EXPECT_EQ(evaluate("n == 1", {.n = 1}).error().where.column, 3U);
    EXPECT_EQ(evaluate("min(n)", {.n = 1}).error().what, "min takes 2 arguments");
    EXPECT_EQ(evaluate("2^10 * 2", {}).value_or(0), 2048U);
}

TEST(Extent, HasOneToThreeDimensions) {
    const Variables v{.n = 100, .block = 32, .grid = 4};
    EXPECT_EQ(evaluate_extent("ceil(n / block)", v), (trace::Dim3{4, 1, 1}));
    EXPECT_EQ(evaluate_extent("max(1, 2), n", v), (trace::Dim3{2, 100, 1}));
    EXPECT_EQ(evaluate_extent("16x8x2", v), (trace::Dim3{16, 8, 2}));
    for (const char* bad : {"", "1, 2, 3, 4", "0", "1,", "5000000000", "16x"})
        EXPECT_FALSE(evaluate_extent(bad, v)) << bad;
    EXPECT_EQ(evaluate_extent("4, q", v).error().where.column, 4U);
}

TEST(Plan, OfAFlagMayNameAnInputAlone) {
    const Program program =
        read("__global__ void k(const int* in, int n) {}\n// lanescope: arg in = input(n, grid * block)\n");
    const compile::Parameter& in = program.source.scan.kernels[0].parameters[0];
    const auto plan = parse_plan(program, in, "3 1 4", {}, &program.recipe.arguments[0]);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->fill, "3 1 4");
    const auto value = make_argument(*plan, "ones", {.n = 5, .block = 4, .grid = 2});
    ASSERT_TRUE(value);
    EXPECT_EQ(value->bytes.size(), 8 * sizeof(int));
    EXPECT_EQ(value->count, 5U);
    EXPECT_EQ(trace::bits_at(trace::Element::s32, value->bytes, 2), 4U);
    EXPECT_EQ(trace::bits_at(trace::Element::s32, value->bytes, 3), 0U);
    EXPECT_THAT(value->notes, Contains(HasSubstr("zeros follow the 3 typed values")));
    EXPECT_FALSE(parse_plan(program, in, "nonsense", {}));
    EXPECT_FALSE(parse_plan(program, in, "", {}));
}

TEST(Plan, MakesNumbersOfTheParametersType) {
    const Program program = read(
        "__global__ void k(short s, float f, double d, unsigned u) {}\n"
        "// lanescope: arg s = -3\n// lanescope: arg f = 1.5\n// lanescope: arg d = n\n// lanescope: arg u = 2 * n\n");
    const auto bytes = [&](std::size_t index, std::uint64_t n) {
        return make_argument(program.recipe.arguments[index], "", {.n = n, .block = 1, .grid = 1});
    };
    EXPECT_EQ(bytes(0, 1)->bytes.size(), 2U);
    EXPECT_EQ(trace::bits_at(trace::Element::s16, bytes(0, 1)->bytes, 0), 0xfffdU);
    EXPECT_EQ(decode(trace::Element::f32, trace::bits_at(trace::Element::f32, bytes(1, 1)->bytes, 0)), 1.5);
    EXPECT_EQ(decode(trace::Element::f64, trace::bits_at(trace::Element::f64, bytes(2, 7)->bytes, 0)), 7.0);
    EXPECT_EQ(trace::bits_at(trace::Element::u32, bytes(3, 7)->bytes, 0), 14U);
    EXPECT_FALSE(bytes(3, std::uint64_t{1} << 40)) << "does not fit unsigned";
}

TEST(Plan, OfAnImpossibleSizeIsRefusedBeforeMemoryIsTaken) {
    const Program program = read("__global__ void k(const int* in) {}\n// lanescope: arg in = input(n * n)\n");
    const auto value =
        make_argument(program.recipe.arguments[0], "ones", {.n = std::uint64_t{1} << 30, .block = 1, .grid = 1});
    ASSERT_FALSE(value);
    EXPECT_THAT(value.error().what, HasSubstr("GiB"));
}

TEST(BlockRule, IsCheckedBeforeRunning) {
    Program program;
    program.name = "k";
    program.recipe.limits.block = "power of two, 2 to 1024";
    EXPECT_TRUE(check_block(program, 2));
    EXPECT_TRUE(check_block(program, 1024));
    for (const std::uint64_t bad : {0, 1, 3, 48, 2048}) EXPECT_FALSE(check_block(program, bad)) << bad;
    EXPECT_THAT(check_block(program, 3).error().remedy, HasSubstr("power of two, 2 to 1,024"));
    program.recipe.limits.block = "multiple of 32";
    EXPECT_TRUE(check_block(program, 96));
    EXPECT_FALSE(check_block(program, 33));
    program.recipe.limits.block = "";
    EXPECT_TRUE(check_block(program, 7));
}

}  // namespace
}  // namespace lanescope::session
