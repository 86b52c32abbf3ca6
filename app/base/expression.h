// Text -> the tree of an expression. This is the one grammar of recipes and flags, `ceil(n / block)`, and of
// conditions, `stride == 2 && lane < 4`:
//
//   list       = all { "," all }
//   all        = comparison { "&&" comparison }
//   comparison = sum [ ("==" | "!=" | "<=" | ">=" | "<" | ">") sum ]
//   sum        = product { ("+" | "-") product }
//   product    = operand { ("*" | "/" | "%") operand }
//   operand    = ("-" | "+") operand | "(" all ")" | number | name | name "(" list ")" | "sizeof" "(" type ")"
//
// Names have dots (`threadIdx.x`). A number is any text that begins with a digit, `0x1F`, `2.5f`, `2^20`, `4k`: what is
// a number, and what names mean, is decided where a tree is evaluated: sizes of launches in session/expression.h,
// conditions of breakpoints in analysis/panels/step_condition.h.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

struct Expression {
    enum class Kind : std::uint8_t {
        number,
        name,
        size_of,    ///< `text` is the type
        call,       ///< of the function `text`
        negation,   ///< of the one part
        operation,  ///< two parts, `text` between them
    };
    Kind kind = Kind::number;
    std::string text;                ///< as spelled
    unsigned column = 0;             ///< of `text`, from 1
    std::size_t begin = 0, end = 0;  ///< of the whole expression in the text that was parsed
    std::vector<Expression> parts;

    [[nodiscard]] bool is_operation(std::string_view spelled) const {
        return kind == Kind::operation && text == spelled;
    }
    /// The whole expression, cut out of the text that was parsed.
    [[nodiscard]] std::string_view of(std::string_view parsed) const { return parsed.substr(begin, end - begin); }
};

/// Errors have a column of the text, from 1, and no remedy. The depth of a tree is limited, so that recursion is safe.
[[nodiscard]] Result<Expression> parse_expression(std::string_view text);
/// A list of one expression or more.
[[nodiscard]] Result<std::vector<Expression>> parse_expressions(std::string_view text);

/// The error of an unexpected token: `unexpected "]" in "n ]"`.
[[nodiscard]] std::unexpected<Problem> unexpected_in(std::string_view text, std::string_view token, unsigned column);

}  // namespace lanescope
