// One row of ptx/meanings.inc changed: the emulator's decoder and the GPU recorder's rewriter follow.
#include "execute/emulator/decode/register_facts.h"
#include "execute/gpu/rewrite.h"

#include "harness.h"

namespace lanescope::execute {
namespace {

using ptx::Opcode;
using testing::HasSubstr;

/// A kernel's body, parsed with one meaning changed.
struct Changed {
    ptx::OpcodeMeanings meanings = ptx::opcode_meanings();
    ptx::Module module;

    template <class Change>
    Changed(const std::string& body, Opcode opcode, Change change) {
        change(meanings[static_cast<std::size_t>(opcode)]);
        module = ptx::parse(kernel_of(body), "test.ptx", meanings).value();
    }
    [[nodiscard]] const ptx::Function& function() const { return module.functions.front(); }
    [[nodiscard]] std::size_t index_of(std::string_view name) const {
        const auto& registers = function().registers;
        return std::size_t(std::ranges::find(registers, name, &ptx::Register::name) - registers.begin());
    }
};

constexpr auto unchanged = [](ptx::OpcodeMeaning&) {};

TEST(OpcodeMeanings, SayWhichArithmeticTheCompilerMayFuse) {
    const std::string body = "mul.f32 %f1, %f2, %f3;";
    EXPECT_THAT(rewrite(Changed(body, Opcode::mul, unchanged).module)->ptx, HasSubstr("mul.rn.f32"));
    const Changed other(body, Opcode::mul, [](ptx::OpcodeMeaning& row) { row.fusible = false; });
    EXPECT_THAT(rewrite(other.module)->ptx, HasSubstr("mul.f32"));
}

TEST(OpcodeMeanings, SayWhatTheGpuRecorderLogs) {
    const std::string body = "st.shared.u32 [%r1], %r2;";
    const auto sites = [](const Changed& changed) { return rewrite(changed.module)->sites.size(); };
    const Changed other(body, Opcode::st, [](ptx::OpcodeMeaning& row) { row.action = ptx::Action::hint; });
    EXPECT_GT(sites(Changed(body, Opcode::st, unchanged)), sites(other));
}

TEST(OpcodeMeanings, SayWhichBitsAreUsed) {
    const std::string body = "and.b32 %r2, %r1, 255;\nadd.s32 %r3, %r2, 1;";
    const auto used = [](const Changed& changed) {
        return used_bits(changed.module, changed.function())[changed.index_of("%r1")];
    };
    EXPECT_EQ(used(Changed(body, Opcode::and_, unchanged)), 255U);
    const Changed other(body, Opcode::and_, [](ptx::OpcodeMeaning& row) { row.bits = ptx::ResultBits::mixed; });
    EXPECT_EQ(used(other), ~std::uint64_t{0});
}

TEST(OpcodeMeanings, SayWhatPassesAnAddressOn) {
    const std::string body = ".shared .align 4 .b8 tile[64];\nmov.u32 %r1, tile;\nadd.s32 %r2, %r1, 4;";
    const auto array = [](const Changed& changed) {
        return shared_arrays_in_registers(changed.module, changed.function())[changed.index_of("%r2")];
    };
    EXPECT_NE(array(Changed(body, Opcode::add, unchanged)), nullptr);
    const Changed other(body, Opcode::add, [](ptx::OpcodeMeaning& row) { row.address = ptx::AddressUse::none; });
    EXPECT_EQ(array(other), nullptr);
}

TEST(OpcodeMeanings, SayWhereControlGoes) {
    const std::string body = "@%p1 trap;\nadd.s32 %r1, %r2, 1;";
    const Changed other(body, Opcode::trap, [](ptx::OpcodeMeaning& row) { row.action = ptx::Action::hint; });
    EXPECT_GT(Changed(body, Opcode::trap, unchanged).function().blocks.size(), other.function().blocks.size());
}

}  // namespace
}  // namespace lanescope::execute
