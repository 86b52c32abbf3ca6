// The PTX that the rewritten text adds: at the start of a function, around its calls, and where it writes one entry of
// a thread's log.
#pragma once

#include "execute/gpu/rewrite.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::execute {

// The thread's state: registers of the rewritten PTX.
inline constexpr std::string_view declarations =
    "\t.reg .pred %lanescope_on, %lanescope_go, %lanescope_if, %lanescope_is;\n"
    "\t.reg .b16 %lanescope_h;\n"
    "\t.reg .b32 %lanescope_a, %lanescope_b, %lanescope_c, %lanescope_d;\n"
    "\t.reg .b64 %lanescope_cursor, %lanescope_end, %lanescope_slot, %lanescope_place, %lanescope_x, %lanescope_y, "
    "%lanescope_entry, %lanescope_value;\n";

/// %lanescope_a: the block's number within the grid. Uses %lanescope_b and %lanescope_c.
inline constexpr std::string_view find_block =
    "\tmov.u32 %lanescope_a, %ctaid.z;\n"
    "\tmov.u32 %lanescope_b, %nctaid.y;\n"
    "\tmov.u32 %lanescope_c, %ctaid.y;\n"
    "\tmad.lo.s32 %lanescope_a, %lanescope_a, %lanescope_b, %lanescope_c;\n"
    "\tmov.u32 %lanescope_b, %nctaid.x;\n"
    "\tmov.u32 %lanescope_c, %ctaid.x;\n"
    "\tmad.lo.s32 %lanescope_a, %lanescope_a, %lanescope_b, %lanescope_c;\n";

/// Finds the thread's slot, after find_block: %lanescope_on says whether its block logs.
inline constexpr std::string_view find_slot =
    "\tcvt.u64.u32 %lanescope_x, %lanescope_a;\n"
    "\tld.global.v2.b64 {%lanescope_y, %lanescope_end}, [lanescope_recorder];\n"
    "\tsub.s64 %lanescope_x, %lanescope_x, %lanescope_y;\n"
    "\tsetp.lt.u64 %lanescope_on, %lanescope_x, %lanescope_end;\n"
    "\tmov.u32 %lanescope_a, %tid.z;\n"
    "\tmov.u32 %lanescope_b, %ntid.y;\n"
    "\tmov.u32 %lanescope_c, %tid.y;\n"
    "\tmad.lo.s32 %lanescope_a, %lanescope_a, %lanescope_b, %lanescope_c;\n"
    "\tmov.u32 %lanescope_c, %ntid.z;\n"
    "\tmul.lo.s32 %lanescope_b, %lanescope_b, %lanescope_c;\n"
    "\tmov.u32 %lanescope_c, %ntid.x;\n"
    "\tmul.lo.s32 %lanescope_b, %lanescope_b, %lanescope_c;\n"
    "\tmov.u32 %lanescope_d, %tid.x;\n"
    "\tmad.lo.s32 %lanescope_a, %lanescope_a, %lanescope_c, %lanescope_d;\n"
    "\tcvt.u64.u32 %lanescope_y, %lanescope_b;\n"
    "\tcvt.u64.u32 %lanescope_end, %lanescope_a;\n"
    "\tmad.lo.s64 %lanescope_x, %lanescope_x, %lanescope_y, %lanescope_end;\n"
    "\tld.global.v2.b64 {%lanescope_slot, %lanescope_place}, [lanescope_recorder+16];\n"
    "\tsetp.eq.and.u64 %lanescope_is, %lanescope_x, 0, %lanescope_on;\n"
    "\tshl.b64 %lanescope_x, %lanescope_x, 4;\n"
    "\tadd.s64 %lanescope_slot, %lanescope_slot, %lanescope_x;\n"
    "\tmov.u64 %lanescope_cursor, 0;\n"
    "\tmov.u64 %lanescope_end, 0;\n"
    "\t@%lanescope_on ld.global.v2.b64 {%lanescope_cursor, %lanescope_end}, [%lanescope_slot];\n";

inline constexpr std::string_view save_cursor =
    "\t@%lanescope_on st.global.b64 [%lanescope_slot], %lanescope_cursor;\n";
inline constexpr std::string_view load_cursor =
    "\t@%lanescope_on ld.global.b64 %lanescope_cursor, [%lanescope_slot];\n";

/// A site's number, at its place in an entry.
[[nodiscard]] constexpr std::uint64_t word(std::uint64_t site) { return site << site_shift; }

/// The operand's bits -> %lanescope_value.
[[nodiscard]] std::string take(const ptx::Function& function, const ptx::Operand& operand);

/// The group's first site, at no address -> %lanescope_entry.
[[nodiscard]] std::string begin_entry(const SiteGroup& group);

/// The address in [...] -> %lanescope_x, in its own space if the instruction names one.
[[nodiscard]] std::string take_address(const ptx::Module& module, const ptx::Function& function,
                                       const ptx::Operand& operand);

/// %lanescope_x -> %lanescope_entry. For a generic address, %lanescope_if then holds the condition for logging it: a
/// thread's own memory is not logged. `guard`: the instruction's, "%p1" or "!%p1"; empty: always.
[[nodiscard]] std::string begin_access(const SiteGroup& group, const std::string& guard);

/// %lanescope_value and the `step`th entry after the one in %lanescope_entry -> the log, if `condition` holds.
[[nodiscard]] std::string log(const std::string& condition, std::uint64_t step = 0);

}  // namespace lanescope::execute
