#include "compile/diagnostics.h"

#include "compile/dwarf_unit.h"
#include "compile/nvrtc_ptx.h"
#include "support.h"

#include <gmock/gmock.h>

namespace lanescope::compile {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Log, gives_severity_line_column_and_text) {
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

TEST(Log, of_another_form_is_one_error) {
    const auto messages = parse_log("nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].diagnostic.line, 0U);
    EXPECT_TRUE(parse_log("").empty());
}

TEST(Log, messages_of_headers_have_no_line_in_the_source) {
    const auto diagnostics = diagnostics_for(parse_log("dir/h.h(7): error: bad\n"), "a.cu");
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].line, 0U);
    EXPECT_EQ(diagnostics[0].text, "bad (in dir/h.h, line 7)");
}

const std::string kernel = "__global__ void k(int* p) { p[0] = 1; }\n";

TEST(UnterminatedDeclaration, IsFoundAtTheEndOfTheFile) {
    const auto found = unterminated_declaration(kernel + "// it ends here\n  syntax error here\n// yes\n");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->line, 3U);
    EXPECT_EQ(found->column, 3U);
    EXPECT_THAT(found->text, testing::HasSubstr("'syntax error here' at the end of the file"));
    EXPECT_TRUE(unterminated_declaration(kernel + "int last = 5")) << "a ';' is missing";
}

TEST(UnterminatedDeclaration, IsNothingThatHostCodeMayEndWith) {
    for (const std::string end :
         {"", "int last = 5;", "int main() {}", "struct A {};", "RUN_ALL", "RUN_ALL()", "BENCHMARK_MAIN()", "run_all",
          "END_NAMESPACE END_NAMESPACE", "#define last word here", "// a comment", "namespace a { } // end of a",
          "#ifdef A\nint a;\n#else\nint b\n#endif", "static_assert(true);", "#pragma once", "[[maybe_unused]] int a;",
          "template <class T> void f(T) {}\ntemplate void f<int>(int);", "#define suite tests_of\nsuite all"})
        EXPECT_FALSE(unterminated_declaration(kernel + end)) << end;
}

TEST(UnterminatedDeclaration, IsReportedLikeAnErrorOfTheCompiler) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = kernel + "syntax error here\n", .name = "k.cu"});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().problem.where, (Place{"k.cu", 2, 1}));
    ASSERT_EQ(output.error().diagnostics.size(), 1U);
}

TEST(EntryNames, are_the_sources) {
    EXPECT_THAT(entry_names(".visible .entry _Z6reducePKiPi(\n.entry plain(\n.entry _ZN4demo1kEv()\n"
                            ".entry _Z3redILj128EEvPKiPi(\n.entry _ZN40_GLOBAL__N__00000000_4_a_cu_f3b66512_4371kEPi("),
                ElementsAre(testing::Pair("demo::k", "_ZN4demo1kEv"),
                            testing::Pair("k", "_ZN40_GLOBAL__N__00000000_4_a_cu_f3b66512_4371kEPi"),
                            testing::Pair("plain", "plain"), testing::Pair("red<128u>", "_Z3redILj128EEvPKiPi"),
                            testing::Pair("reduce", "_Z6reducePKiPi")));
}

constexpr const char* dwarf =
    "\t.file\t1 \"/home/dir/x.cu\"\n\t.section\t.debug_abbrev\n\t{\n.b8 1\n.b8 17\n.b8 1\n.b8 3\n.b8 8\n.b8 27\n.b8 "
    "8\n.b8 0\n.b8 0\n"
    ".b8 2\n.b8 15\n.b8 0\n.b8 73\n.b8 19\n.b8 51\n.b8 6\n.b8 0\n.b8 0\n.b8 0\n\t}\n\t.section\t.debug_info\n\t{\n.b32 "
    "24\n.b8 2\n.b8 0\n"
    ".b32 .debug_abbrev\n.b8 8\n.b8 1\n.b8 120\n.b8 0\n.b8 47\n.b8 97\n.b8 0\n.b8 2\n.b32 18\n.b32 12\n.b8 0\n\n\t}\n";

TEST(DwarfUnit, new_strings_move_the_references_behind_them) {
    const std::string changed = with_unit_strings(dwarf, "abc", ".");
    // Two bytes more for the name, one less for the folder: length and reference grow by one, the address class does not.
    EXPECT_NE(changed.find("{\n.b32 25\n"), std::string::npos) << changed;
    EXPECT_NE(changed.find(".b8 1\n.b8 97\n.b8 98\n.b8 99\n.b8 0\n.b8 46\n.b8 0\n.b8 2\n.b32 19\n.b32 12\n"),
              std::string::npos)
        << changed;
    EXPECT_EQ(with_unit_strings(with_unit_strings(changed, "x", "/a"), "abc", "."), changed);
}

TEST(DwarfUnit, text_that_is_not_understood_stays) {
    for (std::string text : {std::string(dwarf).replace(std::string(dwarf).find(".b8 73"), 6, ".b8 99"), std::string(),
                             std::string("\t.section\t.debug_info\n"), std::string(dwarf).substr(0, 330)})
        EXPECT_NO_THROW((void)with_unit_strings(text, "abc", "."));
    const std::string unknown_form = std::string(dwarf).replace(std::string(dwarf).find(".b8 19\n"), 6, ".b8 99");
    EXPECT_EQ(with_unit_strings(unknown_form, "abc", "."), unknown_form);
}

TEST(Normalize, names_lose_the_folders_in_front_of_them) {
    const std::string ptx =
        "x\n\t.file\t1 \"/lanescope/k.cu\"\n\t.file\t2 \"/opt/cuda/include/cccl/a/b.h\"\n\t.file\t3 "
        "\"/here/prelude.h\"\n\t.file\t4 \"/other/c.h\"\n";
    EXPECT_EQ(normalize_ptx(ptx, "k.cu", {"/opt/cuda/include", "/opt/cuda/include/cccl"}, "/here"),
              "x\n\t.file\t1 \"k.cu\"\n\t.file\t2 \"a/b.h\"\n\t.file\t3 \"prelude.h\"\n\t.file\t4 \"/other/c.h\"\n");
}

}  // namespace
}  // namespace lanescope::compile
