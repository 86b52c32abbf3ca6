// The meaning of an instruction's suffix, ".shared" or ".rn": suffix -> Modifiers.
#pragma once

#include "ptx/module.h"

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

/// The member of Modifiers that a suffix sets.
enum class Field : std::uint8_t {
    type,
    space,
    rounding,
    compare,
    combine,
    width,
    atomic,
    shuffle,
    vote,
    barrier,
    shift,
    bound,
    permute,
    test,
    order,
    scope,
    vector,
    dimensions,
    to,
    sync,
    aligned,
    uniform,
    is_volatile,
    approx,
    full,
    ftz,
    sat,
    relu,
    propagate_nan,
    nc,
    carry_out,
    shift_amount,
    parity,
};

struct Effect {
    Field field;
    std::uint8_t value = 1;
};

/// The meanings of the word: none for a mere performance hint (cache operators, eviction); several if the opcode
/// decides (.lo is half of a product, or "lower" in setp).
[[nodiscard]] std::vector<Effect> effects_of(std::string_view word);

/// Collects the meanings of one instruction's suffixes.
class ModifierReader {
  public:
    ModifierReader(Opcode opcode, Modifiers& modifiers) : opcode_(opcode), modifiers_(modifiers) {}

    /// Returns false if another suffix has set the same member.
    bool take(std::span<const Effect> effects);
    /// Adds the opcode's own defaults if no suffix sets them.
    void finish();

  private:
    Opcode opcode_;
    Modifiers& modifiers_;
    std::bitset<64> said_;
};

/// The type of that name without its dot, "u32".
[[nodiscard]] std::optional<Type> type_named(std::string_view name);

}  // namespace lanescope::ptx
