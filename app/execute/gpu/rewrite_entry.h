// The PTX that writes one entry of a thread's log, in the registers of rewrite_prologue.h.
#pragma once

#include "execute/gpu/rewrite.h"

#include <cstdint>
#include <string>

namespace lanescope::execute {

/// A site's number where an entry has it.
[[nodiscard]] constexpr std::uint64_t word(std::uint64_t site) { return site << site_shift; }

/// The operand's bits -> %lanescope_value.
[[nodiscard]] std::string take(const ptx::Function& function, const ptx::Operand& operand);

/// The group's first site, at no address -> %lanescope_entry.
[[nodiscard]] std::string begin_entry(const SiteGroup& group);

/// The address in [...] -> %lanescope_x, in its own space where the instruction names one.
[[nodiscard]] std::string take_address(const ptx::Module& module, const ptx::Function& function,
                                       const ptx::Operand& operand);

/// %lanescope_x -> %lanescope_entry. For a generic address, %lanescope_if then holds the condition for logging it: a
/// thread's own memory is not logged. `guard`: the instruction's, "%p1" or "!%p1"; empty: always.
[[nodiscard]] std::string begin_access(const SiteGroup& group, const std::string& guard);

/// %lanescope_value and the `step`th entry after the one in %lanescope_entry -> the log, where `condition` holds.
[[nodiscard]] std::string log(const std::string& condition, std::uint64_t step = 0);

}  // namespace lanescope::execute
