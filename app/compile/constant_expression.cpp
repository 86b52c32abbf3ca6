#include "compile/constants.h"

#include "base/number_type.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace lanescope::compile {

namespace {

Number whole(std::int64_t value) { return {.floating = false, .whole = value}; }
Number real(double value) { return {.floating = true, .real = value}; }

std::optional<Number> literal(std::string_view text) {
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '\''; });
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    const bool binary = digits.starts_with("0b") || digits.starts_with("0B");
    const bool floating = !hex && !binary && digits.find_first_of(".eE") != std::string::npos;
    if (floating) return real(std::strtod(digits.c_str(), nullptr));
    const int base = hex ? 16 : binary ? 2 : digits.size() > 1 && digits.front() == '0' ? 8 : 10;
    const char* begin = digits.data() + (hex || binary ? 2 : 0);
    const char* end = digits.data() + digits.size();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value, base);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view suffix(stop, std::size_t(end - stop));
    if (suffix == "f" || suffix == "F") return real(double(value));
    return suffix.find_first_not_of("uUlLzZ") == std::string_view::npos ? std::optional(whole(value)) : std::nullopt;
}

/// Left operand, operator and right operand of C's integer and floating arithmetic.
std::optional<Number> apply(std::string_view op, const Number& a, const Number& b) {
    if (a.floating || b.floating) {
        const double x = a.value(), y = b.value();
        if (op == "+") return real(x + y);
        if (op == "-") return real(x - y);
        if (op == "*") return real(x * y);
        if (op == "/") return y == 0 ? std::nullopt : std::optional(real(x / y));
        if (op == "<") return whole(x < y);
        if (op == ">") return whole(x > y);
        if (op == "<=") return whole(x <= y);
        if (op == ">=") return whole(x >= y);
        if (op == "==") return whole(x == y);
        if (op == "!=") return whole(x != y);
        return std::nullopt;
    }
    const std::int64_t x = a.whole, y = b.whole;
    std::int64_t result = 0;
    if (op == "+") return __builtin_add_overflow(x, y, &result) ? std::nullopt : std::optional(whole(result));
    if (op == "-") return __builtin_sub_overflow(x, y, &result) ? std::nullopt : std::optional(whole(result));
    if (op == "*") return __builtin_mul_overflow(x, y, &result) ? std::nullopt : std::optional(whole(result));
    if (op == "/" || op == "%") {
        if (y == 0 || (x == INT64_MIN && y == -1)) return std::nullopt;
        return whole(op == "/" ? x / y : x % y);
    }
    if (op == "<<" || op == ">>") {
        if (x < 0 || y < 0 || y > 62) return std::nullopt;
        if (op == "<<" && x > (INT64_MAX >> y)) return std::nullopt;
        return whole(op == "<<" ? x << y : x >> y);
    }
    if (op == "&") return whole(x & y);
    if (op == "|") return whole(x | y);
    if (op == "^") return whole(x ^ y);
    if (op == "&&") return whole(x != 0 && y != 0);
    if (op == "||") return whole(x != 0 || y != 0);
    if (op == "<") return whole(x < y);
    if (op == ">") return whole(x > y);
    if (op == "<=") return whole(x <= y);
    if (op == ">=") return whole(x >= y);
    if (op == "==") return whole(x == y);
    if (op == "!=") return whole(x != y);
    return std::nullopt;
}

std::optional<Number> known_function(std::string_view name, const std::vector<Number>& arguments) {
    const std::size_t colon = name.rfind(':');
    if (colon != std::string_view::npos) name.remove_prefix(colon + 1);
    if (arguments.size() == 1) {
        const double x = arguments[0].value();
        if (name == "ceil" || name == "ceilf") return real(std::ceil(x));
        if (name == "floor" || name == "floorf") return real(std::floor(x));
        if (name == "round" || name == "roundf") return real(std::round(x));
        if (name == "log2" || name == "log2f") return x > 0 ? std::optional(real(std::log2(x))) : std::nullopt;
        if (name == "sqrt" || name == "sqrtf") return x >= 0 ? std::optional(real(std::sqrt(x))) : std::nullopt;
    }
    if (arguments.size() == 2) {
        if (name == "min" || name == "max") {
            const bool first = (arguments[0].value() < arguments[1].value()) == (name == "min");
            return arguments[first ? 0 : 1];
        }
        if (name == "pow" || name == "powf") return real(std::pow(arguments[0].value(), arguments[1].value()));
    }
    return std::nullopt;
}

/// Not `half`, which is as often a number's name.
bool is_type_word(const Token& token) {
    const bool alias = token.is("uint") || (token.text.ends_with("_t") && number_type(token.text));
    return alias || token.is("const") || is_number_keyword(token.text);
}

int precedence(std::string_view op) {
    if (op == "*" || op == "/" || op == "%") return 10;
    if (op == "+" || op == "-") return 9;
    if (op == "<<" || op == ">>") return 8;
    if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
    if (op == "==" || op == "!=") return 6;
    if (op == "&") return 5;
    if (op == "^") return 4;
    if (op == "|") return 3;
    if (op == "&&") return 2;
    if (op == "||") return 1;
    return 0;
}

/// Precedence climbing over the tokens of one expression.
class Evaluator {
  public:
    Evaluator(const std::vector<Token>& code, TokenRange range, const Constants& constants, unsigned depth = 0)
        : code_(code), at_(range.first), end_(range.past_last), constants_(constants), depth_(depth) {}

    std::optional<Number> run() {
        const std::optional<Number> result = conditional();
        return at_ == end_ ? result : std::nullopt;
    }

  private:
    [[nodiscard]] bool is(std::string_view text) const { return at_ < end_ && code_[at_].is(text); }

    bool accept(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }

    std::optional<Number> conditional() {
        if (++depth_ > max_depth) return std::nullopt;
        const std::optional<Number> result = conditional_inside();
        --depth_;
        return result;
    }

    std::optional<Number> conditional_inside() {
        const std::optional<Number> condition = binary(1);
        if (!condition || !accept("?")) return condition;
        const std::optional<Number> yes = conditional();
        if (!accept(":")) return std::nullopt;
        const std::optional<Number> no = conditional();
        return condition->value() != 0 ? yes : no;
    }

    /// The binary operator at hand; `>>` is two tokens, see TokenKind.
    [[nodiscard]] std::string_view operator_here() const {
        if (at_ >= end_) return {};
        const bool shift =
            code_[at_].is(">") && at_ + 1 < end_ && code_[at_ + 1].is(">") && code_[at_].end() == code_[at_ + 1].offset;
        return shift ? std::string_view(">>") : code_[at_].text;
    }

    std::optional<Number> binary(int lowest) {
        std::optional<Number> left = unary();
        while (left) {
            const std::string_view op = operator_here();
            const int rank = precedence(op);
            if (rank < lowest || rank == 0) break;
            at_ += op == ">>" ? 2 : 1;
            const std::optional<Number> right = binary(rank + 1);
            if (!right) return std::nullopt;
            left = apply(op, *left, *right);
        }
        return left;
    }

    std::optional<Number> unary() {
        if (++depth_ > max_depth) return std::nullopt;
        const std::optional<Number> result = unary_inside();
        --depth_;
        return result;
    }

    std::optional<Number> unary_inside() {
        if (at_ >= end_) return std::nullopt;
        if (accept("+")) return unary();
        if (accept("-")) {
            const std::optional<Number> operand = unary();
            return operand ? apply("-", operand->floating ? real(0) : whole(0), *operand) : std::nullopt;
        }
        if (accept("!")) {
            const std::optional<Number> operand = unary();
            return operand ? std::optional(whole(operand->value() == 0)) : std::nullopt;
        }
        if (accept("~")) {
            const std::optional<Number> operand = unary();
            return operand && !operand->floating ? std::optional(whole(~operand->whole)) : std::nullopt;
        }
        return primary();
    }

    std::optional<Number> primary() {
        const Token& token = code_[at_];
        if (token.kind == TokenKind::number) {
            ++at_;
            return literal(token.text);
        }
        if (token.is("(")) return parenthesis();
        if (token.kind != TokenKind::identifier) return std::nullopt;
        if (token.is("sizeof")) return size_of();
        if (token.is("static_cast")) return static_cast_();
        if (is_type_word(token)) return functional_cast();
        return name();
    }

    std::optional<Number> parenthesis() {
        const std::size_t past = past_bracket(code_, at_, end_);
        const bool cast = at_ + 1 < past - 1 && std::all_of(code_.begin() + std::ptrdiff_t(at_ + 1),
                                                            code_.begin() + std::ptrdiff_t(past - 1), is_type_word);
        if (cast) {
            const std::string type = spelling(code_, {at_ + 1, past - 1});
            at_ = past;
            return converted(type, unary());
        }
        ++at_;
        const std::optional<Number> inner = conditional();
        return accept(")") ? inner : std::nullopt;
    }

    static std::optional<Number> converted(const std::string& type, const std::optional<Number>& number) {
        if (!number) return std::nullopt;
        return is_floating_point(type) ? std::optional(real(number->value())) : truncated(*number);
    }

    std::optional<Number> size_of() {
        ++at_;
        if (!is("(")) return std::nullopt;
        const std::size_t past = past_bracket(code_, at_, end_);
        const std::optional<unsigned> bytes = bytes_of_type(spelling(code_, {at_ + 1, past - 1}));
        at_ = past;
        return bytes ? std::optional(whole(*bytes)) : std::nullopt;
    }

    std::optional<Number> static_cast_() {
        ++at_;
        if (!is("<")) return std::nullopt;
        const std::size_t past = past_angle(code_, at_, end_);
        const std::string type = spelling(code_, {at_ + 1, past - 1});
        at_ = past;
        return is("(") ? converted(type, parenthesis()) : std::nullopt;
    }

    std::optional<Number> functional_cast() {
        const std::string type(code_[at_++].text);
        return is("(") ? converted(type, parenthesis()) : std::nullopt;
    }

    std::optional<Number> name() {
        std::string name(code_[at_++].text);
        while (is("::") && at_ + 1 < end_) {
            name = code_[at_ + 1].text;
            at_ += 2;
        }
        if (is("(")) {
            const std::size_t past = past_bracket(code_, at_, end_);
            std::vector<Number> arguments;
            for (const TokenRange& part : split_commas(code_, {at_ + 1, past - 1}, false)) {
                const std::optional<Number> argument = Evaluator(code_, part, constants_, depth_ + 1).run();
                if (!argument) return std::nullopt;
                arguments.push_back(*argument);
            }
            at_ = past;
            const auto function = constants_.functions.find(name);
            return function == constants_.functions.end() ? known_function(name, arguments)
                                                          : call(function->second, arguments);
        }
        if (name == "true" || name == "false") return whole(name == "true");
        const auto found = constants_.numbers.find(name);
        return found == constants_.numbers.end() ? std::nullopt : std::optional(found->second);
    }

    /// Values for parameters are as good as text here: the arguments are constants.
    std::optional<Number> call(const ConstantFunction& function, const std::vector<Number>& arguments) {
        if (function.parameters.size() != arguments.size() || depth_ > max_calls) return std::nullopt;
        Constants inner = constants_;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            inner.numbers.insert_or_assign(function.parameters[i], arguments[i]);
        return Evaluator(function.body, {0, function.body.size()}, inner, depth_ + 1).run();
    }

    static constexpr unsigned max_depth = 200;  // deeper nesting is no launch
    static constexpr unsigned max_calls = 20;   // each copies the constants

    const std::vector<Token>& code_;
    std::size_t at_, end_;
    const Constants& constants_;
    unsigned depth_;
};

}  // namespace

std::optional<Number> truncated(const Number& number) {
    if (!number.floating) return number;
    if (!(std::abs(number.real) < 9.2e18)) return std::nullopt;
    return whole(std::int64_t(number.real));
}

std::optional<Number> evaluate_constant(const std::vector<Token>& code, TokenRange range, const Constants& constants) {
    if (range.empty()) return std::nullopt;
    return Evaluator(code, range, constants).run();
}

std::optional<unsigned> bytes_of_type(const std::string& type) {
    if (const std::optional<NumberType> numbers = number_type(type)) return numbers->bytes * numbers->components;
    if (type.ends_with("*")) return 8;
    return std::nullopt;
}

}  // namespace lanescope::compile
