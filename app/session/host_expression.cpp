// Expressions of host code, by precedence climbing over the tokens (C++ [expr], as much as host code of a course uses).
#include "session/host_interpreter.h"

#include "session/host_arithmetic.h"
#include "session/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

using compile::TokenKind;

namespace {

struct BinaryOperator {
    std::string_view text;
    int precedence;
};

constexpr std::array<BinaryOperator, 18> binary_operators{{{"||", 1},
                                                           {"&&", 2},
                                                           {"|", 3},
                                                           {"^", 4},
                                                           {"&", 5},
                                                           {"==", 6},
                                                           {"!=", 6},
                                                           {"<", 7},
                                                           {">", 7},
                                                           {"<=", 7},
                                                           {">=", 7},
                                                           {"<<", 8},
                                                           {">>", 8},
                                                           {"+", 9},
                                                           {"-", 9},
                                                           {"*", 10},
                                                           {"/", 10},
                                                           {"%", 10}}};

constexpr std::array<std::string_view, 11> assignments{
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

}  // namespace

bool HostInterpreter::take(std::string_view text) {
    if (!next_is(text)) return false;
    ++at_;
    return true;
}

void HostInterpreter::expect(std::string_view text) {
    if (!take(text)) refuse(fmt::format("'{}' is expected", text));
}

void HostInterpreter::refuse(const std::string& what, bool too_much) const {
    const std::size_t at = std::min(at_, code_->size() - 1);
    throw Unreadable{(*code_)[at].line, what, too_much};
}

HostValue HostInterpreter::evaluate(Range range) {
    const std::size_t at = at_, end = end_;
    const int addressing = addressing_;
    addressing_ = 0;
    at_ = range.first;
    end_ = range.past_last;
    HostValue value;
    if (!range.empty()) {
        value = assignment().value;
        while (take(",")) value = assignment().value;
        if (at_ != end_) refuse(fmt::format("'{}' is not understood here", token().text));
    }
    at_ = at;
    end_ = end;
    addressing_ = addressing;
    return value;
}

/// The rest of the range is one expression that names a place, where it does.
HostInterpreter::Operand HostInterpreter::operand_of(Range range) {
    const std::size_t at = at_, end = end_;
    at_ = range.first;
    end_ = range.past_last;
    Operand operand = assignment();
    if (at_ != end_) refuse(fmt::format("'{}' is not understood here", token().text));
    if (operand.variable != nullptr && operand.axis < 0)
        operand = housed(*operand.variable, (*code_)[range.past_last - 1].text);
    at_ = at;
    end_ = end;
    return operand;
}

HostInterpreter::Operand HostInterpreter::assignment() {
    spend();
    Operand target = conditional();
    if (at_ >= end_ || token().kind != TokenKind::punctuation) return target;
    for (const std::string_view op : assignments) {
        if (!take(op)) continue;
        HostValue value = assignment().value;
        if (op != "=") value = apply(op.substr(0, op.size() - 1), target.value, value);
        return assigned(target, value);
    }
    if (next_is(">") && is(at_ + 1, ">=") && (*code_)[at_ + 1].offset == token().offset + 1) {  // >>=, see the lexer
        at_ += 2;
        return assigned(target, apply(">>", target.value, assignment().value));
    }
    return target;
}

/// The place with its new value, as its type holds it.
HostInterpreter::Operand HostInterpreter::assigned(const Operand& target, const HostValue& value) {
    const bool number = target.cell.is_number() && value.is_number();
    Operand result = target;
    result.value = number ? converted(value, {HostType::Kind::number, target.cell}) : value;
    if (idle_ == 0) assign(target, value);
    return result;
}

HostInterpreter::Operand HostInterpreter::conditional() {
    Operand condition = binary(1);
    if (!take("?")) return condition;
    const bool unknown = condition.value.kind == HostValue::Kind::unknown;
    if (unknown && idle_ == 0 && !after_) refuse("this condition is not known");
    if (unknown) {
        ++idle_;
        static_cast<void>(assignment());
        expect(":");
        static_cast<void>(assignment());
        --idle_;
        return {};
    }
    const bool truth = condition.value.truth();
    idle_ += truth ? 0 : 1;
    const Operand yes = assignment();
    idle_ += truth ? 1 : -1;
    expect(":");
    const Operand no = assignment();
    idle_ -= truth ? 1 : 0;
    const HostValue& chosen = truth ? yes.value : no.value;
    if (!yes.value.is_number() || !no.value.is_number()) return {.value = chosen};
    return {.value = in_type(chosen, common_type(yes.value.type, no.value.type))};
}

HostInterpreter::Operand HostInterpreter::binary(int least) {
    Operand left = unary();
    while (at_ < end_) {
        std::string_view text = token().text;
        // The lexer keeps each `>` by itself, for template arguments.
        const bool adjacent = text == ">" && at_ + 1 < end_ && (*code_)[at_ + 1].offset == token().offset + 1;
        if (adjacent && is(at_ + 1, ">=")) break;  // >>=
        if (adjacent && is(at_ + 1, ">")) text = ">>";
        const auto* found = std::find_if(binary_operators.begin(), binary_operators.end(),
                                         [&](const BinaryOperator& op) { return op.text == text; });
        if (found == binary_operators.end() || found->precedence < least) break;
        at_ += text == ">>" && token().is(">") ? 2 : 1;
        const bool unknown = after_ && left.value.kind == HostValue::Kind::unknown && (text == "&&" || text == "||");
        if (unknown) {
            ++idle_;
            static_cast<void>(binary(found->precedence + 1));
            --idle_;
            left = {};
            continue;
        }
        const bool skips = (text == "&&" && !left.value.truth()) || (text == "||" && left.value.truth());
        idle_ += skips ? 1 : 0;
        const Operand right = binary(found->precedence + 1);
        idle_ -= skips ? 1 : 0;
        left = {.value = skips ? HostValue::of(std::int64_t{text == "||"}) : apply(text, left.value, right.value)};
    }
    return left;
}

HostValue HostInterpreter::apply(std::string_view op, const HostValue& a, const HostValue& b) {
    using Kind = HostValue::Kind;
    if (a.kind == Kind::unknown || b.kind == Kind::unknown) {
        HostValue neither;
        neither.wild = (a.wild || b.wild) && (op == "+" || op == "-");  // an array of nothing
        return neither;
    }
    if (op == "&&") return HostValue::of(std::int64_t{a.truth() && b.truth()});
    if (op == "||") return HostValue::of(std::int64_t{a.truth() || b.truth()});
    if (a.kind == Kind::pointer && b.kind == Kind::whole && (op == "+" || op == "-")) {
        HostValue moved = a;
        const std::uint64_t unit = a.cell.known() ? std::uint64_t(a.cell.bytes()) : 1;
        moved.offset = std::int64_t(std::uint64_t(a.offset) +
                                    (op == "+" ? std::uint64_t(b.whole) : 0 - std::uint64_t(b.whole)) * unit);
        return moved;
    }
    if (a.kind == Kind::pointer && b.kind == Kind::pointer && op == "-" && a.memory == b.memory && a.cell.bytes() > 0)
        return HostValue::of((a.offset - b.offset) / a.cell.bytes(), trace::Element::s64);
    if (a.kind == Kind::pointer || b.kind == Kind::pointer) {
        const bool same = a.memory == b.memory && (!a.memory || a.offset == b.offset);
        if (op == "==") return HostValue::of(std::int64_t{same});
        if (op == "!=") return HostValue::of(std::int64_t{!same});
        return {};
    }
    if (!a.is_number() || !b.is_number()) return {};
    const auto result = arithmetic(op, a, b);
    if (result && result->overflows && idle_ == 0)
        note(fmt::format("{} overflows here and is taken to become {}",
                         result->value.type == trace::Element::s32 ? "an int" : "a long", result->value.whole));
    if (result) return result->value;
    const bool divides = a.kind == Kind::whole && b.kind == Kind::whole && (op == "/" || op == "%");
    if (divides && idle_ == 0) refuse("a division by zero");
    return {};
}

HostInterpreter::Operand HostInterpreter::unary() {
    if (depth_ > 200) refuse("the expression is nested too deep");
    const Nested nested(depth_);
    if (at_ >= end_) refuse("the expression ends too early");
    if ((token().kind != TokenKind::punctuation && !next_is("sizeof")) || next_is("[")) return postfix(primary());
    if (take("-")) {
        const HostValue value = unary().value;
        return {.value = value.kind == HostValue::Kind::real ? HostValue::of(-value.real, value.type)
                                                             : apply("-", HostValue::of(std::int64_t{0}), value)};
    }
    if (take("+")) {
        const HostValue value = unary().value;
        return {.value = value.is_number() ? in_type(value, common_type(value.type, value.type)) : value};
    }
    if (take("!")) {
        const HostValue value = unary().value;
        return {.value = value.kind == HostValue::Kind::unknown ? value : HostValue::of(std::int64_t{!value.truth()})};
    }
    if (take("~")) return {.value = apply("^", unary().value, HostValue::of(std::int64_t{-1}))};
    for (const std::string_view op : {"++", "--"}) {
        if (!take(op)) continue;
        const Operand target = unary();
        return assigned(target, apply(op.substr(0, 1), target.value, HostValue::of(std::int64_t{1})));
    }
    if (take("*")) return dereference(unary().value);
    if (take("&")) {
        ++addressing_;
        Operand operand = unary();
        --addressing_;
        if (operand.variable != nullptr && idle_ == 0 && operand.axis < 0)
            operand = housed(*operand.variable, (*code_)[at_ - 1].text);
        if (!operand.memory) return {};  // the address of something else: only what is handed it knows
        return {.value = HostValue::to(operand.memory, operand.offset, operand.cell)};
    }
    if (take("sizeof")) {
        return {.value = HostValue::of(size_of(), trace::Element::u64)};
    }
    if (next_is("(")) {  // a cast, or an expression in brackets
        std::size_t inner = at_ + 1;
        const std::size_t past = compile::past_bracket(*code_, at_, end_);
        if (auto type = type_at(inner, past - 1)) {
            while (inner < past - 1 && (is(inner, "*") || is(inner, "const") || is(inner, "&"))) {
                if (is(inner, "*")) type->point();
                ++inner;
            }
            if (inner == past - 1) {
                at_ = past;
                return {.value = converted(unary().value, *type)};
            }
        }
    }
    return postfix(primary());
}

HostInterpreter::Operand HostInterpreter::postfix(Operand operand) {
    while (at_ < end_) {
        if (next_is("[")) {
            const std::size_t past = compile::past_bracket(*code_, at_, end_);
            const HostValue index = evaluate({at_ + 1, past - 1});
            at_ = past;
            HostValue base = operand.value;
            operand = dereference(apply("+", base, index));
            continue;
        }
        if (next_is("++") || next_is("--")) {
            const HostValue value = apply(token().text.substr(0, 1), operand.value, HostValue::of(std::int64_t{1}));
            ++at_;
            if (idle_ == 0) assign(operand, value);
            operand = {.value = operand.value};
            continue;
        }
        if (next_is(".") || next_is("->")) {
            if (at_ + 1 >= end_) refuse("a member's name is expected");
            const bool arrow = next_is("->");
            const std::string name((*code_)[at_ + 1].text);
            at_ += 2;
            if (operand.value.kind == HostValue::Kind::extent) {
                const int axis = name == "x" ? 0 : name == "y" ? 1 : 2;
                const trace::Dim3& extent = operand.value.extent;
                const std::uint32_t value = axis == 0 ? extent.x : axis == 1 ? extent.y : extent.z;
                operand = {.value = HostValue::of(std::int64_t{value}, trace::Element::u32),
                           .variable = operand.variable,
                           .cell = trace::Element::u32,
                           .axis = axis};
                continue;
            }
            const bool call = next_is("(");
            Range arguments;
            if (call) {
                const std::size_t past = compile::past_bracket(*code_, at_, end_);
                arguments = {at_ + 1, past - 1};
                at_ = past;
            }
            if (arrow) operand = dereference(operand.value);
            const HostCell& cell = operand.value.kind == HostValue::Kind::structure ? operand.value.cell : operand.cell;
            if (cell.is_structure() && call) {
                if (idle_ > 0) return {};
                std::vector<Operand> values;
                if (!arguments.empty()) {
                    for (const Range& part : by_commas(arguments)) values.push_back(operand_of(part));
                }
                const Function* function = function_of(methods_, cell.structure->type + "::" + name, values.size());
                if (function == nullptr || !operand.value.memory)
                    refuse(fmt::format("{} has no function {} that the host can call", cell.structure->type, name));
                const Place self{*operand.value.memory, operand.value.offset, cell.structure};
                operand = {.value = function_call(*function, values, self)};
            } else if (cell.is_structure()) {
                operand = member(operand, name);
            } else if (call) {
                std::vector<Range> parts;
                if (!arguments.empty()) parts = by_commas(arguments);
                operand = {.value = vector_call(operand, name, parts)};
                if (name == "front" || name == "back" || name == "at") operand = dereference(operand.value);
            } else {
                operand = {};
            }
            continue;
        }
        break;
    }
    return operand;
}

HostInterpreter::Operand HostInterpreter::primary() {
    const compile::Token& first = token();
    if (next_is("[")) return {.value = lambda()};
    if (take("(")) {
        const std::size_t past = compile::past_bracket(*code_, at_ - 1, end_);
        const std::size_t end = end_;
        end_ = past - 1;
        Operand inner = assignment();
        while (take(",")) inner = assignment();
        if (at_ != end_) refuse(fmt::format("'{}' is not understood here", token().text));
        end_ = end;
        at_ = past;
        return inner;
    }
    if (first.kind == TokenKind::number) {
        ++at_;
        const auto known = literals_.try_emplace(first.text.data());
        if (known.second) known.first->second = literal_of(first.text);
        return {.value = known.first->second};
    }
    if (first.kind == TokenKind::string) {
        ++at_;
        return {};
    }
    if (first.kind == TokenKind::character) {
        ++at_;
        return {.value = character_of(first.text)};
    }
    if (first.kind != TokenKind::identifier) refuse(fmt::format("'{}' is not understood here", first.text));
    const bool plain = at_ + 1 >= end_ || !(is(at_ + 1, "(") || is(at_ + 1, "::") || is(at_ + 1, "<"));
    if (HostVariable* const variable = plain ? find(first.text) : nullptr; variable != nullptr) {
        ++at_;
        return of_variable(*variable);
    }
    if (take("true")) return {.value = HostValue::of(std::int64_t{1})};
    if (take("false")) return {.value = HostValue::of(std::int64_t{0})};
    if (take("NULL") || take("nullptr")) return {.value = {.kind = HostValue::Kind::pointer}};
    if (take("new")) {
        auto type = type_at(at_, end_);
        while (type && take("*")) type->point();
        const HostCell cell = type ? type->own() : HostCell();
        if (!cell.known() || !next_is("[")) refuse("this kind of new is not understood");
        const std::size_t past = compile::past_bracket(*code_, at_, end_);
        const HostValue count = evaluate({at_ + 1, past - 1});
        at_ = past;
        if (next_is("(") || next_is("{")) at_ = compile::past_bracket(*code_, at_, end_);
        if (count.kind != HostValue::Kind::whole || count.whole < 0 || count.whole > (std::int64_t{1} << 28))
            refuse("the size of this array is not known");
        const std::int64_t bytes = count.whole * cell.bytes();
        const std::uint32_t memory = make_memory("new", idle_ > 0 ? 0 : bytes, false, cell);
        memories_[memory].allocated = true;
        return {.value = HostValue::to(memory, 0, cell)};
    }
    std::string name(first.text);
    ++at_;
    while (next_is("::") && at_ + 1 < end_) {
        name = (*code_)[at_ + 1].text;
        at_ += 2;
    }
    if ((name == "static_cast" || name == "reinterpret_cast" || name == "const_cast" || name == "numeric_limits") &&
        next_is("<")) {
        std::size_t inner = at_ + 1;
        at_ = compile::past_angle(*code_, at_, end_);
        auto type = type_at(inner, at_ - 1);
        for (; inner < at_ - 1; ++inner) {
            if (is(inner, "*") && type) type->point();
        }
        expect("(");
        const std::size_t past = compile::past_bracket(*code_, at_ - 1, end_);
        const HostValue value = evaluate({at_, past - 1});
        at_ = past;
        return {.value = type ? converted(value, *type) : value};
    }
    if ((name == "make_unique" || name == "make_shared") && next_is("<")) return {.value = make_owned()};
    if (name == "vector" && next_is("<")) {  // std::vector<float>(n)
        std::size_t open = at_ - 1;
        const auto type = type_at(open, end_);
        if (!type || !(is(open, "(") || is(open, "{"))) refuse("this vector is not understood");
        at_ = compile::past_bracket(*code_, open, end_);
        HostVariable made{.type = *type, .value = {}, .home = {}};
        if (idle_ == 0) declare_vector(made, "vector", {open - 1, at_});
        return {.value = made.value};
    }
    if (next_is("<") && (functions_.contains(name) || name == "max" || name == "min")) {
        const std::size_t open = at_;
        at_ = compile::past_angle(*code_, at_, end_);
        explicitly_ = compile::split_commas(*code_, {open + 1, at_ - 1}, true);
    }
    // Matrix(w, h), make_float2(1, 2), Point{1, 2}
    const bool braced = next_is("{");
    if (next_is("(") || braced) {
        const std::size_t past = compile::past_bracket(*code_, at_, end_);
        const Range arguments{at_ + 1, past - 1};
        const std::string type = name.starts_with("make_") ? name.substr(5) : name;
        const bool own = functions_.contains(name);
        const Structure* structure = own || find(name) != nullptr || type == "uint3" ? nullptr : structure_named(type);
        if (structure != nullptr && idle_ == 0) {
            at_ = past;
            HostCell cell;
            cell.structure = structure;
            const std::uint32_t memory = make_memory(type, cell.bytes(), false, cell);
            if (methods_.contains(type + "::" + type)) {
                std::vector<Operand> values;
                for (const Range& part : by_commas(arguments))
                    if (!part.empty()) values.push_back(operand_of(part));
                construct({memory, 0, structure}, values);
            } else {
                initialise(memory, 0, cell, arguments);
            }
            return at(memory, 0, cell);
        }
        if (!braced) {
            at_ = past;
            return called(name, arguments);
        }
    }
    if (HostVariable* variable = find(name); variable != nullptr) return of_variable(*variable);
    if (self_) {
        HostValue value = HostValue::to(self_->memory, self_->offset, {});
        value.cell.structure = self_->structure;
        if (name == "this") return {.value = value};
        value.kind = HostValue::Kind::structure;
        if (Operand own = member({.value = value}, name); own.cell.known()) return own;
    }
    if (name == "stdout" || name == "stderr" || name == "cudaSuccess") return {.value = HostValue::of(std::int64_t{0})};
    if (const auto constant = constants_.numbers.find(name); constant != constants_.numbers.end()) {
        const compile::Number& number = constant->second;
        return {.value = number.floating ? HostValue::of(number.real) : HostValue::of(number.whole)};
    }
    if (name == "RAND_MAX") return {.value = HostValue::of(HostRandom::most)};
    if (name == "INT_MAX") return {.value = HostValue::of(std::int64_t{2147483647})};
    if (name == "INT_MIN") return {.value = HostValue::of(std::int64_t{-2147483648LL})};
    return {};  // something that is passed over; whoever needs its value says so
}

/// `std::make_unique<int[]>(n)`, `std::make_unique<int>(3)`, from the angle on; of anything else the value is not known.
HostValue HostInterpreter::make_owned() {
    std::size_t inner = at_ + 1;
    at_ = compile::past_angle(*code_, at_, end_);
    auto type = type_at(inner, at_ - 1);
    for (; type && is(inner, "*") && inner < at_ - 1; ++inner) type->point();
    const bool array = is(inner, "[");
    expect("(");
    const std::size_t past = compile::past_bracket(*code_, at_ - 1, end_);
    const HostValue given = evaluate({at_, past - 1});
    at_ = past;
    const HostCell cell = type ? type->own() : HostCell();
    if (!(cell.is_number() || (array && cell.known())) || idle_ > 0) return {};
    if (array && (given.kind != HostValue::Kind::whole || given.whole < 0 || given.whole > (std::int64_t{1} << 28)))
        refuse("the size of this array is not known");
    const std::uint32_t memory = make_memory("new", (array ? given.whole : 1) * cell.bytes(), false, cell);
    memories_[memory].allocated = true;
    if (!array && given.is_number()) store(memory, 0, cell, given);
    return HostValue::to(memory, 0, cell);
}

}  // namespace lanescope::session
