// Tokens of a .cu file -> its top-level declarations, each classified by where it runs, with only the grammar that this
// needs. Host code is masked by it, because NVRTC rejects host code. It returns the names of kernels, and their
// parameters as spelled, which are used until the compiler has reported them (lexer.h lists the exceptions).
#pragma once

#include "compile/lexer.h"
#include "compile/source.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanescope::compile {

/// A `#define` of the file.
struct Macro {
    bool function = false;
    std::vector<Token> body;
};
using Macros = std::map<std::string, Macro, std::less<>>;
[[nodiscard]] Macros macros_of(const std::vector<Token>& tokens);

/// One declaration at namespace scope, or a member of a class.
struct Declaration {
    enum class Kind : std::uint8_t {
        kernel,  ///< a __global__ function
        device,  ///< a __device__ function, or one that is constant-evaluated
        host,    ///< any other function
        type,    ///< struct, class, union, enum
        other,   ///< variables, aliases, using, instantiations
    };
    Kind kind = Kind::other;
    std::size_t first = 0, past_last = 0;            ///< tokens [first, past_last) of the code
    std::size_t body_first = 0, body_past_last = 0;  ///< tokens of the function or class body; equal: no body
    std::string scope;                               ///< namespaces and classes around it, "a::b::"
    bool member = false;                             ///< of a class
    bool mentions_device = false;  ///< __device__, __global__, __constant__, __shared__ or __managed__ in it

    [[nodiscard]] bool has_body() const { return body_past_last > body_first; }
};

/// Every declaration of namespaces and `extern "C"` blocks, and the members of classes after their class.
[[nodiscard]] std::vector<Declaration> declarations_of(const std::vector<Token>& code, const Macros& macros);

/// Name and parameters of the function that a declaration with a body defines.
[[nodiscard]] KernelDeclaration kernel_of(const std::vector<Token>& code, const Declaration& declaration);

/// Index past the bracket that closes the one at `open`; `end` if there is none.
[[nodiscard]] std::size_t past_bracket(const std::vector<Token>& code, std::size_t open, std::size_t end);

/// [first, past_last) split at the commas outside of brackets; with `angles`, `<>` are brackets, too.
struct TokenRange {
    std::size_t first = 0, past_last = 0;
    [[nodiscard]] bool empty() const { return first == past_last; }
};
[[nodiscard]] std::vector<TokenRange> split_commas(const std::vector<Token>& code, TokenRange range, bool angles);

/// A type or a parameter in one canonical form: "unsigned int", "const float*".
[[nodiscard]] std::string spelling(const std::vector<Token>& code, TokenRange range);
/// The text of an expression, spaces collapsed: "N / 2".
[[nodiscard]] std::string as_written(const std::vector<Token>& code, TokenRange range);

}  // namespace lanescope::compile
