// An element is called as the source would call it.
#include "analysis/names.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

class NamesOfElements : public testing::Test {
  protected:
    /// One shared array at byte 256.
    void declare(const char* type, unsigned element_bytes, std::vector<std::uint64_t> extents, std::uint64_t bytes,
                 std::optional<trace::Element> element) {
        trace_.shared_arrays = {{.name = "v", .offset = 256, .bytes = bytes, .element = element}};
        ptx::SourceArray array;
        array.name = "v";
        array.element_type = type;
        array.element_bytes = element_bytes;
        array.extents = std::move(extents);
        array.space = ptx::Space::shared;
        module_.arrays = {array};
    }
    std::string name(std::uint64_t offset, unsigned bytes) const {
        return shared_name(trace_, module_, 256 + offset, bytes);
    }
    trace::Trace trace_;
    ptx::Module module_;
};

TEST_F(NamesOfElements, of_an_array_of_vectors_tell_the_component) {
    declare("float4", 16, {64}, 1024, trace::Element::f32);
    EXPECT_EQ(name(0, 4), "v[0].x");
    EXPECT_EQ(name(63 * 16 + 12, 4), "v[63].w");
    EXPECT_EQ(name(16, 16), "v[1]") << "an access to all of it";
}

TEST_F(NamesOfElements, of_several_dimensions_have_as_many_subscripts) {
    declare("float2", 8, {4, 8}, 256, std::nullopt);
    EXPECT_EQ(name(8 * 11 + 4, 4), "v[1][3].y");
    declare("int", 4, {4, 8}, 128, trace::Element::s32);
    EXPECT_EQ(name(4 * 11, 4), "v[1][3]");
}

TEST_F(NamesOfElements, of_structures_never_go_past_the_declared_number) {
    declare("Pair", 12, {8}, 96, std::nullopt);
    EXPECT_EQ(name(7 * 12, 4), "v[7]");
    EXPECT_EQ(name(7 * 12 + 8, 4), "v[7] from byte 8 on");
}

TEST_F(NamesOfElements, of_what_nobody_declares_count_by_the_access) {
    declare("", 0, {}, 64, std::nullopt);
    EXPECT_EQ(name(8, 4), "v[2]");
}

TEST_F(NamesOfElements, of_a_buffer_follow_the_argument_that_points_to_it) {
    trace::Buffer buffer;
    buffer.name = "in";
    buffer.element = trace::Element::f32;
    buffer.address = 0x1000;
    buffer.bytes = 64;
    trace_.buffers = {buffer};
    EXPECT_EQ(global_name(trace_, 0x1000 + 20, 4), "in[5]");
    trace_.launches.emplace_back();
    trace_.launches.back().arguments = {{.name = "in", .type = "const float4*", .buffer = 0, .value = {}}};
    EXPECT_EQ(global_name(trace_, 0x1000 + 20, 4), "in[1].y");
    EXPECT_EQ(global_name(trace_, 0x1000 + 16, 16), "in[1]");
}

}  // namespace
}  // namespace lanescope::analysis
