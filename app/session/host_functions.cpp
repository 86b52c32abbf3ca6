// The file's own functions and lambdas: their parameters, template parameters and bodies.
#include "session/host_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::session {

namespace {

constexpr unsigned most_calls = 60;

}  // namespace

HostInterpreter::ParameterType HostInterpreter::type_of_parameter(const std::string& spelled) {
    ParameterType result;
    const Code type_code = compile::code_of(compile::tokenize(spelled), compile::Branch::first);
    const Code* outside = code_;
    code_ = &type_code;
    std::size_t at = 0;
    if (const auto type = type_at(at, type_code.size())) result.type = *type;
    for (; at < type_code.size(); ++at) {
        if (type_code[at].is("*")) result.type.point();
        result.refers = result.refers || type_code[at].is("&");
    }
    code_ = outside;
    return result;
}

/// A parameter with what it is given; null: nothing.
void HostInterpreter::bind(Scope& scope, const compile::Parameter& parameter, const Operand* given) {
    HostVariable variable;
    const auto [type, refers] = type_of_parameter(parameter.type);
    variable.type = type;
    if (given != nullptr && given->variable != nullptr && refers &&
        given->variable->type.kind == HostType::Kind::opaque)
        given->variable->type.cell.extents.clear();  // there may be more of them afterwards
    if (given != nullptr) {
        const bool known = variable.type.kind != HostType::Kind::opaque;
        if (refers && given->memory && known) {
            variable.home = given->memory;
            variable.home_offset = given->offset;
            if (variable.type.kind == HostType::Kind::automatic) {
                const HostCell& cell = given->cell;
                variable.type = {cell.is_structure() ? HostType::Kind::structure : HostType::Kind::number, cell};
                if (cell.pointers > 0) variable.type = {HostType::Kind::pointer, cell.item()};
            }
        } else if (variable.type.kind == HostType::Kind::structure) {
            variable.home = make_memory(parameter.name, variable.type.cell.bytes(), false, variable.type.cell);
            if (given->value.kind == HostValue::Kind::structure)
                store(*variable.home, 0, variable.type.cell, given->value);
        } else {
            variable.value = converted(given->value, variable.type);
        }
    }
    scope.insert_or_assign(parameter.name, std::move(variable));
}

/// What the template parameters of a function stand for: given in angles, else told by what it is passed.
void HostInterpreter::bind_templates(const Function& function, const std::vector<Operand>& arguments,
                                     const std::vector<Range>& explicitly) {
    const auto& parameters = function.declaration.parameters;
    for (std::size_t i = 0; i < function.declaration.template_parameters.size(); ++i) {
        const std::string& own = function.declaration.template_parameters[i];
        const bool is_type = own.starts_with("typename ") || own.starts_with("class ");
        const std::string name = own.substr(own.rfind(' ') + 1);
        if (!is_type) {
            if (i < explicitly.size())
                scopes_.back().insert_or_assign(
                    name, HostVariable{
                              .type = {HostType::Kind::automatic, {}}, .value = evaluate(explicitly[i]), .home = {}});
            continue;
        }
        std::optional<HostType> type;
        if (i < explicitly.size()) {
            std::size_t at = explicitly[i].first;
            type = type_at(at, explicitly[i].past_last);
        }
        for (std::size_t k = 0; k < std::min(parameters.size(), arguments.size()) && !type; ++k) {
            const std::vector<compile::Token> spelled =
                compile::code_of(compile::tokenize(parameters[k].type), compile::Branch::first);
            if (std::ranges::none_of(spelled, [&](const compile::Token& token) { return token.is(name); })) continue;
            const HostValue& value = arguments[k].value;
            if (value.is_number()) type = HostType{HostType::Kind::number, value.type};
            if (value.kind == HostValue::Kind::pointer && value.cell.is_number())
                type = HostType{HostType::Kind::number, value.cell};
            if (value.kind == HostValue::Kind::pointer && value.cell.is_structure())
                type = HostType{HostType::Kind::structure, value.cell};
        }
        if (!type) continue;
        template_types_.insert_or_assign(name, *type);
        types_.erase(name);
    }
}

HostValue HostInterpreter::function_call(const Function& function, const std::vector<Operand>& arguments,
                                         const std::optional<Place>& self) {
    if (++calls_ > most_calls) refuse("the host's calls are nested too deep");
    const std::vector<Range> explicitly = std::exchange(explicitly_, {});
    const auto outer_templates = template_types_;
    std::vector<Scope> outer;
    outer.swap(scopes_);
    scopes_.push_back(std::move(outer.front()));
    scopes_.emplace_back();
    if (!function.declaration.template_parameters.empty()) bind_templates(function, arguments, explicitly);
    const auto& parameters = function.declaration.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        bind(scopes_.back(), parameters[i], i < arguments.size() ? &arguments[i] : nullptr);
    const std::size_t at = at_, end = end_;
    const Flow flow = flow_;
    const std::optional<Place> outer_self = self_;
    self_ = self;
    flow_ = Flow::on;
    returned_ = {};
    if (!function.initialisers.empty() && self) {
        for (const Range& part : by_commas(function.initialisers)) {  // width(w), data{nullptr}
            const auto field = std::ranges::find(self->structure->fields, std::string((*code_)[part.first].text),
                                                 &Structure::Field::name);
            if (field == self->structure->fields.end() || part.past_last < part.first + 4) continue;
            const HostValue value = evaluate({part.first + 2, part.past_last - 1});
            if (value.kind != HostValue::Kind::unknown)
                store(self->memory, self->offset + std::int64_t(field->offset), cell_of(*field), value);
        }
    }
    statements(function.body);
    flow_ = flow;
    self_ = outer_self;
    at_ = at;
    end_ = end;
    outer.front() = std::move(scopes_.front());
    scopes_.swap(outer);
    for (const auto& [name, type] : template_types_) types_.erase(name);
    template_types_ = outer_templates;
    for (const auto& [name, type] : template_types_) types_.erase(name);
    --calls_;
    return returned_;
}

/// `[&](int n) { return n / 2; }`, from its bracket on. What it names is looked up where it is called: in the function it
/// stands in, that is the same.
HostValue HostInterpreter::lambda() {
    Lambda made;
    at_ = compile::past_bracket(*code_, at_, end_);
    if (next_is("(")) {
        const std::size_t past = compile::past_bracket(*code_, at_, end_);
        for (const Range& part : compile::split_commas(*code_, {at_ + 1, past - 1}, true)) {
            if (part.empty()) continue;
            const Range type{part.first, part.past_last - 1};
            made.parameters.push_back(
                {.type = compile::spelling(*code_, type), .name = std::string((*code_)[part.past_last - 1].text)});
        }
        at_ = past;
    }
    while (at_ < end_ && !next_is("{")) ++at_;  // mutable, -> int
    if (at_ >= end_) refuse("'[' is not understood here");
    const std::size_t past = compile::past_bracket(*code_, at_, end_);
    made.body = {at_ + 1, past - 1};
    at_ = past;
    HostValue value;
    value.kind = HostValue::Kind::lambda;
    value.offset = std::int64_t(lambdas_.size());
    if (idle_ == 0) lambdas_.push_back(std::move(made));
    return value;
}

HostValue HostInterpreter::lambda_call(const HostValue& called, const std::vector<Operand>& arguments) {
    if (std::size_t(called.offset) >= lambdas_.size()) return {};
    if (++calls_ > most_calls) refuse("the host's calls are nested too deep");
    const Lambda lambda = lambdas_[std::size_t(called.offset)];
    scopes_.emplace_back();
    for (std::size_t i = 0; i < lambda.parameters.size(); ++i)
        bind(scopes_.back(), lambda.parameters[i], i < arguments.size() ? &arguments[i] : nullptr);
    const std::size_t at = at_, end = end_;
    const Flow flow = flow_;
    flow_ = Flow::on;
    returned_ = {};
    statements(lambda.body);
    flow_ = flow;
    at_ = at;
    end_ = end;
    scopes_.pop_back();
    --calls_;
    return returned_;
}

}  // namespace lanescope::session
