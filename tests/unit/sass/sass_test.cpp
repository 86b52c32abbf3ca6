// PTX assembled and disassembled by the tools, if they are installed, and the message if they are not.
#include "sass/sass.h"

#include "base/files.h"
#include "places.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

namespace lanescope::sass {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string kernel(const std::string& name) {
    return read_file(std::string(LANESCOPE_SOURCE_DIR) + "/kernels/" + name).value();
}

class Tools : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto found = tools_found(); !found) GTEST_SKIP() << found.error().message();
    }
    static Listing listing_of(const std::string& ptx, unsigned arch = 90) {
        Progress progress;
        auto listing = disassemble(ptx, arch, progress);
        EXPECT_TRUE(listing.has_value()) << listing.error().message();
        return listing ? std::move(*listing) : Listing{};
    }
    /// Text of a PTX line.
    static std::string line_of(const std::string& ptx, PtxLine line) {
        std::size_t at = 0;
        for (std::uint32_t number = 1; number < line.value; ++number) at = ptx.find('\n', at) + 1;
        return ptx.substr(at, ptx.find('\n', at) - at);
    }
};

TEST_F(Tools, NameTheLineOfThePtxThatAnInstructionWasMadeFor) {
    const std::string ptx = kernel("reduce/sequential.compiled.ptx");
    const Listing listing = listing_of(ptx);
    const Function* reduce = listing.function("_Z6reducePKiPi");
    ASSERT_NE(reduce, nullptr);
    unsigned stores = 0, barriers = 0;
    for (const Instruction& instruction : reduce->instructions) {
        if (instruction.text.contains("STS ")) {
            ++stores;
            EXPECT_THAT(line_of(ptx, instruction.line), HasSubstr("st.shared"));
        }
        if (instruction.text.contains("BAR.SYNC")) {
            ++barriers;
            EXPECT_THAT(line_of(ptx, instruction.line), HasSubstr("bar.sync"));
        }
    }
    EXPECT_EQ(stores, 2U);
    EXPECT_EQ(barriers, 2U);
    ASSERT_TRUE(reduce->resources.has_value());
    EXPECT_GE(reduce->resources->registers.value_or(0), 8U);
    EXPECT_EQ(reduce->resources->spill_store_bytes, 0U);
}

TEST_F(Tools, AssembleForEveryArchitectureOfTheTable) {
    const std::string ptx = kernel("reduce/sequential.written.ptx");
    for (const unsigned arch : arches()) {
        SCOPED_TRACE(arch);
        EXPECT_FALSE(listing_of(ptx, arch).functions.empty());
    }
}

TEST_F(Tools, AssembleEachTranslationUnitWithTheLinesOfTheWholeText) {
    const std::string one = kernel("reduce/sequential.compiled.ptx"),
                      other = kernel("scan/double_buffered.compiled.ptx");
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(one, '\n'));
    const Listing alone = listing_of(other), both = listing_of(one + other);
    ASSERT_EQ(both.functions.size(), 1 + alone.functions.size());
    const Function& scan = both.functions.back();
    ASSERT_EQ(scan.instructions.size(), alone.functions.back().instructions.size());
    for (std::size_t at = 0; at < scan.instructions.size(); ++at) {
        const PtxLine line = alone.functions.back().instructions[at].line;
        ASSERT_TRUE(line.valid());
        EXPECT_EQ(scan.instructions[at].line, PtxLine{line.value + lines});
    }
}

TEST_F(Tools, SayWhyPtxIsRejected) {
    Progress progress;
    std::string ptx = kernel("reduce/sequential.compiled.ptx");
    ptx.replace(ptx.find("bar.sync"), 8, "bar.sink");
    const auto listing = disassemble(ptx, 90, progress);
    ASSERT_FALSE(listing.has_value());
    EXPECT_THAT(listing.error().what, HasSubstr("ptxas reports an error"));
    EXPECT_THAT(listing.error().what, HasSubstr("line 47"));
}

TEST(MissingTools, AreNamedWithHowToGetThem) {
    Progress progress;
    setenv("LANESCOPE_NVDISASM", "none", 1);
    setenv("LANESCOPE_PTXAS", "/bin/true", 1);
    const auto listing = disassemble("", 90, progress);
    const auto found = tools_found();
    unsetenv("LANESCOPE_NVDISASM");
    unsetenv("LANESCOPE_PTXAS");
    ASSERT_FALSE(listing.has_value());
    EXPECT_EQ(listing.error().what, "SASS needs nvdisasm, which is not installed");
    EXPECT_THAT(listing.error().remedy, HasSubstr("nvidia-cuda-nvdisasm"));
    EXPECT_EQ(found.error(), listing.error());
}

TEST(OccupancyOfResources, CountsRegistersAndSharedMemoryOfBothKinds) {
    const Resources resources{.registers = 80, .static_shared_bytes = 1 << 10, .cumulative_stack_bytes = {}};
    // 80 registers are 2,560 of a warp; a quarter of 65,536 holds 6 of them: 24 warps, 3 blocks of 8.
    const model::Occupancy found = occupancy_of(90, resources, {256, 1, 1}, 0);
    EXPECT_EQ(found.blocks, 3U);
    EXPECT_THAT(found.limits, Contains(model::Occupancy::Limit::registers));
    EXPECT_EQ(occupancy_sentence(found, resources), "24 of 64 warps resident (38 %), limited by registers");
    EXPECT_EQ(occupancy_of(90, resources, {256, 1, 1}, 100 << 10).blocks, 2U) << "102 KB of 228 a block";
}

TEST(OccupancyOfResources, OfABlockThatTakesMoreRegistersThanThereAreIsNone) {
    const Resources resources{.registers = 80, .cumulative_stack_bytes = {}};
    EXPECT_EQ(occupancy_sentence(occupancy_of(90, resources, {1024, 1, 1}, 0), resources),
              "the device cannot launch the block: 80 registers per thread exceed its registers");
}

TEST(ResourceText, SaysSpillsAndStack) {
    EXPECT_EQ(resources_text({.registers = 10, .barriers = 1, .cumulative_stack_bytes = {}}),
              "10 registers per thread, no spills, no stack, no static shared memory, 1 barrier");
    EXPECT_EQ(resources_text({.registers = 24,
                              .static_shared_bytes = 32,
                              .stack_bytes = 16,
                              .cumulative_stack_bytes = 24,
                              .spill_store_bytes = 12,
                              .spill_load_bytes = 8}),
              "24 registers per thread, spills: 12 bytes stored, 8 bytes loaded, 24 bytes of stack with its calls, "
              "32 bytes of static shared memory, 0 barriers");
    EXPECT_EQ(resources_text({.registers = {}, .stack_bytes = 16, .cumulative_stack_bytes = {}}),
              "no spills, 16 bytes of stack");
}

}  // namespace
}  // namespace lanescope::sass
