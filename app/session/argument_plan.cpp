#include "session/argument_plan.h"

#include "base/grouped.h"
#include "session/element_types.h"
#include "session/input.h"
#include "session/structure.h"

#include "base/number_type.h"
#include "base/text.h"
#include "compile/declarations.h"
#include "compile/lexer.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

namespace lanescope::session {

namespace {

using compile::Token;
using compile::TokenKind;
using compile::TokenRange;
using trace::Element;

/// `f(a, b) as rest`, split at its brackets.
struct Call {
    std::string name;
    std::vector<std::string_view> arguments;
    std::string_view rest;  ///< after the closing bracket
};
std::optional<Call> call_of(std::string_view text) {
    const std::vector<Token> code = compile::code_of(compile::tokenize(text), compile::Branch::first);
    if (code.size() < 3 || code[0].kind != TokenKind::identifier || !code[1].is("(")) return std::nullopt;
    const std::size_t past = compile::past_bracket(code, 1, code.size());
    if (!code[past - 1].is(")")) return std::nullopt;
    Call call{.name = std::string(code[0].text), .arguments = {}, .rest = trimmed(text.substr(code[past - 1].end()))};
    for (const TokenRange& part : compile::split_commas(code, {2, past - 1}, false)) {
        const std::size_t begin = code[part.first].offset;
        const std::size_t end = part.empty() ? begin : code[part.past_last - 1].end();
        call.arguments.push_back(text.substr(begin, end - begin));
    }
    return call;
}

/// A problem `offset` bytes into the plan, with its place in the file.
Problem placed(Problem problem, const Place& where, std::size_t offset) {
    const unsigned column = problem.where.column != 0 ? problem.where.column - 1 : 0;
    problem.where = where;
    if (where.line != 0) problem.where.column += unsigned(offset) + column;
    return problem;
}

/// A number, or an expression of the launch's numbers, as an element.
Result<std::uint64_t> bits_of(Element element, const std::string& name, const std::string& text, const Place& where,
                              const Variables& variables) {
    if (const std::optional<std::uint64_t> bits = encode(element, text)) return *bits;
    const Result<std::uint64_t> number = evaluate(text, variables);
    if (!number) return std::unexpected(placed(number.error(), where, 0));
    if (const std::optional<std::uint64_t> bits = encode(element, std::to_string(*number))) return *bits;
    return fail(fmt::format("{} = {} does not fit {}", name, *number, trace::name_of(element)), where);
}

/// The bytes of a structure's numbers; its pointers are null.
Result<std::vector<std::byte>> bytes_of_structure(const ArgumentPlan& plan, const Variables& variables) {
    const Structure& structure = *plan.structure;
    const Result<std::vector<std::string>> values = member_values(structure, plan.plan);
    if (!values) return std::unexpected(placed(values.error(), plan.where, 0));
    std::vector<std::byte> bytes(structure.bytes);
    for (std::size_t i = 0; i < structure.members.size(); ++i) {
        const Structure::Member& member = structure.members[i];
        if (member.pointer) continue;
        const auto bits =
            bits_of(member.element, plan.parameter + "." + member.name, (*values)[i], plan.where, variables);
        if (!bits) return std::unexpected(bits.error());
        std::vector<std::byte> own;
        append_element(own, member.element, *bits);
        std::ranges::copy(own, bytes.begin() + static_cast<std::ptrdiff_t>(member.offset));
    }
    return bytes;
}

/// `count` structures, their numbers filled from the input one after the other.
Result<Input> structures_of(const Structure& structure, std::string_view input, std::uint64_t count) {
    Result<Input> numbers = make_input(input, trace::Element::f64, count * structure.members.size());
    if (!numbers) return numbers;
    std::vector<std::byte> bytes(count * structure.bytes);
    std::size_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        for (const Structure::Member& member : structure.members) {
            const double value =
                decode(trace::Element::f64, trace::bits_at(trace::Element::f64, numbers->bytes, next++));
            if (member.pointer) continue;
            const std::uint64_t bits = is_float(member.element) ? encode_float(member.element, value)
                                                                : encode_whole(member.element, std::int64_t(value));
            std::memcpy(&bytes[i * structure.bytes + member.offset], &bits, trace::bytes_of(member.element));
        }
    }
    numbers->bytes = std::move(bytes);
    return numbers;
}

constexpr const char* plan_remedy =
    "plans for a pointer are input(COUNT), input(COUNT, SIZE), input(COUNT) as INPUT and zeros(SIZE)";

/// The plan of a buffer, for a pointer whose element is already set in `plan`.
Result<ArgumentPlan> buffer_plan(const Program& program, ArgumentPlan plan, const Place& where,
                                 const ArgumentPlan* before) {
    const std::optional<Call> call = call_of(plan.plan);
    const auto expression = [&](std::string_view part) -> Result<std::string> {
        std::string resolved = without_names(part, program);
        if (const Result<std::uint64_t> value = evaluate(resolved, trial); !value)
            return std::unexpected(placed(value.error(), where, std::size_t(part.data() - plan.plan.data())));
        return resolved;
    };
    if (call && call->name == "zeros" && call->arguments.size() == 1 && call->rest.empty()) {
        Result<std::string> size = expression(call->arguments[0]);
        if (!size) return std::unexpected(size.error());
        plan.kind = ArgumentPlan::Kind::zeros;
        plan.count = "0";
        plan.size = *std::move(size);
        return plan;
    }
    const bool fills = call && (call->rest.empty() || call->rest.starts_with("as "));
    if (fills && call->name == "input" && (call->arguments.size() == 1 || call->arguments.size() == 2)) {
        Result<std::string> count = expression(call->arguments[0]);
        if (!count) return std::unexpected(count.error());
        Result<std::string> size = expression(call->arguments.back());
        if (!size) return std::unexpected(size.error());
        plan.kind = ArgumentPlan::Kind::input;
        plan.count = *std::move(count);
        plan.size = *std::move(size);
        if (!call->rest.empty()) {
            plan.fill = trimmed(call->rest.substr(3));
            if (const Result<Input> input = make_input(plan.fill, plan.element, 0); !input)
                return std::unexpected(
                    placed(input.error(), where, plan.plan.size() - std::min(plan.fill.size(), plan.plan.size())));
        }
        return plan;
    }
    if (!call) {
        const Result<Input> input = make_input(plan.plan, plan.element, 0);
        if (!input) {
            Problem problem = placed(input.error(), where, 0);
            problem.remedy = plan_remedy;
            return std::unexpected(std::move(problem));
        }
        plan.kind = ArgumentPlan::Kind::input;
        plan.fill = plan.plan;
        plan.size = before != nullptr ? before->size : "n";
        plan.count = before != nullptr && before->kind == ArgumentPlan::Kind::input ? before->count : plan.size;
        return plan;
    }
    return std::unexpected(
        Problem{fmt::format("\"{}\" is not a plan for the pointer {}", plan.plan, plan.parameter), where, plan_remedy});
}

/// A structure by value: its numbers checked, its pointers with buffers of their own.
Result<ArgumentPlan> structure_plan(const Program& program, ArgumentPlan plan, const Place& where) {
    plan.plan = without_names(plan.plan, program);
    if (const auto tried = bytes_of_structure(plan, trial); !tried) return std::unexpected(tried.error());
    const Result<std::vector<std::string>> values = member_values(*plan.structure, plan.plan);
    for (std::size_t i = 0; i < plan.structure->members.size(); ++i) {
        const Structure::Member& member = plan.structure->members[i];
        if (!member.pointer) continue;
        ArgumentPlan own{.parameter = fmt::format("{}.{}", plan.parameter, member.name),
                         .plan = (*values)[i],
                         .element = member.element,
                         .components = member.components,
                         .structure = {},
                         .members = {},
                         .where = where};
        const bool null = own.plan == "0" || own.plan == "nullptr" || own.plan == "NULL";
        if (!null && member.components == 0)
            return std::unexpected(Problem{fmt::format("the pointer {} does not point to numbers", own.parameter),
                                           where, "it can only be 0, the null pointer"});
        if (!null) {
            Result<ArgumentPlan> read = buffer_plan(program, std::move(own), where, nullptr);
            if (!read) return read;
            own = *std::move(read);
        }
        plan.members.push_back(std::move(own));
    }
    return plan;
}

}  // namespace

Result<ArgumentPlan> parse_plan(const Program& program, const compile::Parameter& parameter, std::string_view text,
                                const Place& where, const ArgumentPlan* before) {
    ArgumentPlan plan;
    plan.parameter = parameter.name;
    plan.plan = trimmed(text);
    plan.where = where;
    const std::string& type = parameter.pointer ? parameter.element : parameter.type;
    const std::string bare = type.starts_with("const ") ? type.substr(6) : type;  // a pointer to pointers stays one
    std::optional<ElementType> element = element_type(program, bare);
    if (!element) {
        if (std::optional<Structure> structure = structure_of(program, bare)) {
            plan.structure = std::move(structure);
            if (!parameter.pointer) return structure_plan(program, std::move(plan), where);
            element = elements_of_buffer(*plan.structure);
        }
    }
    if (!element)
        return std::unexpected(
            Problem{fmt::format("the type \"{}\" of the parameter {} is not supported", parameter.type, parameter.name),
                    where, "parameters are numbers, structures, and pointers to numbers or structures"});
    plan.element = element->element;
    plan.components = element->components;
    if (parameter.pointer) return buffer_plan(program, std::move(plan), where, before);

    plan.kind = ArgumentPlan::Kind::value;
    if (encode(plan.element, plan.plan)) return plan;
    plan.plan = without_names(plan.plan, program);
    if (const Result<std::uint64_t> value = evaluate(plan.plan, trial); !value && !encode(plan.element, plan.plan))
        return std::unexpected(placed(value.error(), where, 0));
    return plan;
}

Result<ArgumentValue> make_argument(const ArgumentPlan& plan, std::string_view input, const Variables& variables) {
    ArgumentValue value;
    value.element = plan.element;
    if (plan.plan.empty())
        return fail(
            fmt::format("the argument for the parameter {} is unknown", plan.parameter), plan.where,
            fmt::format("set it with a line `// lanescope: arg {} = ...` in the file, if it is a number, a structure, "
                        "or a pointer to either; where its type has a base, virtual functions or references, "
                        "let the kernel take the members as parameters of their own",
                        plan.parameter));
    if (plan.kind == ArgumentPlan::Kind::value && plan.structure) {
        auto bytes = bytes_of_structure(plan, variables);
        if (!bytes) return std::unexpected(bytes.error());
        value.bytes = std::move(*bytes);
        for (const ArgumentPlan& member : plan.members) {
            if (member.kind == ArgumentPlan::Kind::value) {
                value.members.emplace_back();  // null
                continue;
            }
            Result<ArgumentValue> own = make_argument(member, input, variables);
            if (!own) return own;
            value.members.push_back(*std::move(own));
        }
        return value;
    }
    if (plan.kind == ArgumentPlan::Kind::value) {
        const auto bits = bits_of(plan.element, plan.parameter, plan.plan, plan.where, variables);
        if (!bits) return std::unexpected(bits.error());
        for (unsigned i = 0; i < plan.components; ++i) append_element(value.bytes, plan.element, *bits);
        return value;
    }

    value.buffer = true;
    const Result<std::uint64_t> count = evaluate(plan.count, variables);
    if (!count) return std::unexpected(placed(count.error(), plan.where, 0));
    const Result<std::uint64_t> wanted = evaluate(plan.size, variables);
    if (!wanted) return std::unexpected(placed(wanted.error(), plan.where, 0));
    const std::uint64_t size = std::max(*count, *wanted);
    const std::uint64_t unit = std::uint64_t{plan.components} * trace::bytes_of(plan.element);
    constexpr std::uint64_t most = std::uint64_t{8} << 30;
    if (size > most / unit)
        return fail(fmt::format("the buffer {} would have {}, more than {} GiB", plan.parameter,
                                counted(size, "element"), most >> 30),
                    plan.where, "choose a smaller n");
    value.count = *count * plan.components;
    if (plan.kind == ArgumentPlan::Kind::input) {
        const std::string_view fill = plan.fill.empty() ? input : std::string_view(plan.fill);
        Result<Input> filled =
            plan.structure ? structures_of(*plan.structure, fill, *count) : make_input(fill, plan.element, value.count);
        if (!filled) return std::unexpected(filled.error());
        value.bytes = std::move(filled->bytes);
        value.notes = std::move(filled->notes);
    }
    value.bytes.resize(size * unit);
    return value;
}

}  // namespace lanescope::session
