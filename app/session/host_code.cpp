// Statements of host code: conditions, loops, launches.
#include "session/host_code.h"

#include "session/host_interpreter.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

using compile::Declaration;
using compile::TokenKind;

namespace {

constexpr std::uint64_t most_work = 5'000'000;  // assignments and statements: a second
constexpr std::size_t most_launches = 1000;
constexpr unsigned most_nested = 400;  // statements in one another

}  // namespace

HostInterpreter::HostInterpreter(const std::string& source, const DeviceContents& contents) : contents_(contents) {
    const std::vector<compile::Token> tokens = compile::tokenize(source);
    const compile::Macros macros = compile::macros_of(tokens);
    whole_ = compile::code_of(tokens, compile::Branch::first);
    const std::vector<Declaration> declarations = compile::declarations_of(whole_, macros);
    constants_ = compile::constants_of(whole_, declarations, macros);
    for (const auto& [name, macro] : macros) {
        const std::string type = macro.function ? "" : compile::spelling(macro.body, {0, macro.body.size()});
        if (element_of(type)) aliases_.emplace(name, type);
    }
    for (const Declaration& declaration : declarations) {
        const std::size_t first = declaration.first, last = declaration.past_last - 1;
        if (declaration.kind == Declaration::Kind::other && last >= first + 3) {
            if (whole_[first].is("typedef"))
                aliases_.emplace(whole_[last - 1].text, compile::spelling(whole_, {first + 1, last - 1}));
            if (whole_[first].is("using") && whole_[first + 2].is("="))
                aliases_.emplace(whole_[first + 1].text, compile::spelling(whole_, {first + 3, last}));
        }
        if (declaration.kind != Declaration::Kind::host || !declaration.has_body() || declaration.member) continue;
        Function function{{declaration.body_first, declaration.body_past_last},
                          compile::kernel_of(whole_, declaration)};
        if (is(function.body.first, "{")) ++function.body.first;
        if (is(function.body.past_last - 1, "}")) --function.body.past_last;
        std::string name = function.declaration.name;
        name.erase(0, name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
        functions_.emplace(std::move(name), std::move(function));
    }
    scopes_.emplace_back();
    globals(declarations);
}

/// Variables of the file, as far as they can be read; one that cannot is missed only where it is used.
void HostInterpreter::globals(const std::vector<Declaration>& declarations) {
    for (const Declaration& declaration : declarations) {
        if (declaration.kind != Declaration::Kind::other || declaration.mentions_device) continue;
        try {
            if (is_declaration(declaration.first, declaration.past_last))
                declare(declaration.first, semicolon(declaration.first, declaration.past_last));
        } catch (const Unreadable&) {
            continue;
        }
    }
}

void HostInterpreter::call(const HostCall& call) {
    const auto function = functions_.find(call.function);
    if (function == functions_.end()) throw Unreadable{0, fmt::format("there is no host function {}", call.function)};
    std::vector<HostValue> values;
    for (const auto& argument : call.arguments) {
        if (const auto* buffer = std::get_if<HostBuffer>(&argument)) {
            const auto memory = make_memory(buffer->name, std::int64_t(buffer->initial.size()), true, buffer->element);
            memories_[memory].bytes = buffer->initial;
            run_.buffers.back().initial = buffer->initial;
            values.push_back({.kind = HostValue::Kind::pointer, .memory = memory, .element = buffer->element});
        } else {
            const auto& number = std::get<HostArgument>(argument);
            values.push_back(number.floating ? HostValue::of(number.real) : HostValue::of(number.whole));
        }
    }
    function_call(function->second, values);
}

void HostInterpreter::spend() {
    if (++spent_ > most_work) refuse("host code takes too long to follow");
}

HostVariable* HostInterpreter::find(std::string_view name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
}

// --- Statements ----------------------------------------------------------------------------------------------------

std::size_t HostInterpreter::semicolon(std::size_t at, std::size_t end) const {
    while (at < end && !is(at, ";")) {
        const bool bracket = is(at, "(") || is(at, "[") || is(at, "{");
        at = bracket ? compile::past_bracket(*code_, at, end) : at + 1;
    }
    return std::min(at, end);
}

std::size_t HostInterpreter::past_statement(std::size_t at, std::size_t end, unsigned depth) const {
    if (at >= end) return end;
    if (depth > most_nested) refuse("the statements are nested too deep");
    if (is(at, "{")) return compile::past_bracket(*code_, at, end);
    if (is(at, "if") || is(at, "for") || is(at, "while") || is(at, "switch")) {
        const std::size_t open = is(at + 1, "constexpr") ? at + 2 : at + 1;
        std::size_t past = past_statement(compile::past_bracket(*code_, open, end), end, depth + 1);
        if (is(at, "if") && past < end && is(past, "else")) past = past_statement(past + 1, end, depth + 1);
        return past;
    }
    if (is(at, "do")) return std::min(semicolon(past_statement(at + 1, end, depth + 1), end) + 1, end);
    return std::min(semicolon(at, end) + 1, end);
}

/// Is there anything left that a launch may come from? Behind the last one, results are printed and checked.
bool HostInterpreter::launches_later(std::size_t at) const {
    const auto in = [&](Range range) {
        for (std::size_t i = range.first; i < range.past_last; ++i) {
            if ((*code_)[i].kind == TokenKind::launch) return true;
        }
        return false;
    };
    for (const auto& [name, function] : functions_) {
        const bool around = function.body.first <= at && at < function.body.past_last;
        if (around && in({at, function.body.past_last})) return true;
        if (!around && in(function.body)) return true;  // it may be called
    }
    return false;
}

void HostInterpreter::statements(Range range) {
    scopes_.emplace_back();
    for (std::size_t at = range.first; at < range.past_last && flow_ == Flow::on;) at = statement(at, range.past_last);
    scopes_.pop_back();
}

std::size_t HostInterpreter::statement(std::size_t at, std::size_t end) {
    at_ = at;
    spend();
    if (at >= end) return end;
    if (nested_ > most_nested) refuse("the statements are nested too deep");
    const Nested nested(nested_);
    if (is(at, ";")) return at + 1;
    const std::size_t past = past_statement(at, end);
    if (is(at, "{")) {
        statements({at + 1, past - 1});
        return past;
    }
    if (is(at, "if")) {
        const std::size_t open = is(at + 1, "constexpr") ? at + 2 : at + 1;
        const std::size_t close = compile::past_bracket(*code_, open, end);
        const std::size_t yes_end = past_statement(close, end);
        const Range branches{close, past};
        const bool launches = std::any_of(code_->begin() + std::ptrdiff_t(branches.first),
                                          code_->begin() + std::ptrdiff_t(branches.past_last),
                                          [](const compile::Token& t) { return t.kind == TokenKind::launch; });
        const HostValue condition = evaluate({open + 1, close - 1});
        at_ = at;
        if (condition.kind == HostValue::Kind::unknown) {
            // An error check is passed over: as if all went well.
            if (launches) refuse("this condition is not known, and launches depend on it");
            return past;
        }
        if (condition.truth()) {
            statement(close, yes_end);
        } else if (yes_end < past) {
            statement(yes_end + 1, past);
        }
        return past;
    }
    if (is(at, "while")) {
        const std::size_t close = compile::past_bracket(*code_, at + 1, end);
        loop(at, {at + 2, close - 1}, {at, at}, {close, past}, false);
        return past;
    }
    if (is(at, "do")) {
        const std::size_t body_end = past_statement(at + 1, end);
        const std::size_t close = compile::past_bracket(*code_, body_end + 1, end);
        loop(at, {body_end + 2, close - 1}, {at, at}, {at + 1, body_end}, true);
        return past;
    }
    if (is(at, "for")) return for_loop(at, end);
    if (is(at, "switch")) return switch_over(at, end);
    if (is(at, "return")) {
        const std::size_t stop = semicolon(at, end);
        if (stop > at + 1) returned_ = evaluate({at + 1, stop});
        flow_ = Flow::returned;
        return past;
    }
    if (is(at, "break") || is(at, "continue")) {
        flow_ = is(at, "break") ? Flow::broken : Flow::continued;
        return past;
    }
    if (is(at, "using") || is(at, "typedef") || is(at, "delete")) return past;
    const std::size_t stop = semicolon(at, end);
    for (std::size_t i = at; i < stop; ++i) {
        if ((*code_)[i].kind != TokenKind::launch) continue;
        launch(at, i, stop);
        return past;
    }
    const bool prints = is(at, "std") ? is(at + 2, "cout") || is(at + 2, "cerr") : is(at, "cout") || is(at, "cerr");
    if (prints) return past;
    if (is_declaration(at, stop)) {
        declare(at, stop);
    } else {
        evaluate({at, stop});
    }
    return past;
}

void HostInterpreter::loop(std::size_t at, Range condition, Range step, Range body, bool body_first) {
    for (bool first = true;; first = false) {
        at_ = at;
        spend();
        if (!first || !body_first) {
            const HostValue go = condition.empty() ? HostValue::of(std::int64_t{1}) : evaluate(condition);
            if (go.kind == HostValue::Kind::unknown) refuse("the condition of this loop is not known");
            if (!go.truth()) return;
        }
        statement(body.first, body.past_last);
        if (flow_ == Flow::returned) return;
        const bool broken = flow_ == Flow::broken;
        flow_ = Flow::on;
        if (broken) return;
        if (!step.empty()) evaluate(step);
    }
}

std::size_t HostInterpreter::for_loop(std::size_t at, std::size_t end) {
    const std::size_t close = compile::past_bracket(*code_, at + 1, end);
    const std::size_t past = past_statement(at, end);
    const std::size_t first = semicolon(at + 2, close - 1);
    if (first >= close - 1) refuse("a loop over a range is not understood");
    const std::size_t second = semicolon(first + 1, close - 1);
    scopes_.emplace_back();
    if (is_declaration(at + 2, first)) {
        declare(at + 2, first);
    } else if (first > at + 2) {
        evaluate({at + 2, first});
    }
    loop(at, {first + 1, second}, {second + 1, close - 1}, {close, past}, false);
    scopes_.pop_back();
    return past;
}

/// `kernel<T, 128><<<grid, block, shared, stream>>>(a, b);`
/// Behind `case 512:`, `default:`; `at` itself where no label is.
std::size_t HostInterpreter::past_label(std::size_t at, std::size_t end) const {
    if (!is(at, "case") && !(is(at, "default") && is(at + 1, ":"))) return at;
    while (at < end && !is(at, ":")) at = is(at, "(") ? compile::past_bracket(*code_, at, end) : at + 1;
    return std::min(at + 1, end);
}

std::size_t HostInterpreter::switch_over(std::size_t at, std::size_t end) {
    const std::size_t close = compile::past_bracket(*code_, at + 1, end);
    const std::size_t past = past_statement(at, end);
    const HostValue value = evaluate({at + 2, close - 1});
    at_ = at;
    if (!value.is_number() || !is(close, "{")) refuse("what this switch is over is not known");
    const Range body{close + 1, past - 1};
    std::optional<std::size_t> chosen, otherwise;
    for (std::size_t i = body.first; i < body.past_last && !chosen;) {
        const std::size_t behind = past_label(i, body.past_last);
        if (behind == i) {
            i = past_statement(i, body.past_last);
            continue;
        }
        if (is(i, "default")) {
            otherwise = behind;
        } else if (const HostValue label = evaluate({i + 1, behind - 1}); label.is_number()) {
            if (label.number() == value.number()) chosen = behind;
        } else {
            refuse("this label is not known");
        }
        i = behind;
    }
    if (!chosen) chosen = otherwise.value_or(body.past_last);
    scopes_.emplace_back();
    for (std::size_t i = *chosen; i < body.past_last && flow_ == Flow::on;) {
        const std::size_t behind = past_label(i, body.past_last);
        i = behind != i ? behind : statement(i, body.past_last);
    }
    scopes_.pop_back();
    if (flow_ == Flow::broken) flow_ = Flow::on;
    return past;
}

void HostInterpreter::launch(std::size_t at, std::size_t open, std::size_t end) {
    HostLaunch launch;
    launch.line = (*code_)[open].line;
    std::size_t last = open;
    if (is(open - 1, ">")) {
        std::size_t angle = at;
        while (angle < open && !is(angle, "<")) ++angle;
        for (const Range& part : compile::split_commas(*code_, {angle + 1, open - 1}, true)) {
            std::size_t inner = part.first;
            const bool type = type_at(inner, part.past_last).has_value() && inner == part.past_last;
            const HostValue value = type ? HostValue{} : evaluate(part);
            launch.template_arguments.push_back(
                value.kind == HostValue::Kind::whole ? std::to_string(value.whole) : compile::as_written(*code_, part));
        }
        last = angle;
    }
    for (std::size_t i = at; i < last; ++i) launch.kernel += (*code_)[i].text;
    std::size_t close = open + 1;
    while (close < end && !(is(close, ">") && is(close + 1, ">") && is(close + 2, ">"))) {
        const bool bracket = is(close, "(") || is(close, "[") || is(close, "{");
        close = bracket ? compile::past_bracket(*code_, close, end) : close + 1;
    }
    const std::vector<Range> parts = compile::split_commas(*code_, {open + 1, close}, false);
    if (parts.size() < 2 || !is(close + 3, "(")) refuse("this launch is not understood");
    const auto extent = [&](const Range& part) {
        const HostValue value = converted(evaluate(part), {HostType::Kind::extent, {}});
        at_ = open;
        if (value.kind != HostValue::Kind::extent) refuse("the size of this launch is not known");
        if (value.extent.count() == 0) refuse("this launch has no blocks or no threads");
        return value.extent;
    };
    launch.grid = extent(parts[0]);
    launch.block = extent(parts[1]);
    if (parts.size() > 2) {
        const HostValue shared = evaluate(parts[2]);
        at_ = open;
        if (!shared.is_number() || shared.number() < 0) refuse("the shared memory of this launch is not known");
        launch.shared_bytes = std::uint64_t(whole_of(shared));
    }
    const std::size_t past = compile::past_bracket(*code_, close + 3, end);
    for (const Range& part : compile::split_commas(*code_, {close + 4, past - 1}, false)) {
        if (part.empty()) continue;
        const HostValue value = evaluate(part);
        at_ = part.first;
        HostArgument& argument = launch.arguments.emplace_back();
        if (value.kind == HostValue::Kind::pointer) {
            argument.null = !value.memory;
            if (!value.memory) continue;
            const HostMemory& memory = memories_[*value.memory];
            if (!memory.device) refuse(fmt::format("{} is the host's memory", memory.name));
            if (value.offset != 0) refuse("a pointer into the middle of a buffer is not understood yet");
            argument.buffer = memory.buffer;
            HostBuffer& buffer = run_.buffers[*memory.buffer];
            if (!buffer.element) buffer.element = value.element;
        } else if (value.is_number()) {
            argument.floating = value.kind == HostValue::Kind::real;
            argument.whole = value.whole;
            argument.real = value.real;
        } else {
            refuse(fmt::format("what is passed as {} is not known", compile::as_written(*code_, part)));
        }
    }
    if (run_.launches.size() >= most_launches) refuse(fmt::format("there are more than {} launches", most_launches));
    launch.writes = std::move(writes_);
    writes_.clear();
    run_.launches.push_back(std::move(launch));
    stale_ = true;
    // Of what follows the last launch nothing is needed.
    if (code_ == &whole_ && calls_ == 1 && scopes_.size() == 3 && !launches_later(end)) flow_ = Flow::returned;
}

Result<HostRun> run_host_code(const std::string& source, const std::string& name, const HostCall& call,
                              const DeviceContents& contents) {
    try {
        HostInterpreter interpreter(source, contents);
        interpreter.call(call);
        return interpreter.result();
    } catch (const Unreadable& unreadable) {
        return fail(unreadable.what, {name, unreadable.line, 0},
                    "host code is read as far as numbers, pointers, loops, copies and launches go");
    }
}

}  // namespace lanescope::session
