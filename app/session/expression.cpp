#include "session/expression.h"

#include "base/number_type.h"
#include "base/text.h"
#include "compile/declarations.h"
#include "compile/lexer.h"
#include "compile/probe.h"
#include "session/launch_size.h"
#include "session/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
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

constexpr unsigned deepest = 100;

class Evaluator {
  public:
    Evaluator(std::string_view text, const Variables& variables)
        : text_(text),
          code_(compile::code_of(compile::tokenize(text), compile::Branch::first)),
          variables_(variables) {}

    Result<std::uint64_t> run() {
        if (code_.empty()) return fail("expected an expression", {"", 0, 1}, remedy);
        const Result<Fraction> value = sum();
        if (!value) return std::unexpected(value.error());
        if (at_ < code_.size()) return unexpected_token();
        const std::int64_t whole = value->numerator / value->denominator;
        if (whole < 0) return fail(fmt::format("\"{}\" is {}, and cannot be negative", text_, whole), {"", 0, 1});
        return std::uint64_t(whole);
    }

  private:
    static constexpr const char* remedy =
        "expressions consist of n, block, grid, whole numbers, + - * / %, ( ), min, max, ceil, floor, log2 and "
        "sizeof(type)";

    [[nodiscard]] bool is(std::string_view text) const { return at_ < code_.size() && code_[at_].is(text); }

    bool accept(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }

    [[nodiscard]] Place here() const {
        return {"", 0, at_ < code_.size() ? code_[at_].column : unsigned(text_.size() + 1)};
    }

    [[nodiscard]] std::unexpected<Problem> unexpected_token() const {
        if (at_ >= code_.size()) return fail(fmt::format("\"{}\" is incomplete", text_), here(), remedy);
        return fail(fmt::format("unexpected \"{}\" in \"{}\"", code_[at_].text, text_), here(), remedy);
    }

    [[nodiscard]] std::unexpected<Problem> too_large() const {
        return fail(fmt::format("\"{}\" is too large a number", text_), {"", 0, 1});
    }

    Result<Fraction> combine(char op, const Fraction& a, const Fraction& b, const Place& place) const {
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
            } else if (!overflow && !exact_) {
                result = {result.numerator / result.denominator, 1};
            }
        }
        if (overflow || result.denominator <= 0) return too_large();
        return result;
    }

    Result<Fraction> sum() {
        Result<Fraction> left = product();
        while (left && (is("+") || is("-"))) {
            const Place place = here();
            const char op = code_[at_++].text.front();
            const Result<Fraction> right = product();
            if (!right) return right;
            left = combine(op, *left, *right, place);
        }
        return left;
    }

    Result<Fraction> product() {
        Result<Fraction> left = operand();
        while (left && (is("*") || is("/") || is("%"))) {
            const Place place = here();
            const char op = code_[at_++].text.front();
            const Result<Fraction> right = operand();
            if (!right) return right;
            left = combine(op, *left, *right, place);
        }
        return left;
    }

    Result<Fraction> operand() {
        if (at_ >= code_.size()) return unexpected_token();
        if (++depth_ > deepest) return fail(fmt::format("\"{}\" is nested too deeply", text_), here());
        const Result<Fraction> result = operand_inside();
        --depth_;
        return result;
    }

    Result<Fraction> operand_inside() {
        const Token token = code_[at_];
        if (accept("-")) {
            const Place place = here();
            const Result<Fraction> value = operand();
            return value ? combine('-', {0, 1}, *value, place) : value;
        }
        if (accept("(")) {
            const Result<Fraction> value = sum();
            if (value && !accept(")")) return unexpected_token();
            return value;
        }
        if (token.kind == TokenKind::number) return number();
        if (token.kind != TokenKind::identifier) return unexpected_token();
        if (at_ + 1 < code_.size() && code_[at_ + 1].is("(")) return function();
        ++at_;
        if (token.is("n")) return variable(variables_.n);
        if (token.is("block")) return variable(variables_.block);
        if (token.is("grid")) return variable(variables_.grid);
        if (token.is("multiprocessors") && variables_.multiprocessors > 0) return variable(variables_.multiprocessors);
        return fail(fmt::format("\"{}\" is undefined", token.text), {"", 0, token.column}, remedy);
    }

    Result<Fraction> variable(std::uint64_t value) const {
        if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return too_large();
        return Fraction{std::int64_t(value), 1};
    }

    Result<Fraction> number() {
        const Token token = code_[at_];
        Fraction value;
        const char* const end = token.text.data() + token.text.size();
        const auto [stop, error] = std::from_chars(token.text.data(), end, value.numerator);
        if (error == std::errc::result_out_of_range) return too_large();
        if (error != std::errc{} || stop != end) return unexpected_token();
        ++at_;
        return value;
    }

    Result<Fraction> function() {
        const Token name = code_[at_];
        at_ += 2;
        if (name.is("sizeof")) return size_of();
        const bool rounds = name.is("ceil") || name.is("floor");
        const bool outer = exact_;
        exact_ = rounds || (outer && (name.is("min") || name.is("max")));
        const Result<Fraction> first = sum();
        exact_ = outer;
        if (!first) return first;
        if (name.is("min") || name.is("max")) {
            if (!accept(",")) return unexpected_token();
            const Result<Fraction> second = sum();
            if (!second) return second;
            if (!accept(")")) return unexpected_token();
            const Result<Fraction> difference = combine('-', *first, *second, here());
            if (!difference) return difference;
            return (difference->numerator < 0) == name.is("min") ? first : second;
        }
        if (!accept(")")) return unexpected_token();
        const std::int64_t whole = first->numerator / first->denominator;
        const std::int64_t rest = first->numerator % first->denominator;
        if (name.is("ceil")) return Fraction{whole + (rest > 0 ? 1 : 0), 1};
        if (name.is("floor")) return Fraction{whole - (rest < 0 ? 1 : 0), 1};
        if (name.is("log2")) {
            if (whole < 1) return fail(fmt::format("log2 of {} is not defined", whole), {"", 0, name.column});
            return Fraction{std::int64_t(std::bit_width(std::uint64_t(whole) - 1)), 1};
        }
        return fail(fmt::format("\"{}\" is not a function of expressions", name.text), {"", 0, name.column}, remedy);
    }

    Result<Fraction> size_of() {
        std::string type;
        const Place place = here();
        for (; at_ < code_.size() && !is(")"); ++at_)
            type += (type.empty() || is("*") ? "" : " ") + std::string(code_[at_].text);
        if (!accept(")")) return unexpected_token();
        constexpr std::int64_t pointer_bytes = 8;
        if (type.ends_with('*')) return Fraction{pointer_bytes, 1};
        const std::optional<NumberType> number = number_type(type);
        if (!number) return fail(fmt::format("the size of \"{}\" is unknown", type), place);
        return Fraction{std::int64_t{number->bytes} * number->components, 1};
    }

    std::string_view text_;
    std::vector<Token> code_;
    const Variables& variables_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
    bool exact_ = false;  ///< inside ceil or floor: quotients stay fractions
};

}  // namespace

Result<std::uint64_t> evaluate(std::string_view expression, const Variables& variables) {
    const auto number = parse_number(trimmed(expression));
    if (number && *number <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return *number;
    return Evaluator(expression, variables).run();
}

Result<trace::Dim3> evaluate_extent(std::string_view extent, const Variables& variables) {
    if (const auto numbers = parse_extent(extent)) return *numbers;
    const std::vector<Token> code = compile::code_of(compile::tokenize(extent), compile::Branch::first);
    const auto parts = compile::split_commas(code, {0, code.size()}, false);
    if (parts.size() > 3) return fail(fmt::format("\"{}\" has more than three dimensions", extent), {"", 0, 1});
    trace::Dim3 result;
    std::uint32_t* const axes[]{&result.x, &result.y, &result.z};
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < std::max<std::size_t>(parts.size(), 1); ++axis) {
        // Commas inside brackets belong to functions, so a part ends where the token after it begins.
        const std::size_t end = axis < parts.size() && parts[axis].past_last < code.size()
                                    ? code[parts[axis].past_last].offset
                                    : extent.size();
        Result<std::uint64_t> value = evaluate(extent.substr(offset, end - offset), variables);
        if (!value) {
            value.error().where.column += unsigned(offset);
            return std::unexpected(value.error());
        }
        if (*value < 1 || *value > std::numeric_limits<std::uint32_t>::max())
            return fail(fmt::format("an extent of {} is invalid", *value), {"", 0, unsigned(offset + 1)},
                        "each dimension is at least 1 and fits 32 bits");
        *axes[axis] = std::uint32_t(*value);
        offset = std::min(end + 1, extent.size());
    }
    return result;
}

std::string with_constants(std::string_view expression, const SourceFile& source) {
    constexpr std::array<std::string_view, 4> variables{"n", "block", "grid", "multiprocessors"};
    std::string result;
    std::size_t copied = 0;
    const std::vector<Token> code = compile::code_of(compile::tokenize(expression), compile::Branch::first);
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::string name(code[i].text);
        const bool ours = std::ranges::find(variables, name) != variables.end();
        const bool called = i + 1 < code.size() && code[i + 1].is("(");
        if (code[i].is("sizeof") && called) i = compile::past_bracket(code, i + 1, code.size()) - 1;  // of a type
        if (code[i].kind != TokenKind::identifier || ours || called) continue;
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
