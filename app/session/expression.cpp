#include "session/expression.h"

#include "base/expression.h"
#include "base/grouped.h"
#include "base/number_type.h"
#include "compile/declarations.h"
#include "compile/lexer.h"
#include "compile/probe.h"
#include "session/launch_size.h"
#include "session/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace lanescope::session {

namespace {

using compile::Token;
using compile::TokenKind;

/// An intermediate value: a fraction, because `ceil(a / b)` needs the exact quotient.
struct Fraction {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;  ///< at least 1
};

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

constexpr const char* remedy =
    "expressions consist of n, block, grid, whole numbers, + - * / %, ( ), min, max, ceil, floor, log2 and "
    "sizeof(type)";

struct SizeName {
    std::string_view name;
    std::uint64_t Variables::*value;
    bool optional;  ///< undefined where the value is 0
};
constexpr std::array<SizeName, 4> size_names{{{"n", &Variables::n, false},
                                              {"block", &Variables::block, false},
                                              {"grid", &Variables::grid, false},
                                              {"multiprocessors", &Variables::multiprocessors, true}}};

class Evaluator {
  public:
    Evaluator(std::string_view text, const Variables& variables) : text_(text), variables_(variables) {}

    [[nodiscard]] Result<std::uint64_t> whole(const Expression& expression) const {
        const Result<Fraction> value = value_of(expression, false);
        if (!value) return std::unexpected(value.error());
        const std::int64_t whole = value->numerator / value->denominator;
        if (whole < 0)
            return fail(fmt::format("\"{}\" is {}, and cannot be negative", expression.of(text_), whole),
                        {"", 0, unsigned(expression.begin + 1)});
        return std::uint64_t(whole);
    }

    [[nodiscard]] Result<bool> truth(const Expression& condition) const {
        if (condition.is_operation("&&")) {
            const Result<bool> left = truth(condition.parts[0]), right = truth(condition.parts[1]);
            if (!left || !right) return left ? right : left;
            return *left && *right;
        }
        const auto comparison = std::ranges::find(comparisons, condition.text, &Comparison::spelled);
        if (condition.kind != Expression::Kind::operation || comparison == comparisons.end())
            return fail(fmt::format("\"{}\" is not a condition", condition.of(text_)),
                        {"", 0, unsigned(condition.begin + 1)}, "conditions compare expressions: grid > 1");
        const Result<std::uint64_t> left = whole(condition.parts[0]), right = whole(condition.parts[1]);
        if (!left || !right) return std::unexpected(left ? right.error() : left.error());
        return comparison->holds(*left, *right);
    }

  private:
    struct Comparison {
        std::string_view spelled;
        bool (*holds)(std::uint64_t, std::uint64_t);
    };
    static constexpr std::array<Comparison, 6> comparisons{{
        {"==", [](std::uint64_t a, std::uint64_t b) { return a == b; }},
        {"!=", [](std::uint64_t a, std::uint64_t b) { return a != b; }},
        {"<=", [](std::uint64_t a, std::uint64_t b) { return a <= b; }},
        {">=", [](std::uint64_t a, std::uint64_t b) { return a >= b; }},
        {"<", [](std::uint64_t a, std::uint64_t b) { return a < b; }},
        {">", [](std::uint64_t a, std::uint64_t b) { return a > b; }},
    }};

    [[nodiscard]] std::unexpected<Problem> too_large() const {
        return fail(fmt::format("\"{}\" is too large a number", text_), {"", 0, 1});
    }

    /// `exact`: inside ceil or floor, where quotients stay fractions.
    [[nodiscard]] Result<Fraction> combine(char op, const Fraction& a, const Fraction& b, unsigned column,
                                           bool exact) const {
        const Place place{"", 0, column};
        std::int64_t left = 0, right = 0;
        Fraction result;
        bool overflow = false;
        if (op == '+' || op == '-') {
            overflow = __builtin_mul_overflow(a.numerator, b.denominator, &left) ||
                       __builtin_mul_overflow(b.numerator, a.denominator, &right) ||
                       __builtin_mul_overflow(a.denominator, b.denominator, &result.denominator) ||
                       (op == '+' ? __builtin_add_overflow(left, right, &result.numerator)
                                  : __builtin_sub_overflow(left, right, &result.numerator));
        } else if (op == '*') {
            overflow = __builtin_mul_overflow(a.numerator, b.numerator, &result.numerator) ||
                       __builtin_mul_overflow(a.denominator, b.denominator, &result.denominator);
        } else {
            if (b.numerator == 0) return fail(fmt::format("\"{}\" divides by zero", text_), place);
            if (a.denominator != 1 || b.denominator != 1) {
                overflow = __builtin_mul_overflow(a.numerator, b.denominator, &result.numerator) ||
                           __builtin_mul_overflow(a.denominator, b.numerator, &result.denominator);
            } else {
                result = {a.numerator, b.numerator};
            }
            if (result.denominator < 0) {
                overflow = overflow || __builtin_sub_overflow(0, result.numerator, &result.numerator) ||
                           __builtin_sub_overflow(0, result.denominator, &result.denominator);
            }
            if (!overflow && op == '%') {
                if (result.denominator == 0 || a.denominator != 1 || b.denominator != 1)
                    return fail(fmt::format("\"{}\" takes the remainder of a fraction", text_), place);
                result = {a.numerator % b.numerator, 1};
            } else if (!overflow && !exact) {
                result = {result.numerator / result.denominator, 1};
            }
        }
        if (overflow || result.denominator <= 0) return too_large();
        return result;
    }

    [[nodiscard]] Result<Fraction> value_of(const Expression& expression, bool exact) const {
        switch (expression.kind) {
            case Expression::Kind::number: return number(expression);
            case Expression::Kind::name: return named(expression);
            case Expression::Kind::size_of: return size_of(expression);
            case Expression::Kind::call: return function(expression, exact);
            case Expression::Kind::negation: {
                const Result<Fraction> value = value_of(expression.parts.front(), exact);
                return value ? combine('-', {0, 1}, *value, expression.column, exact) : value;
            }
            case Expression::Kind::operation: break;
        }
        constexpr std::string_view arithmetic = "+-*/%";
        if (expression.text.size() != 1 || !arithmetic.contains(expression.text.front()))
            return with_remedy(unexpected_in(text_, expression.text, expression.column));
        const Result<Fraction> left = value_of(expression.parts[0], exact);
        if (!left) return left;
        const Result<Fraction> right = value_of(expression.parts[1], exact);
        if (!right) return right;
        return combine(expression.text.front(), *left, *right, expression.column, exact);
    }

    [[nodiscard]] Result<Fraction> number_of(std::uint64_t value) const {
        if (value > largest) return too_large();
        return Fraction{std::int64_t(value), 1};
    }

    [[nodiscard]] Result<Fraction> number(const Expression& expression) const {
        if (const auto value = parse_number(expression.text)) return number_of(*value);
        if (expression.text.find_first_not_of("0123456789") == std::string::npos) return too_large();
        return with_remedy(unexpected_in(text_, expression.text, expression.column));
    }

    [[nodiscard]] Result<Fraction> named(const Expression& expression) const {
        for (const SizeName& known : size_names)
            if (known.name == expression.text && (!known.optional || variables_.*known.value > 0))
                return number_of(variables_.*known.value);
        return fail(fmt::format("\"{}\" is undefined", expression.text), {"", 0, expression.column}, remedy);
    }

    [[nodiscard]] Result<Fraction> function(const Expression& call, bool exact) const {
        const std::string_view name = call.text;
        const bool two = name == "min" || name == "max", rounds = name == "ceil" || name == "floor";
        const Place place{"", 0, call.column};
        if (!two && !rounds && name != "log2")
            return fail(fmt::format("\"{}\" is not a function of expressions", name), place, remedy);
        const std::size_t arity = two ? 2 : 1;
        if (call.parts.size() != arity)
            return fail(fmt::format("{} takes {}", name, counted(arity, "argument")), place, remedy);
        const bool exact_inside = rounds || (exact && two);
        const Result<Fraction> first = value_of(call.parts.front(), exact_inside);
        if (!first) return first;
        if (two) {
            const Result<Fraction> second = value_of(call.parts.back(), exact_inside);
            if (!second) return second;
            const Result<Fraction> difference = combine('-', *first, *second, call.column, true);
            if (!difference) return difference;
            return (difference->numerator < 0) == (name == "min") ? first : second;
        }
        const std::int64_t whole = first->numerator / first->denominator;
        const std::int64_t rest = first->numerator % first->denominator;
        if (name == "ceil") return Fraction{whole + (rest > 0 ? 1 : 0), 1};
        if (name == "floor") return Fraction{whole - (rest < 0 ? 1 : 0), 1};
        if (whole < 1) return fail(fmt::format("log2 of {} is not defined", whole), place);
        return Fraction{std::int64_t(std::bit_width(std::uint64_t(whole) - 1)), 1};
    }

    [[nodiscard]] static Result<Fraction> size_of(const Expression& expression) {
        constexpr std::int64_t pointer_bytes = 8;
        if (expression.text.ends_with('*')) return Fraction{pointer_bytes, 1};
        const std::optional<NumberType> number = number_type(expression.text);
        if (!number)
            return fail(fmt::format("the size of \"{}\" is unknown", expression.text), {"", 0, expression.column});
        return Fraction{std::int64_t{number->bytes} * number->components, 1};
    }

    static std::unexpected<Problem> with_remedy(std::unexpected<Problem> refused) {
        refused.error().remedy = remedy;
        return refused;
    }

    std::string_view text_;
    const Variables& variables_;
};

std::unexpected<Problem> syntax_error(Problem problem) {
    problem.remedy = remedy;
    return std::unexpected(std::move(problem));
}

}  // namespace

bool is_size_name(std::string_view name) {
    return std::ranges::find(size_names, name, &SizeName::name) != size_names.end();
}

Result<std::uint64_t> evaluate(std::string_view expression, const Variables& variables) {
    Result<Expression> parsed = parse_expression(expression);
    if (!parsed) return syntax_error(std::move(parsed.error()));
    return Evaluator(expression, variables).whole(*parsed);
}

Result<bool> holds(std::string_view condition, const Variables& variables) {
    Result<Expression> parsed = parse_expression(condition);
    if (!parsed) return syntax_error(std::move(parsed.error()));
    return Evaluator(condition, variables).truth(*parsed);
}

Result<trace::Dim3> evaluate_extent(std::string_view extent, const Variables& variables) {
    if (const auto numbers = parse_extent(extent)) return *numbers;
    Result<std::vector<Expression>> parts = parse_expressions(extent);
    if (!parts) return syntax_error(std::move(parts.error()));
    if (parts->size() > 3) return fail(fmt::format("\"{}\" has more than three dimensions", extent), {"", 0, 1});
    trace::Dim3 result;
    std::uint32_t* const axes[]{&result.x, &result.y, &result.z};
    for (std::size_t axis = 0; axis < parts->size(); ++axis) {
        const Expression& part = (*parts)[axis];
        const Result<std::uint64_t> value = Evaluator(extent, variables).whole(part);
        if (!value) return std::unexpected(value.error());
        if (*value < 1 || *value > std::numeric_limits<std::uint32_t>::max())
            return fail(fmt::format("an extent of {} is invalid", *value), {"", 0, unsigned(part.begin + 1)},
                        "each dimension is at least 1 and fits 32 bits");
        *axes[axis] = std::uint32_t(*value);
    }
    return result;
}

std::string with_constants(std::string_view expression, const SourceFile& source) {
    std::string result;
    std::size_t copied = 0;
    const std::vector<Token> code = compile::code_of(compile::tokenize(expression), compile::Branch::first);
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::string name(code[i].text);
        const bool called = i + 1 < code.size() && code[i + 1].is("(");
        if (code[i].is("sizeof") && called) i = compile::past_bracket(code, i + 1, code.size()) - 1;  // of a type
        if (code[i].kind != TokenKind::identifier || is_size_name(name) || called) continue;
        if (source.text.find(name) == std::string::npos) continue;  // so the compiler need not be asked
        const auto value = compile::constant_value(compile_request(source), name);
        if (!value) continue;
        result += expression.substr(copied, code[i].offset - copied);
        result += *value < 0 ? fmt::format("({})", *value) : std::to_string(*value);
        copied = code[i].end();
    }
    return result + std::string(expression.substr(copied));
}

}  // namespace lanescope::session
