// What a suffix of an instruction says, ".shared" or ".rn": suffix -> Modifiers.
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

/// What the word may say: nothing where it only hints at speed (cache operators, eviction); several things where the
/// opcode decides (.lo is half of a product, or "lower" in setp).
[[nodiscard]] std::vector<Effect> effects_of(std::string_view word);

/// Gathers what the suffixes of one instruction say.
class ModifierReader {
  public:
    ModifierReader(Opcode opcode, Modifiers& modifiers) : opcode_(opcode), modifiers_(modifiers) {}

    /// False where it says again what another suffix said.
    bool take(std::span<const Effect> effects);
    /// Adds what the opcode itself says where no suffix does.
    void finish();

  private:
    Opcode opcode_;
    Modifiers& modifiers_;
    std::bitset<64> said_;
};

/// The type of that name without its dot, "u32".
[[nodiscard]] std::optional<Type> type_named(std::string_view name);

}  // namespace lanescope::ptx
