// Kernels that fetch from textures and access surfaces.
#include "base/texture_object.h"
#include "execute/emulator/rerun.h"
#include "execute/simt/memory.h"
#include "harness.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope::execute {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// `texels` f32 in a plane of `width` and `height`; they are the first buffer.
TextureObject plane(std::uint64_t width, std::uint64_t height, std::uint64_t magic) {
    TextureObject object;
    object.magic = magic;
    object.memory = first_global_address;
    object.resource = TextureObject::array;
    object.width = width;
    object.height = height;
    object.pitch = width * sizeof(float);
    object.slice = object.pitch * height;
    return object;
}

std::string kernel_with(const std::string& body) {
    return ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 k_0, .param .u64 k_1, "
           ".param .u64 k_2)\n{\n.reg .b64 %rd<8>;\n.reg .f32 %f<8>;\n.reg .b32 %r<8>;\n.reg .b16 %rs<8>;\n"
           "ld.param.u64 %rd1, [k_1];\nld.param.u64 %rd2, [k_2];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
           "add.s64 %rd4, %rd2, %rd3;\ncvt.rn.f32.u32 %f1, %r1;\n" +
           body + "\nret;\n}\n";
}

Kernel run_textures(const std::string& body, const TextureObject& object, unsigned threads,
                    const std::vector<float>& texels = {10, 20, 40, 80, 1, 2, 3, 4}) {
    Kernel kernel(kernel_with(body));
    std::vector<std::byte> bytes(sizeof object);
    std::memcpy(bytes.data(), &object, sizeof object);
    std::vector<std::uint8_t> words;
    words.reserve(bytes.size());
    for (const std::byte byte : bytes) words.push_back(std::to_integer<std::uint8_t>(byte));
    kernel.buffer("texels", texels).buffer("object", words).buffer("out", std::vector<float>(threads));
    kernel.block(threads);
    return kernel;
}

const std::string fetch_code =
    "add.f32 %f1, %f1, 0f3F400000;\nmov.f32 %f2, 0f3F800000;\n"  // x + 0.75, between the two rows
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];\nst.global.f32 [%rd4], %f3;";

TEST(TextureUnit, FiltersBetweenTheTexelsOfAnArray) {
    TextureObject object = plane(4, 2, TextureObject::texture_magic);
    object.interpolates = 1;
    const auto trace = run_textures(fetch_code, object, 4).run();
    // 0.375 of the texel and 0.125 of the one to its right, in each of the two rows
    EXPECT_THAT(final_of<float>(*trace, "out"), ElementsAre(0.375F * 11 + 0.125F * 22, 0.375F * 22 + 0.125F * 43,
                                                            0.375F * 43 + 0.125F * 84, 0.375F * 84 + 0.125F * 84));
    EXPECT_TRUE(trace->findings.empty());
}

TEST(TextureUnit, RecordsEachTexelThatALaneReadsAndCountsNoSectors) {
    TextureObject object = plane(4, 2, TextureObject::texture_magic);
    object.interpolates = 1;
    const auto trace = run_textures(fetch_code, object, 4).run();
    std::vector<std::uint64_t> read;
    for (const trace::Step& step : trace->steps()) {
        for (const trace::Effect& effect : trace->effects(step)) {
            if (effect.kind == trace::EffectKind::load && effect.space == trace::Space::global && effect.lanes.has(1))
                read.push_back(trace->address(effect, 1) - first_global_address);
        }
    }
    EXPECT_THAT(read, ElementsAre(4, 8, 20, 24));
    EXPECT_EQ(trace->totals().global_load_instructions, 0U);
    EXPECT_EQ(trace->totals().global_store_instructions, 1U);
}

TEST(TextureUnit, FetchesTheSameWhenTheRunIsRepeated) {
    TextureObject object = plane(4, 2, TextureObject::texture_magic);
    object.interpolates = 1;
    const Kernel kernel = run_textures(fetch_code, object, 4);
    const auto trace = kernel.run();
    Progress progress;
    const auto again = emulate(kernel.module(), rerun_of(*trace, kernel.module()), {}, progress);
    ASSERT_TRUE(again);
    EXPECT_EQ(final_of<float>(**again, "out"), final_of<float>(*trace, "out"));
}

TEST(TextureUnit, EndsTheLaunchAtAHandleOfNoObject) {
    const TextureObject object = plane(4, 2, 1234);
    const auto trace = run_textures(fetch_code, object, 4).run();
    ASSERT_EQ(trace->findings.size(), 1U);
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::out_of_bounds);
    EXPECT_THAT(trace->findings[0].message, HasSubstr("which is not a live texture object: the launch is aborted"));
    TextureObject endless = plane(4, 2, TextureObject::texture_magic);
    endless.width = ~std::uint64_t{0};
    EXPECT_FALSE(run_textures(fetch_code, endless, 4).run()->findings.empty());
    const auto null = run_textures("mov.u64 %rd1, 0;\n" + fetch_code, object, 4).run();
    ASSERT_EQ(null->findings.size(), 1U);
    EXPECT_EQ(null->findings[0].kind, trace::Finding::Kind::null_access);
}

TEST(TextureUnit, FindsTexelsThatAreNoLongerThere) {
    TextureObject object = plane(4, 2, TextureObject::texture_magic);
    object.memory += 0x1000'0000;
    const auto trace = run_textures(fetch_code, object, 4).run();
    ASSERT_FALSE(trace->findings.empty());
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::out_of_bounds);
}

/// Lane i stores i + 100 at byte 4 i - 4 of row 1, and loads what is at 4 i - 4 of row 0.
std::string surface_accesses(const std::string& outside) {
    return "add.s32 %r2, %r1, -1;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, 0;\nmov.u32 %r4, 1;\nadd.f32 %f2, %f1, "
           "0f42C80000;\n"
           "suld.b.2d.b32." +
           outside +
           " {%f3}, [%rd1, {%r2, %r3}];\nst.global.f32 [%rd4], %f3;\n"
           "sust.b.2d.b32." +
           outside + " [%rd1, {%r2, %r4}], {%f2};";
}

TEST(TextureUnit, DropsSurfaceAccessesOutside) {
    const auto trace = run_textures(surface_accesses("zero"), plane(4, 2, TextureObject::surface_magic), 6).run();
    EXPECT_THAT(final_of<float>(*trace, "out"), ElementsAre(0, 10, 20, 40, 80, 0));
    EXPECT_THAT(final_of<float>(*trace, "texels"), ElementsAre(10, 20, 40, 80, 101, 102, 103, 104));
    EXPECT_TRUE(trace->findings.empty());
}

TEST(TextureUnit, ClampsSurfaceAccessesToTheNearestTexel) {
    const auto trace = run_textures(surface_accesses("clamp"), plane(4, 2, TextureObject::surface_magic), 6).run();
    EXPECT_THAT(final_of<float>(*trace, "out"), ElementsAre(10, 10, 20, 40, 80, 80));
    EXPECT_THAT(final_of<float>(*trace, "texels"),
                ElementsAre(10, 20, 40, 80, testing::AnyOf(100, 101), 102, 103, testing::AnyOf(104, 105)));
}

TEST(TextureUnit, EndsTheLaunchAtASurfaceAccessThatTraps) {
    const auto trace = run_textures(surface_accesses("trap"), plane(4, 2, TextureObject::surface_magic), 6).run();
    ASSERT_FALSE(trace->findings.empty());
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::out_of_bounds);
    EXPECT_THAT(trace->findings[0].message, AllOf(HasSubstr("reads 4 bytes of a surface at x = -4 (bytes), y = 0"),
                                                  HasSubstr("16 bytes x 2 rows: the launch is aborted")));
    EXPECT_THAT(final_of<float>(*trace, "texels"), ElementsAre(10, 20, 40, 80, 1, 2, 3, 4));
}

TEST(TextureUnit, FindsARaceBetweenAStoreAndAFetch) {
    // The threads of block 0 overwrite through a pointer a texel that all threads fetch.
    TextureObject object = plane(4, 2, TextureObject::texture_magic);
    const auto trace =
        run_textures("ld.param.u64 %rd5, [k_0];\nst.global.f32 [%rd5], %f1;\n" + fetch_code, object, 2).run();
    EXPECT_FALSE(trace->findings.empty() && trace->remarks.empty());
}

}  // namespace
}  // namespace lanescope::execute
