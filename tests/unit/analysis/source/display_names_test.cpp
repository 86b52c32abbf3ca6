// An element is called as the source would call it.
#include "analysis/source/display_names.h"

#include "analysis/source/members.h"

#include <gtest/gtest.h>

#include <cstring>

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
        return shared_name(trace_, module_, 0, 256 + offset, bytes);
    }
    trace::Trace trace_;
    ptx::Module module_;
};

TEST_F(NamesOfElements, OfAnArrayOfVectorsNameTheComponent) {
    declare("float4", 16, {64}, 1024, trace::Element::f32);
    EXPECT_EQ(name(0, 4), "v[0].x");
    EXPECT_EQ(name(63 * 16 + 12, 4), "v[63].w");
    EXPECT_EQ(name(16, 16), "v[1]") << "an access to all of it";
}

TEST_F(NamesOfElements, OfSeveralDimensionsHaveAsManySubscripts) {
    declare("float2", 8, {4, 8}, 256, std::nullopt);
    EXPECT_EQ(name(8 * 11 + 4, 4), "v[1][3].y");
    declare("int", 4, {4, 8}, 128, trace::Element::s32);
    EXPECT_EQ(name(4 * 11, 4), "v[1][3]");
}

TEST_F(NamesOfElements, OfStructuresNeverGoPastTheDeclaredNumber) {
    declare("Pair", 12, {8}, 96, std::nullopt);
    EXPECT_EQ(name(7 * 12, 4), "v[7]");
    EXPECT_EQ(name(7 * 12 + 8, 4), "v[7] from byte 8 on");
}

TEST_F(NamesOfElements, OfStructuresThatAreKnownNameTheMember) {
    declare("Body", 24, {8}, 192, std::nullopt);
    constexpr NumberType number{NumberType::Kind::ieee, 8}, flag{NumberType::Kind::signed_whole, 1};
    module_.structures = {
        {.name = "Body", .bytes = 24, .members = {{"at.x", number, 0}, {"at.y", number, 8}, {"lives", flag, 16}}}};
    EXPECT_EQ(name(5 * 24 + 8, 8), "v[5].at.y");
    EXPECT_EQ(name(5 * 24 + 12, 4), "v[5].at.y") << "its upper half";
    EXPECT_EQ(name(5 * 24 + 16, 1), "v[5].lives");
    EXPECT_EQ(name(5 * 24, 16), "v[5]") << "two of them at once";
    EXPECT_EQ(name(5 * 24 + 20, 4), "v[5]") << "padding";
    declare("Body", 24, {}, 24, std::nullopt);
    EXPECT_EQ(name(16, 1), "v.lives");
}

TEST(CellNames, AreOfMembersWhereTheseFillTheElement) {
    const auto vectors = members_of(ptx::Module{}, "const float4*");
    const CellNames cells = cells_of(trace::Element::f32, vectors);
    EXPECT_EQ(cells.per_element(), 4U);
    EXPECT_EQ(cells.index_text(6), "1.z");
    EXPECT_EQ(cells_of(trace::Element::f64, vectors).index_text(6), "6") << "cells as long as two members";

    ptx::Module module;
    constexpr NumberType number{NumberType::Kind::ieee, 4}, whole{NumberType::Kind::signed_whole, 4};
    module.structures = {{.name = "Best", .bytes = 8, .members = {{"value", number, 0}, {"index", whole, 4}}}};
    const CellNames best = cells_of(trace::Element::s32, members_of(module, "Best*"));
    EXPECT_EQ(best.element_of(6), trace::Element::f32);
    EXPECT_EQ(best.element_of(7), trace::Element::s32);
    EXPECT_EQ(best.subscript(7), "[3].index");
    module.structures.front().bytes = 12;  // padded
    EXPECT_EQ(cells_of(trace::Element::s32, members_of(module, "Best*")).per_element(), 1U);
}

TEST_F(NamesOfElements, OfUndeclaredMemoryCountByTheAccess) {
    declare("", 0, {}, 64, std::nullopt);
    EXPECT_EQ(name(8, 4), "v[2]");
}

TEST_F(NamesOfElements, OfABufferFollowTheArgumentThatPointsToIt) {
    trace::Buffer buffer;
    buffer.name = "in";
    buffer.element = trace::Element::f32;
    buffer.address = 0x1000;
    buffer.bytes = 64;
    trace_.buffers = {buffer};
    EXPECT_EQ(global_name(trace_, module_, 0, 0x1000 + 20, 4), "in[5]");
    trace_.launches.emplace_back();
    trace_.launches.back().arguments = {{.name = "in", .type = "const float4*", .buffer = 0, .value = {}}};
    EXPECT_EQ(global_name(trace_, module_, 0, 0x1000 + 20, 4), "in[1].y");
    EXPECT_EQ(global_name(trace_, module_, 0, 0x1000 + 16, 16), "in[1]");
}

}  // namespace
TEST_F(NamesOfElements, OfABufferAreTheParametersOfTheLaunchedKernel) {
    trace::Buffer buffer;
    buffer.name = "d";
    buffer.element = trace::Element::s32;
    buffer.address = 0x1000;
    buffer.bytes = 64;
    trace_.buffers = {buffer};
    const auto pointer = [](const std::string& name, std::uint64_t address) {
        trace::Argument argument{.name = name, .type = "int*", .buffer = 0, .value = std::vector<std::byte>(8)};
        std::memcpy(argument.value.data(), &address, sizeof address);
        return argument;
    };
    trace_.launches.resize(4);
    trace_.launches[0].arguments = {pointer("data", 0x1000)};
    trace_.launches[1].arguments = {pointer("in", 0x1000), pointer("out", 0x1000)};
    trace_.launches[2].arguments = {pointer("half", 0x1020)};
    EXPECT_EQ(global_name(trace_, module_, 0, 0x1000 + 20, 4), "data[5]");
    EXPECT_EQ(global_name(trace_, module_, 1, 0x1000 + 20, 4), "d[5]") << "two parameters have it";
    EXPECT_EQ(global_name(trace_, module_, 2, 0x1000 + 36, 4), "d[9]") << "the parameter's elements count from another";
    EXPECT_EQ(global_name(trace_, module_, 3, 0x1000 + 20, 4), "d[5]") << "no parameter has it";
}

}  // namespace lanescope::analysis
