// A failure that is the user's or the environment's: what went wrong, where, and what to do.
// (A simulated kernel's failure is a trace::Finding; our own bug is an assert.)
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace lanescope {

/// A place in a text that a person can open. Lines and columns count from 1; 0 means "not known".
struct Place {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;

    [[nodiscard]] bool known() const { return !file.empty() || line != 0; }
    friend bool operator==(const Place&, const Place&) = default;
};

/// One failure, in words for the user.
struct Problem {
    std::string what;    ///< one sentence, no full stop: "the block size 2048 is larger than 1024"
    Place where;         ///< where in the user's text, if anywhere
    std::string remedy;  ///< what to do about it, one sentence; may be empty

    /// "file:line:column: what. remedy" — the form that every command prints.
    [[nodiscard]] std::string message() const;
    friend bool operator==(const Problem&, const Problem&) = default;
};

template <class T>
using Result = std::expected<T, Problem>;

/// `return fail("what", place, "remedy");`
[[nodiscard]] inline std::unexpected<Problem> fail(std::string what, Place where = {}, std::string remedy = {}) {
    return std::unexpected<Problem>(Problem{std::move(what), std::move(where), std::move(remedy)});
}

}  // namespace lanescope
