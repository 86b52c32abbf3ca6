// The plan of a kernel's argument, and the bytes made from it. The plan comes from a recipe, from flags, or is guessed
// from the parameter:
//
//   input(COUNT)            a buffer of COUNT elements, filled with the run's input
//   input(COUNT, SIZE)      the same, followed by zeros up to SIZE elements, as host code pads
//   input(COUNT) as INPUT   filled with an input of its own: "input(n) as random 3"
//   zeros(SIZE)             a buffer of zeros
//   EXPRESSION              a number: "n", "2 * block", "-3", "0.5"
//   {EXPRESSION, ...}       a structure, member by member; members that are not given are 0. A member that is a pointer
//                           takes input(...) or zeros(...), and its buffer is called "argument.member"
//
// A pointer to structures takes the plans of a pointer; the input fills their numbers one after the other.
#pragma once

#include "base/result.h"
#include "compile/source.h"
#include "session/expression.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

struct Program;

/// The members of a structure and their offsets.
struct Structure {
    /// A number or a pointer; inner ones as "inner.member", those of arrays as "array[0]".
    struct Member {
        std::string name;
        trace::Element element = trace::Element::s32;  ///< of a pointer: its target's
        std::uint64_t offset = 0;                      ///< bytes from the structure's start
        bool pointer = false;
        unsigned components = 1;  ///< of a pointer's target: 4 for float4*; 0: no numbers, so only null is possible
    };
    std::string type;
    std::vector<Member> members;
    std::uint64_t bytes = 0;
};

struct ArgumentPlan {
    enum class Kind : std::uint8_t { input, zeros, value };

    std::string parameter;
    std::string plan;  ///< as written or guessed: "input(n, grid * block)", "zeros(grid)", "n", "3.5"
    bool guessed = false;
    bool bounds_threads = false;  ///< guessed; the kernel compares it with an index of a thread or block
    Kind kind = Kind::value;
    trace::Element element = trace::Element::s32;  ///< of the buffer, or of the number
    unsigned components = 1;                       ///< elements in one of the source's: 4 for float4*
    std::string count, size;             ///< expressions, in the source's elements; buffers only. zeros: count is "0"
    std::string fill;                    ///< INPUT; empty: the run's own
    std::optional<Structure> structure;  ///< of a structure, or of a buffer's elements
    std::vector<ArgumentPlan> members;   ///< of a structure's pointers, as buffers, in their order
    Place where;                         ///< of the recipe's line; unknown where guessed
};

/// A plan for a parameter, read from a recipe or from a flag. For a pointer a flag may also name an INPUT alone
/// ("iota", "1 2 3"): then the sizes of `before` are kept.
[[nodiscard]] Result<ArgumentPlan> parse_plan(const Program& program, const compile::Parameter& parameter,
                                              std::string_view plan, const Place& where,
                                              const ArgumentPlan* before = nullptr);

/// One argument as made: a buffer's contents, or a number's bytes.
struct ArgumentValue {
    bool buffer = false;
    trace::Element element = trace::Element::s32;
    std::vector<std::byte> bytes;
    std::uint64_t count = 0;             ///< elements that came from the input, before the padding
    std::vector<std::string> notes;      ///< "the 3 values typed are followed by zeros", ...
    std::vector<ArgumentValue> members;  ///< of a structure's pointers, in their order; no buffer: null
};
/// `input` is the run's own, see session/input.h.
[[nodiscard]] Result<ArgumentValue> make_argument(const ArgumentPlan& plan, std::string_view input,
                                                  const Variables& variables);

}  // namespace lanescope::session
