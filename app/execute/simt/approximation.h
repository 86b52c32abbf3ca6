// How far the result of an approximate instruction may be from the exact one, as the PTX ISA states it: the emulator
// computes the exact result and rounds it once, a GPU computes another one within the stated error.
#pragma once

#include "ptx/module.h"

#include <array>
#include <cstdint>

namespace lanescope::execute {

/// Whether a GPU may compute another result than the exact one, rounded: .approx and .full (PTX ISA 9.7.3, 9.7.4).
[[nodiscard]] bool is_approximate(const ptx::Instruction& instruction);

/// One lane's operands and its exact result, rounded, as bits.
struct ApproximateResult {
    const ptx::Instruction* instruction = nullptr;  ///< is_approximate()
    std::array<std::uint64_t, 2> sources{};
    std::uint64_t exact = 0;
};

/// From the best to the worst; a pair of 16-bit numbers has the worse one's.
enum class Accuracy : std::uint8_t {
    equal,
    within,    ///< differs within the stated error
    unstated,  ///< differs, and the PTX ISA states no error for this instruction or these operands
    beyond,    ///< differs by more than the stated error
};
struct Deviation {
    Accuracy accuracy = Accuracy::equal;
    double relative = 0;  ///< |difference| / the larger magnitude; not finite if one of the two is not
};

/// `found`: the bits that a GPU computed.
[[nodiscard]] Deviation deviation(const ApproximateResult& result, std::uint64_t found);

}  // namespace lanescope::execute
