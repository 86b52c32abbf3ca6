#include "analysis/panels/step_condition.h"

#include "analysis/launch_shape.h"
#include "base/expression.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

namespace lanescope::analysis {

namespace {

using Operator = StepCondition::Operator;
using Comparison = StepCondition::Comparison;

constexpr std::string_view form = "A condition compares a name with a number, `stride == 2`; && joins several.";

constexpr std::array operators = {
    std::pair{std::string_view("=="), Operator::equal},      std::pair{std::string_view("!="), Operator::not_equal},
    std::pair{std::string_view("<="), Operator::less_equal}, std::pair{std::string_view(">="), Operator::greater_equal},
    std::pair{std::string_view("<"), Operator::less},        std::pair{std::string_view(">"), Operator::greater},
};

constexpr std::array<std::string_view, 10> places = {"lane",        "warp",        "thread",      "block",
                                                     "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x",
                                                     "blockIdx.y",  "blockIdx.z"};

std::optional<long double> number_of(std::string_view text) {
    if (text == "true") return 1;
    if (text == "false") return 0;
    std::string plain(text);
    // Suffixes of C++ literals; in a hexadecimal number, f is a digit.
    const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
    const bool keeps_f = digits.starts_with("0x") || digits.starts_with("0X") || digits == "inf";
    if (!keeps_f && !plain.empty() && (plain.back() == 'f' || plain.back() == 'F')) plain.pop_back();
    while (!plain.empty() && (plain.back() == 'u' || plain.back() == 'U' || plain.back() == 'l' || plain.back() == 'L'))
        plain.pop_back();
    if (plain.empty()) return std::nullopt;
    char* end = nullptr;
    const long double number = std::strtold(plain.c_str(), &end);
    if (end != plain.c_str() + plain.size()) return std::nullopt;
    return number;
}

/// The number that `0x10`, `-2.5f`, `true` or `-inf` stands for.
std::optional<long double> number_of(const Expression& expression) {
    if (expression.kind == Expression::Kind::negation) {
        const std::optional<long double> number = number_of(expression.parts.front());
        return number ? std::optional(-*number) : std::nullopt;
    }
    const bool literal = expression.kind == Expression::Kind::number || expression.kind == Expression::Kind::name;
    return literal ? number_of(expression.text) : std::nullopt;
}

std::unexpected<Problem> refuse(std::string what, const Expression& where) {
    return fail(std::move(what), {{}, 0, static_cast<unsigned>(where.begin + 1)}, std::string(form));
}

Result<void> add_comparisons(const Expression& expression, std::string_view text, std::vector<Comparison>& all) {
    if (expression.is_operation("&&")) {
        const Result<void> left = add_comparisons(expression.parts[0], text, all);
        return left ? add_comparisons(expression.parts[1], text, all) : left;
    }
    const auto op = std::ranges::find(operators, expression.text, &decltype(operators)::value_type::first);
    if (expression.kind != Expression::Kind::operation || op == operators.end())
        return refuse(fmt::format("\"{}\" compares nothing", expression.of(text)), expression);
    const Expression &left = expression.parts[0], &right = expression.parts[1];
    if (left.kind != Expression::Kind::name)
        return refuse(fmt::format("\"{}\" is not the name of a variable", left.of(text)), left);
    const std::optional<long double> number = number_of(right);
    if (!number) return refuse(fmt::format("\"{}\" is not a number", right.of(text)), right);
    all.push_back({left.text, op->second, *number});
    return {};
}

bool compare(long double value, Operator op, long double number) {
    switch (op) {
        case Operator::equal: return value == number;
        case Operator::not_equal: return value != number;
        case Operator::less: return value < number;
        case Operator::less_equal: return value <= number;
        case Operator::greater: return value > number;
        case Operator::greater_equal: return value >= number;
    }
    return false;
}

std::uint32_t part_of(std::uint64_t linear, const trace::Dim3& extent, char axis) {
    if (axis == 'x') return static_cast<std::uint32_t>(linear % extent.x);
    if (axis == 'y') return static_cast<std::uint32_t>(linear / extent.x % extent.y);
    return static_cast<std::uint32_t>(linear / extent.x / extent.y);
}

std::optional<long double> place_named(std::string_view name, const MemoryTable& table) {
    const BlockView& block = table.block();
    const std::uint64_t thread = std::uint64_t{table.moment().warp.value} * warp_size + table.moment().lane;
    if (name == "lane") return table.moment().lane;
    if (name == "warp") return table.moment().warp.value;
    if (name == "thread") return thread;
    if (name == "block") return block.passes.block.value;
    if (name.starts_with("threadIdx.")) return part_of(thread, block.launch().block, name.back());
    if (name.starts_with("blockIdx.")) return part_of(block.passes.block.value, block.launch().grid, name.back());
    return std::nullopt;
}

/// Nothing where the value is unknown at the table's moment.
std::optional<long double> value_of(std::string_view name, const MemoryTable& table) {
    // An inner scope's variable comes after the outer one of the same name.
    const auto& variables = table.variables();
    const auto found = std::find_if(variables.rbegin(), variables.rend(),
                                    [&](const LaneVariable& variable) { return variable.name == name; });
    if (found == variables.rend() || !table.named()) return place_named(name, table);
    if (!found->reg.valid() || !found->written) return std::nullopt;
    if (found->truth) return found->bits != 0 ? 1 : 0;
    if (!found->element) return std::nullopt;
    return number_of(trace::text_of(*found->element, found->bits));
}

}  // namespace

Result<StepCondition> read_condition(std::string_view text) {
    StepCondition condition;
    if (trimmed(text).empty()) return condition;
    Result<Expression> parsed = parse_expression(text);
    if (!parsed) {
        parsed.error().remedy = form;
        return std::unexpected(std::move(parsed.error()));
    }
    if (auto added = add_comparisons(*parsed, text, condition.all); !added) return std::unexpected(added.error());
    return condition;
}

Result<void> check_names(const StepCondition& condition, const ptx::Module& module) {
    std::set<std::string> scalars, others;
    for (const ptx::Function& function : module.functions) {
        for (const ptx::SourceVariable& variable : function.source_variables) {
            const bool scalar = variable.kind == ptx::TypeKind::number || variable.kind == ptx::TypeKind::boolean ||
                                variable.kind == ptx::TypeKind::enumeration;
            (scalar ? scalars : others).insert(variable.name);
        }
    }
    for (const Comparison& comparison : condition.all) {
        const std::string& name = comparison.name;
        if (scalars.contains(name)) continue;
        if (others.contains(name))
            return fail(fmt::format("{} is not a number", name), {}, "A condition compares scalar variables.");
        if (std::ranges::find(places, name) != places.end()) continue;
        const std::string known = scalars.empty() ? "The code as compiled names no variables."
                                                  : fmt::format("Variables: {}.", fmt::join(scalars, ", "));
        return fail(fmt::format("no variable in a register is named {}", name), {},
                    fmt::format("{} Other names: {}.", known, fmt::join(places, ", ")));
    }
    return {};
}

Holds holds(const StepCondition& condition, MemoryTable& table, std::size_t index, unsigned lane) {
    if (condition.all.empty()) return Holds::yes;
    table.seek(memory_moment(table.block(), index, table.block().step_at(index).warp, lane));
    Holds result = Holds::yes;
    for (const Comparison& comparison : condition.all) {
        const std::optional<long double> value = value_of(comparison.name, table);
        if (!value) {
            result = Holds::unknown;
        } else if (!compare(*value, comparison.op, comparison.number)) {
            return Holds::no;
        }
    }
    return result;
}

}  // namespace lanescope::analysis
