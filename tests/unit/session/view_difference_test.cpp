#include "session/view_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

namespace lanescope::session {
namespace {

template <class T>
std::vector<trace::Buffer> output(trace::Element element, const std::vector<T>& values) {
    trace::Buffer buffer;
    buffer.name = "out";
    buffer.element = element;
    buffer.output = true;
    buffer.bytes = values.size() * sizeof(T);
    buffer.final.resize(buffer.bytes);
    std::memcpy(buffer.final.writable(), values.data(), buffer.bytes);
    return {buffer};
}

TEST(Views, DifferInTheFirstElementThatDoes) {
    using trace::Element;
    const auto difference =
        difference_of_views(output<int>(Element::s32, {1, 2, 3}), output<int>(Element::s32, {1, 5, 4}));
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->buffer, "out");
    EXPECT_EQ(difference->element, 1U);
    EXPECT_EQ(difference->written, "2");
    EXPECT_EQ(difference->compiled, "5");
    EXPECT_FALSE(difference_of_views(output<int>(Element::s32, {1, 2}), output<int>(Element::s32, {1, 2})));
}

TEST(Views, MayRoundDifferently) {
    using trace::Element;
    const auto differ = [](float a, float b) {
        return difference_of_views(output<float>(Element::f32, {a}), output<float>(Element::f32, {b})).has_value();
    };
    EXPECT_FALSE(differ(1.0F, 1.000001F));
    EXPECT_TRUE(differ(1.0F, 1.01F));
    EXPECT_FALSE(differ(NAN, NAN));
    EXPECT_TRUE(differ(NAN, 1.0F));
    EXPECT_TRUE(differ(INFINITY, 1.0F));
}

TEST(Views, OnlyOutputsCount) {
    trace::Trace trace;
    trace.buffers = output<int>(trace::Element::s32, {1});
    trace.buffers.push_back(trace.buffers.front());
    trace.buffers.back().output = false;
    EXPECT_EQ(outputs_of(trace).size(), 1U);
}

TEST(Views, MayDifferWhereAProductIsAdded) {
    const auto rounds = [](const std::string& body) {
        const auto module = ptx::parse(
            ".version 8.0\n.target sm_75\n.address_size 64\n"
            ".visible .entry k()\n{\n    .reg .f32 %f<5>;\n    .reg .b32 %r<5>;\n" +
            body + "    ret;\n}\n");
        EXPECT_TRUE(module) << module.error().message();
        trace::Launch launch;
        launch.kernel = "k";
        return module && rounds_products(*module, {launch}) && !rounds_products(*module, {});
    };
    const std::string mul = "    mul.f32 %f2, %f1, %f1;\n", add = "    add.f32 %f4, %f3, %f2;\n";
    EXPECT_TRUE(rounds(mul + add));
    EXPECT_TRUE(rounds(mul + "    mov.f32 %f3, %f2;\n    sub.f32 %f4, %f1, %f3;\n")) << "through a variable";
    EXPECT_FALSE(rounds(add + mul));
    EXPECT_FALSE(rounds(mul + "    mov.f32 %f2, %f1;\n" + add)) << "another value is in the register";
    EXPECT_FALSE(rounds("    mul.rn.f32 %f2, %f1, %f1;\n" + add)) << "__fmul_rn is never fused";
    EXPECT_FALSE(rounds("    mul.lo.s32 %r2, %r1, %r1;\n    add.s32 %r3, %r2, %r1;\n")) << "integers do not round";
}

}  // namespace
}  // namespace lanescope::session
