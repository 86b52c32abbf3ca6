// The questions that the compiler answers about a source.
#include "compile/probe.h"
#include "support.h"

#include <gmock/gmock.h>

#include <string>

namespace lanescope::compile {
namespace {

using testing::Optional;

TEST(ConstantValue, IsWhatTheCompilerSays) {
    NEEDS_NVRTC();
    const CompileRequest request{.source =
                                     "#include <cstdio>\n#define N (1 << 10)\n#define TWICE(x) ((x) + (x))\n"
                                     "template <int k> constexpr int square() { return k * k; }\n"
                                     "const int T = TWICE(N) / 3;\nenum { first = -4, second };\n"
                                     "constexpr int blocks = square<7>();\nstatic const float half = 0.5f;\n"
                                     "__global__ void k(int* p) { p[threadIdx.x] = N; }\n"
                                     "int main() { const int own = 3; printf(\"%d\", own); }\n"};
    EXPECT_THAT(constant_value(request, "N"), Optional(1024));
    EXPECT_THAT(constant_value(request, "T"), Optional(682));
    EXPECT_THAT(constant_value(request, "first"), Optional(-4));
    EXPECT_THAT(constant_value(request, "blocks"), Optional(49));
    for (const char* none : {"half", "own", "unheard_of", "k", "TWICE"})
        EXPECT_FALSE(constant_value(request, none)) << none;
}

TEST(ConstantValue, FollowsTheOptionsThatAreStated) {
    NEEDS_NVRTC();
    CompileRequest request{.source = "const int twice = 2 * N;\n__global__ void k(int* p) { *p = twice; }\n"};
    for (const int n : {4, 8}) {
        request.defines = {{"N", std::to_string(n)}};
        EXPECT_THAT(constant_value(request, "twice"), Optional(2 * n));
    }
}

}  // namespace
}  // namespace lanescope::compile
