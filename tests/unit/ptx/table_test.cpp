#include "places.h"
#include "ptx/forms.h"
#include "support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <algorithm>
#include <fstream>
#include <set>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

TEST(OpcodeTable, HoldsEachStemOnce) {
    std::set<std::string_view> stems;
    for (const OpcodeInfo& row : opcode_table()) EXPECT_TRUE(stems.insert(row.name).second) << row.name;
    EXPECT_EQ(stems.size(), static_cast<std::size_t>(Opcode::count));
}

TEST(OpcodeTable, CitesASectionForEach) {
    for (const OpcodeInfo& row : opcode_table()) EXPECT_THAT(row.section, testing::StartsWith("9.7.")) << row.name;
}

TEST(OpcodeTable, HasNoOperandsThatAnInstructionCannotHold) {
    for (const OpcodeInfo& row : opcode_table())
        for (const Form& form : forms_of(row.opcode)) {
            EXPECT_LE(form.most(), Instruction{}.operands.size()) << row.name;
            // Modifiers that are written stand first, those that may be left out last.
            const auto read = std::ranges::find_if(form.shapes, [](const Shape& shape) { return !shape.written(); });
            EXPECT_TRUE(std::none_of(read, form.shapes.end(), [](const Shape& shape) { return shape.written(); }))
                << row.name;
            const auto optional = std::ranges::find(form.shapes, true, &Shape::optional);
            EXPECT_TRUE(std::all_of(optional, form.shapes.end(), [](const Shape& shape) { return shape.optional; }))
                << row.name;
        }
}

TEST(OpcodeTable, ReadsEveryFormThatItSpells) {
    for (const OpcodeInfo& row : opcode_table())
        for (const Form& form : forms_of(row.opcode)) {
            // The first of each choice, without optional modifiers.
            std::string text(row.name);
            for (const Form::Item& item : form.items) {
                if (item.optional) continue;
                std::uint8_t number = 0;
                while (!item.accepted.front().test(number)) ++number;
                text += fmt::format(".{}", known_suffix(number));
            }
            const auto decoded = decode(text);
            ASSERT_TRUE(decoded) << text << ": " << decoded.error().what;
            EXPECT_EQ(decoded->opcode, row.opcode) << text;
        }
}

TEST(OpcodeTable, ReadsTheInstructionsOfTheCourse) {
    std::ifstream list(std::string(LANESCOPE_SOURCE_DIR) + "/tests/unit/ptx/data/mnemonics.txt");
    ASSERT_TRUE(list);
    std::size_t lines = 0;
    for (std::string line; std::getline(list, line); ++lines) EXPECT_TRUE(decode(line)) << line;
    EXPECT_GT(lines, 300U);
}

TEST(OpcodeTable, MakesThePageOfSupportedInstructions) {
    const std::string page = supported_instructions();
    EXPECT_THAT(page, HasSubstr("`shfl.sync.(up|down|bfly|idx).b32 dp, a, a.b32, a.b32, a.b32`"));
    EXPECT_THAT(page, HasSubstr("`%tid.x`"));
    EXPECT_THAT(page, HasSubstr("- `wmma`: tensor cores"));
    for (const OpcodeInfo& row : opcode_table()) EXPECT_THAT(page, HasSubstr(fmt::format("- **{}** (", row.name)));
}

TEST(OpcodeTable, FindsTheLongestStem) {
    EXPECT_EQ(opcode_of("bar.sync"), Opcode::bar);
    EXPECT_EQ(opcode_of("bar.warp.sync"), Opcode::bar_warp_sync);
    EXPECT_EQ(opcode_of("barrier.sync.aligned"), Opcode::barrier);
    EXPECT_FALSE(opcode_of("barriers"));
    EXPECT_FALSE(opcode_of(""));
}

TEST(OpcodeTable, SaysWhichModifierAnInstructionHasWithoutASuffix) {
    const auto modifiers = [](const char* mnemonic) { return decode(mnemonic).value().modifiers; };
    EXPECT_EQ(modifiers("ld.u32").space, Space::generic);
    EXPECT_EQ(modifiers("ld.shared.u32").space, Space::shared);
    EXPECT_TRUE(modifiers("addc.u32").carry_in);
    EXPECT_FALSE(modifiers("add.u32").carry_in);
    EXPECT_TRUE(modifiers("bar.sync").aligned);
    EXPECT_FALSE(modifiers("barrier.sync").aligned);
    EXPECT_TRUE(modifiers("bar.warp.sync").sync);
    EXPECT_EQ(modifiers("membar.gl").order, Order::sc);
    EXPECT_EQ(modifiers("fence.gpu").order, Order::acq_rel);
    EXPECT_EQ(modifiers("fence.sc.gpu").order, Order::sc);
}

TEST(Types, HaveTheirNamesAndSizes) {
    EXPECT_EQ(name_of(Type::bf16x2), "bf16x2");
    EXPECT_EQ(bytes_of(Type::b128), 16U);
    EXPECT_EQ(bytes_of(Type::pred), 1U);
    EXPECT_EQ(bytes_of(Type::f16x2), 4U);
    EXPECT_TRUE(is_float(Type::bf16));
    EXPECT_FALSE(is_float(Type::b32));
    EXPECT_TRUE(is_signed(Type::s16));
    EXPECT_FALSE(is_signed(Type::u16));
    EXPECT_EQ(name_of(Space::constant), "const");
    EXPECT_EQ(name_of(Special::reserved_smem_offset_1), "%reserved_smem_offset_1");
    for (auto type = Type::pred; type != Type::s16x2; type = static_cast<Type>(static_cast<int>(type) + 1))
        EXPECT_EQ(type_named(name_of(type)), type);
}

}  // namespace
}  // namespace lanescope::ptx
