#include "base/expression.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace lanescope {

namespace {

// Trees are walked by recursion, so their depth is limited: brackets and signs nest, operators grow the tree to the
// left.
constexpr unsigned deepest_operand = 100, most_operators = 500;

constexpr std::array<std::string_view, 6> comparisons{"==", "!=", "<=", ">=", "<", ">"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class ExpressionParser {
  public:
    explicit ExpressionParser(std::string_view text) : text_(text) { advance(); }

    Result<std::vector<Expression>> list_to_end() {
        if (token_.empty()) return fail("expected an expression", {"", 0, 1});
        Result<std::vector<Expression>> parts = list();
        if (parts && !token_.empty()) return unexpected_token();
        return parts;
    }

  private:
    [[nodiscard]] unsigned column() const { return static_cast<unsigned>(at_ + 1); }

    [[nodiscard]] std::unexpected<Problem> unexpected_token() const {
        if (token_.empty()) return fail(fmt::format("\"{}\" is incomplete", text_), {"", 0, column()});
        return unexpected_in(text_, token_, column());
    }

    /// Moves to the next token; an empty token marks the end.
    void advance() {
        end_ = at_ + token_.size();
        at_ = std::min(text_.find_first_not_of(" \t\r\n", end_), text_.size());
        token_ = text_.substr(at_, length_of_token(text_.substr(at_)));
    }

    static std::size_t length_of_token(std::string_view rest) {
        if (rest.size() < 2) return rest.size();
        const bool number = is_digit(rest[0]) || (rest[0] == '.' && is_digit(rest[1]));
        if (number) {
            const bool hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
            std::size_t length = 1;
            for (; length < rest.size(); ++length) {
                const char c = rest[length], before = rest[length - 1];
                const bool exponent = hexadecimal ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
                const bool sign = (c == '-' || c == '+') && exponent;
                if (!is_identifier_character(c) && c != '.' && c != '^' && !sign) break;
            }
            return length;
        }
        if (is_identifier_character(rest[0])) {
            const auto past =
                std::ranges::find_if(rest, [](char c) { return !is_identifier_character(c) && c != '.'; });
            return static_cast<std::size_t>(past - rest.begin());
        }
        for (const std::string_view two : {"==", "!=", "<=", ">=", "&&", "||"})
            if (rest.starts_with(two)) return 2;
        return 1;
    }

    bool accept(std::string_view token) {
        if (token_ != token) return false;
        advance();
        return true;
    }

    /// Returns the token as an expression without parts, and moves to the next one.
    Expression take(Expression::Kind kind) {
        Expression taken{kind, std::string(token_), column(), at_, at_ + token_.size(), {}};
        advance();
        return taken;
    }

    Result<std::vector<Expression>> list() {
        std::vector<Expression> parts;
        do {
            Result<Expression> part = all();
            if (!part) return std::unexpected(std::move(part.error()));
            parts.push_back(*std::move(part));
        } while (accept(","));
        return parts;
    }

    /// Operands with operators between them; the leftmost bind first.
    template <class Operand, class IsOperator>
    Result<Expression> chain(const Operand& operand_of, const IsOperator& is_operator) {
        Result<Expression> left = operand_of();
        while (left && is_operator(token_)) {
            if (++operators_ > most_operators)
                return fail(fmt::format("an expression has at most {} operators", most_operators), {"", 0, column()});
            Expression joined = take(Expression::Kind::operation);
            Result<Expression> right = operand_of();
            if (!right) return right;
            joined.begin = left->begin;
            joined.end = right->end;
            joined.parts.push_back(*std::move(left));
            joined.parts.push_back(*std::move(right));
            left = std::move(joined);
        }
        return left;
    }

    Result<Expression> all() {
        return chain([&] { return comparison(); }, [](std::string_view token) { return token == "&&"; });
    }

    Result<Expression> comparison() {
        bool compared = false;
        return chain([&] { return sum(); },
                     [&](std::string_view token) {
                         const bool compares = !compared && std::ranges::find(comparisons, token) != comparisons.end();
                         compared = compared || compares;
                         return compares;
                     });
    }

    Result<Expression> sum() {
        return chain([&] { return product(); }, [](std::string_view token) { return token == "+" || token == "-"; });
    }

    Result<Expression> product() {
        return chain([&] { return operand(); },
                     [](std::string_view token) { return token == "*" || token == "/" || token == "%"; });
    }

    Result<Expression> operand() {
        if (++depth_ > deepest_operand)
            return fail(fmt::format("\"{}\" is nested too deeply", text_), {"", 0, column()});
        Result<Expression> inside = operand_inside();
        --depth_;
        return inside;
    }

    Result<Expression> operand_inside() {
        const std::size_t begin = at_;
        if (token_.empty()) return unexpected_token();
        if (token_ == "-") {
            Expression negation = take(Expression::Kind::negation);
            Result<Expression> negated = operand();
            if (!negated) return negated;
            negation.end = negated->end;
            negation.parts.push_back(*std::move(negated));
            return negation;
        }
        if (accept("+")) return from(begin, operand());
        if (accept("(")) {
            Result<Expression> inside = all();
            if (inside && !accept(")")) return unexpected_token();
            return from(begin, std::move(inside));
        }
        if (is_digit(token_.front()) || (token_.front() == '.' && token_.size() > 1))
            return take(Expression::Kind::number);
        if (!is_identifier_character(token_.front())) return unexpected_token();
        Expression name = take(Expression::Kind::name);
        if (token_ != "(") return name;
        if (name.text == "sizeof") return size_of(std::move(name));
        advance();
        name.kind = Expression::Kind::call;
        Result<std::vector<Expression>> arguments = list();
        if (!arguments) return std::unexpected(std::move(arguments.error()));
        if (!accept(")")) return unexpected_token();
        name.parts = *std::move(arguments);
        return from(begin, std::move(name));
    }

    /// The expression with the brackets or the sign around it included in its range.
    Result<Expression> from(std::size_t begin, Result<Expression> inside) const {
        if (!inside) return inside;
        inside->begin = begin;
        inside->end = end_;
        return inside;
    }

    Result<Expression> size_of(Expression keyword) {
        advance();
        const std::size_t begin = at_;
        while (!token_.empty() && token_ != ")") advance();
        keyword.kind = Expression::Kind::size_of;
        keyword.text = text_.substr(begin, end_ - begin);
        keyword.column = static_cast<unsigned>(begin + 1);
        if (begin == at_ || !accept(")")) return unexpected_token();
        const std::size_t start = keyword.begin;
        return from(start, std::move(keyword));
    }

    std::string_view text_;
    std::string_view token_;
    std::size_t at_ = 0;   ///< begin of the token
    std::size_t end_ = 0;  ///< end of the token before it
    unsigned depth_ = 0, operators_ = 0;
};

}  // namespace

Result<std::vector<Expression>> parse_expressions(std::string_view text) {
    return ExpressionParser(text).list_to_end();
}

Result<Expression> parse_expression(std::string_view text) {
    Result<std::vector<Expression>> list = parse_expressions(text);
    if (!list) return std::unexpected(std::move(list.error()));
    if (list->size() > 1) {
        const std::size_t comma = text.find(',', list->front().end);
        return unexpected_in(text, ",", static_cast<unsigned>(comma + 1));
    }
    return std::move(list->front());
}

std::unexpected<Problem> unexpected_in(std::string_view text, std::string_view token, unsigned column) {
    return fail(fmt::format("unexpected \"{}\" in \"{}\"", token, text), {"", 0, column});
}

}  // namespace lanescope
