#include "session/view_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

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

}  // namespace
}  // namespace lanescope::session
