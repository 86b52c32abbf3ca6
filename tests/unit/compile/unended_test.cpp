#include "compile/unended.h"

#include "support.h"

#include <gmock/gmock.h>

namespace lanescope::compile {
namespace {

const std::string kernel = "__global__ void k(int* p) { p[0] = 1; }\n";

TEST(Unended, is_a_piece_at_the_end_of_the_file_that_is_no_declaration) {
    const auto found = unended_piece(kernel + "// it ends here\n  syntax error here\n// yes\n");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->line, 3U);
    EXPECT_EQ(found->column, 3U);
    EXPECT_THAT(found->text, testing::HasSubstr("'syntax error here' at the end of the file"));
    EXPECT_TRUE(unended_piece(kernel + "int last = 5")) << "a ';' is missing";
}

TEST(Unended, is_nothing_that_host_code_may_end_with) {
    for (const std::string end :
         {"", "int last = 5;", "int main() {}", "struct A {};", "RUN_ALL", "RUN_ALL()", "BENCHMARK_MAIN()", "run_all",
          "END_NAMESPACE END_NAMESPACE", "#define last word here", "// a comment", "namespace a { } // end of a",
          "#ifdef A\nint a;\n#else\nint b\n#endif", "static_assert(true);", "#pragma once", "[[maybe_unused]] int a;",
          "template <class T> void f(T) {}\ntemplate void f<int>(int);", "#define suite tests_of\nsuite all"})
        EXPECT_FALSE(unended_piece(kernel + end)) << end;
}

TEST(Unended, is_told_like_any_error_of_the_compiler) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = kernel + "syntax error here\n", .name = "k.cu"});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().problem.where, (Place{"k.cu", 2, 1}));
    ASSERT_EQ(output.error().diagnostics.size(), 1U);
}

}  // namespace
}  // namespace lanescope::compile
