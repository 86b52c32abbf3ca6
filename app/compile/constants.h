// The constants of a .cu file and what launch hints make of them: integer and floating constant expressions of C++.
#pragma once

#include "compile/declarations.h"
#include "compile/lexer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// A number of a constant expression: integer or floating point, by C's usual arithmetic conversions.
struct Number {
    bool floating = false;
    std::int64_t whole = 0;
    double real = 0;

    [[nodiscard]] double value() const { return floating ? real : double(whole); }
};

/// The whole number that a conversion to an integer type makes of it; nothing where it does not fit 64 bits.
[[nodiscard]] std::optional<Number> truncated(const Number& number);

/// `#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))`, or a function whose body is one return.
struct ConstantFunction {
    std::vector<std::string> parameters;
    std::vector<Token> body;
};

struct Constants {
    std::map<std::string, Number, std::less<>> numbers;
    std::map<std::string, ConstantFunction, std::less<>> functions;
};

/// The value of an expression over the constants; nothing where it is none, divides by zero or overflows.
/// Knows literals, names, ( ), casts, ?:, binary and unary operators, sizeof(type), the file's functions of one return,
/// and ceil, floor, round, min, max, log2, pow, sqrt.
[[nodiscard]] std::optional<Number> evaluate_constant(const std::vector<Token>& code, TokenRange range,
                                                      const Constants& constants);

/// `#define N 1024`, `const int N = 1 << 10;`, `constexpr`, `enum { N = 4 }` and globals with a constant initialiser.
[[nodiscard]] Constants constants_of(const std::vector<Token>& code, const std::vector<Declaration>& declarations,
                                     const Macros& macros);

/// Adds what the statements of [range) give to names: `int threads = 256;`, `threads = 128;`.
void add_locals(const std::vector<Token>& code, TokenRange range, Constants& constants);

/// Bytes of a C++ type that CUDA knows: "unsigned int", "float4"; nothing for others.
[[nodiscard]] std::optional<unsigned> bytes_of_type(const std::string& type);

}  // namespace lanescope::compile
