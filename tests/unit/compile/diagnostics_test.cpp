#include "compile/diagnostics.h"

#include "compile/nvrtc_ptx.h"
#include "support.h"

#include <gmock/gmock.h>

namespace lanescope::compile {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Log, GivesSeverityLineColumnAndText) {
    const auto messages = parse_log(
        "a.cu(12): error: no instance of function \"add\" matches\n            argument types are: (int, float)\n"
        "  \tx = add(1, 2.0f);\n  \t    ^\n\n"
        "a.cu(3): warning #177-D: variable \"x\" was declared\n  int x;\n      ^\n\n"
        "Remark: The warnings can be suppressed\n\n1 error detected in the compilation of \"a.cu\".\n");
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0].file, "a.cu");
    EXPECT_EQ(messages[0].diagnostic.line, 12U);
    EXPECT_EQ(messages[0].diagnostic.column, 6U);
    EXPECT_EQ(messages[0].diagnostic.text,
              "no instance of function \"add\" matches (argument types are: (int, float))");
    EXPECT_EQ(messages[1].diagnostic.severity, Diagnostic::Severity::warning);
    EXPECT_EQ(messages[1].diagnostic.column, 5U);
    EXPECT_EQ(messages[1].diagnostic.text, "variable \"x\" was declared");
}

TEST(Log, OfAnotherFormIsOneError) {
    const auto messages = parse_log("nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].diagnostic.line, 0U);
    EXPECT_TRUE(parse_log("").empty());
}

TEST(Log, MessagesOfHeadersHaveNoLineInTheSource) {
    const auto diagnostics = diagnostics_for(parse_log("dir/h.h(7): error: bad\n"), "a.cu");
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].line, 0U);
    EXPECT_EQ(diagnostics[0].text, "bad (in dir/h.h, line 7)");
}

const std::string closed_kernel = "__global__ void k(int* p) { p[0] = 1; }\n";

TEST(UnterminatedDeclaration, IsFoundAtTheEndOfTheFile) {
    const auto found = unterminated_declaration(closed_kernel + "// it ends here\n  syntax error here\n// yes\n");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->line, 3U);
    EXPECT_EQ(found->column, 3U);
    EXPECT_THAT(found->text, testing::HasSubstr("\"syntax error here\" at the end of the file"));
    EXPECT_TRUE(unterminated_declaration(closed_kernel + "int last = 5")) << "a ';' is missing";
}

TEST(UnterminatedDeclaration, IsNothingThatHostCodeMayEndWith) {
    for (const std::string end :
         {"", "int last = 5;", "int main() {}", "struct A {};", "RUN_ALL", "RUN_ALL()", "BENCHMARK_MAIN()", "run_all",
          "END_NAMESPACE END_NAMESPACE", "#define last word here", "// a comment", "namespace a { } // end of a",
          "#ifdef A\nint a;\n#else\nint b\n#endif", "static_assert(true);", "#pragma once", "[[maybe_unused]] int a;",
          "template <class T> void f(T) {}\ntemplate void f<int>(int);", "#define suite tests_of\nsuite all"})
        EXPECT_FALSE(unterminated_declaration(closed_kernel + end)) << end;
}

TEST(UnterminatedDeclaration, IsReportedLikeAnErrorOfTheCompiler) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = closed_kernel + "syntax error here\n", .name = "k.cu"});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().problem.where, (Place{"k.cu", 2, 1}));
    ASSERT_EQ(output.error().diagnostics.size(), 1U);
}

TEST(EntryNames, AreTheSources) {
    EXPECT_THAT(entry_names(".visible .entry _Z6reducePKiPi(\n.entry plain(\n.entry _ZN4demo1kEv()\n"
                            ".entry _Z3redILj128EEvPKiPi(\n.entry _ZN40_GLOBAL__N__00000000_4_a_cu_f3b66512_4371kEPi("),
                ElementsAre(testing::Pair("demo::k", "_ZN4demo1kEv"),
                            testing::Pair("k", "_ZN40_GLOBAL__N__00000000_4_a_cu_f3b66512_4371kEPi"),
                            testing::Pair("plain", "plain"), testing::Pair("red<128u>", "_Z3redILj128EEvPKiPi"),
                            testing::Pair("reduce", "_Z6reducePKiPi")));
}

TEST(FileLines, LoseTheFoldersInFrontOfTheirNames) {
    const std::string ptx =
        "x\n\t.file\t1 \"/lanescope/k.cu\"\n\t.file\t2 \"/opt/cuda/include/cccl/a/b.h\"\n\t.file\t3 "
        "\"/here/mine.h\"\n\t.file\t4 \"/other/c.h\"\n";
    EXPECT_EQ(without_folders(ptx, {"/opt/cuda/include", "/opt/cuda/include/cccl", "/here"}),
              "x\n\t.file\t1 \"k.cu\"\n\t.file\t2 \"a/b.h\"\n\t.file\t3 \"mine.h\"\n\t.file\t4 \"/other/c.h\"\n");
}

}  // namespace
}  // namespace lanescope::compile
