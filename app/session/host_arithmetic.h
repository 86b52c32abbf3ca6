// Numbers of host code as C++ has them: what type a literal or a result is of, and what its value becomes in it.
#pragma once

#include "session/host_machine.h"

#include <optional>
#include <string>
#include <string_view>

namespace lanescope::session {

/// "0x1f", "1'000u", "2.5f", "1e3": with the type of [lex.icon] and [lex.fcon].
[[nodiscard]] HostValue literal_of(std::string_view text);
/// "'a'", "'\n'", "'\x41'".
[[nodiscard]] HostValue character_of(std::string_view text);

/// "\"a\\n\"" without quotes and escapes, and with its zero; nothing of wide and raw ones.
[[nodiscard]] std::optional<std::string> string_of(std::string_view text);

/// What both operands of an arithmetic operator become, [expr.arith.conv]; of one operand with itself, its promotion.
[[nodiscard]] trace::Element common_type(trace::Element a, trace::Element b);

/// The number in another type; wraps where a whole one does not fit. Floating numbers that no whole type holds become the nearest.
[[nodiscard]] HostValue in_type(const HostValue& number, trace::Element type);

struct Arithmetic {
    HostValue value;
    bool overflows = false;  ///< signed, and wrapped here; C++ leaves it undefined
};
/// `a op b` for arithmetic, bitwise, shift and comparison operators; nothing where the numbers have none such, as 1.5 % 2, or
/// where a whole number is divided by zero.
[[nodiscard]] std::optional<Arithmetic> arithmetic(std::string_view op, const HostValue& a, const HostValue& b);

}  // namespace lanescope::session
