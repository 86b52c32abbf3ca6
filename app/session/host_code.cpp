// Statements of host code: conditions, loops, launches.
#include "session/host_code.h"

#include "session/host_interpreter.h"

#include "compile/expand.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

using compile::Declaration;
using compile::TokenKind;

namespace {

constexpr unsigned most_nested = 400;  // statements in one another
constexpr std::uint64_t first_host_address = 0x1000'0000'0000;

}  // namespace

HostInterpreter::HostInterpreter(const std::string& source, const DeviceContents& contents, std::uint64_t most_work)
    : contents_(contents), most_work_(most_work), next_host_address_(first_host_address) {
    const std::vector<compile::Token> tokens = compile::tokenize(source);
    const compile::Macros macros = compile::macros_of(tokens);
    whole_ = compile::with_macros(compile::code_of(tokens, compile::Branch::first), macros);
    for (const auto& [name, macro] : macros) {
        const std::string_view word = name;
        const bool left = std::ranges::any_of(whole_, [&](const compile::Token& token) { return token.is(word); });
        waits_unseen_ = waits_unseen_ || (left && std::ranges::any_of(macro.body, [](const compile::Token& token) {
                                              return token.text.ends_with("Synchronize");
                                          }));
    }
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
        if (whole_[first].is("enum")) {  // enum class Kind : char { ... }
            const std::size_t named = is(first + 1, "class") || is(first + 1, "struct") ? first + 2 : first + 1;
            const bool sized = is(named + 1, ":") && declaration.body_first > named + 2;
            if (whole_[named].kind == TokenKind::identifier)
                aliases_.emplace(whole_[named].text,
                                 sized ? compile::spelling(whole_, {named + 2, declaration.body_first}) : "int");
        }
        add_function(declaration);
        if (declaration.kind == Declaration::Kind::kernel && declaration.has_body()) {
            compile::KernelDeclaration kernel = compile::kernel_of(whole_, declaration);
            const std::size_t last_colon = kernel.name.rfind(':');
            std::string own = last_colon == std::string::npos ? kernel.name : kernel.name.substr(last_colon + 1);
            kernels_.insert_or_assign(std::move(own), std::move(kernel));
        }
    }
    find_launchers();
    scopes_.emplace_back();
    globals(declarations);
}

/// Functions that the host can call, those of structures among them.
void HostInterpreter::add_function(const Declaration& declaration) {
    bool callable = declaration.kind == Declaration::Kind::host;
    if (declaration.kind == Declaration::Kind::device) {
        for (std::size_t i = declaration.first; i < declaration.body_first; ++i)
            callable = callable || is(i, "__host__") || is(i, "constexpr");
    }
    if (!callable || !declaration.has_body()) return;
    Function function{
        {declaration.body_first, declaration.body_past_last}, {}, compile::kernel_of(whole_, declaration)};
    if (is(function.body.first, "{")) ++function.body.first;
    if (is(function.body.past_last - 1, "}")) --function.body.past_last;
    std::size_t open = declaration.first;
    while (open < declaration.body_first && !is(open, "(")) ++open;
    const std::size_t colon = open < declaration.body_first
                                  ? compile::past_bracket(whole_, open, declaration.body_first)
                                  : declaration.body_first;
    if (declaration.member && is(colon, ":")) function.initialisers = {colon + 1, declaration.body_first};
    if (declaration.member && is(open - 2, "~")) return;
    const std::string name = function.declaration.name;
    const std::size_t last = name.rfind("::");
    std::string own = last == std::string::npos ? name : name.substr(last + 2);
    if (!declaration.member) {
        functions_[std::move(own)].push_back(std::move(function));
        return;
    }
    const std::string outer = last == std::string::npos ? "" : name.substr(0, last);
    const std::size_t before = outer.rfind("::");
    methods_[(before == std::string::npos ? outer : outer.substr(before + 2)) + "::" + own].push_back(
        std::move(function));
}

/// Which functions launch something, themselves or through another.
void HostInterpreter::find_launchers() {
    const auto knows = [&](std::string_view name) { return std::ranges::find(launchers_, name) != launchers_.end(); };
    for (bool more = true; more;) {
        more = false;
        for (const Functions* all : {&functions_, &methods_}) {
            for (const auto& [key, overloads] : *all) {
                const std::string name = key.substr(key.rfind(':') == std::string::npos ? 0 : key.rfind(':') + 1);
                if (knows(name)) continue;
                const bool launches = std::ranges::any_of(overloads, [&](const Function& function) {
                    for (std::size_t i = function.body.first; i < function.body.past_last; ++i) {
                        if (is_launch(whole_[i])) return true;
                        if (whole_[i].kind == TokenKind::identifier && knows(whole_[i].text)) return true;
                    }
                    return false;
                });
                if (launches) launchers_.push_back(name);
                more = more || launches;
            }
        }
    }
}

/// Variables of the file, as far as they can be read; one that cannot is missed only where it is used.
void HostInterpreter::globals(const std::vector<Declaration>& declarations) {
    for (const Declaration& declaration : declarations) {
        const bool variable = declaration.kind == Declaration::Kind::other && !declaration.member;
        if (!variable || declaration.mentions_device) continue;
        try {
            if (is_declaration(declaration.first, declaration.past_last))
                declare(declaration.first, semicolon(declaration.first, declaration.past_last));
        } catch (const Unreadable&) {
            continue;
        }
    }
}

void HostInterpreter::call(const HostCall& call) {
    const Function* function = function_of(functions_, call.function, call.arguments.size());
    if (function == nullptr) throw Unreadable{0, fmt::format("there is no host function {}", call.function)};
    std::vector<Operand> values;
    for (const auto& argument : call.arguments) {
        if (const auto* buffer = std::get_if<HostBuffer>(&argument)) {
            const auto memory = make_memory(buffer->name, std::int64_t(buffer->initial.size()), true, buffer->element);
            memories_[memory].bytes = buffer->initial;
            run_.buffers.back().initial = buffer->initial;
            values.push_back({.value = HostValue::to(memory, 0, buffer->element)});
        } else {
            const auto& number = std::get<HostArgument>(argument);
            values.push_back({.value = number.floating ? HostValue::of(number.real) : HostValue::of(number.whole)});
        }
    }
    // Without words on its command line: argc is 1.
    const bool asks = call.function == "main" && call.arguments.empty() && !function->declaration.parameters.empty();
    if (asks) values.push_back({.value = HostValue::of(std::int64_t{1})});
    try {
        function_call(*function, values);
    } catch (const Exited&) {  // what was launched until then is the run
        return;
    } catch (const Unreadable&) {
        if (!after_) throw;
    }
    // That there is no data without words on the command line is no fault: then the kernel is better shown by itself.
    const bool nothing = std::ranges::all_of(
        run_.launches, [](const HostLaunch& each) { return each.grid.count() == 0 || each.block.count() == 0; });
    if (nothing && !run_.launches.empty())
        throw Unreadable{run_.launches.front().line, "this launch has no blocks or no threads"};
}

void HostInterpreter::spend() {
    if (++spent_ > most_work_) refuse("host code takes too long to follow", true);
}

HostVariable* HostInterpreter::find(std::string_view name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
}

// --- Statements ----------------------------------------------------------------------------------------------------

std::vector<HostInterpreter::Range> HostInterpreter::by_commas(Range range) const {
    std::vector<Range> parts;
    std::size_t first = range.first, at = first;
    while (at < range.past_last) {
        const bool bracket = is(at, "(") || is(at, "[") || is(at, "{");
        const bool angle = is(at, "<") && at > range.first &&
                           (functions_.contains((*code_)[at - 1].text) || kernels_.contains((*code_)[at - 1].text));
        if (is(at, ",")) {
            parts.push_back({first, at});
            first = at + 1;
        }
        at = bracket ? compile::past_bracket(*code_, at, range.past_last)
             : angle ? compile::past_angle(*code_, at, range.past_last)
                     : at + 1;
    }
    if (first < range.past_last || !parts.empty()) parts.push_back({first, range.past_last});
    return parts;
}

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
    if (is(at, "try") && is(at + 1, "{")) {
        std::size_t past = compile::past_bracket(*code_, at + 1, end);
        while (past < end && is(past, "catch"))
            past = past_statement(compile::past_bracket(*code_, past + 1, end), end, depth + 1);
        return past;
    }
    if (is(at, "do")) return std::min(semicolon(past_statement(at + 1, end, depth + 1), end) + 1, end);
    return std::min(semicolon(at, end) + 1, end);
}

bool HostInterpreter::is_launch(const compile::Token& token) {
    return token.kind == TokenKind::launch || token.is("cudaLaunchKernel") || token.is("cudaLaunchCooperativeKernel");
}

/// Is there anything left in main that a launch may come from? Behind the last one, results are printed and checked.
bool HostInterpreter::launches_later(std::size_t at) const {
    const auto main = functions_.find("main");
    if (main == functions_.end()) return true;
    for (std::size_t i = at; i < main->second.front().body.past_last; ++i) {
        const compile::Token& token = whole_[i];
        if (is_launch(token)) return true;
        if (token.kind == TokenKind::identifier && std::ranges::find(launchers_, token.text) != launchers_.end())
            return true;
    }
    return false;
}

void HostInterpreter::statements(Range range) {
    scopes_.emplace_back();
    const bool top = calls_ == 1 && scopes_.size() == 3;  // of main
    for (std::size_t at = range.first; at < range.past_last && flow_ == Flow::on;) {
        if (top && !after_ && !run_.launches.empty() && !launches_later(at)) read_on();
        at = statement(at, range.past_last);
    }
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
        const bool launching = std::any_of(code_->begin() + std::ptrdiff_t(branches.first),
                                           code_->begin() + std::ptrdiff_t(branches.past_last), is_launch);
        const HostValue condition = evaluate({open + 1, close - 1});
        at_ = at;
        if (condition.kind == HostValue::Kind::unknown) {
            // An error check is passed over: as if all went well.
            if (launching) refuse("this condition is not known, and launches depend on it");
            if (after_) forget_assigned(branches);
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
    if (is(at, "try") && is(at + 1, "{")) {  // as if nothing were thrown
        const std::size_t close = compile::past_bracket(*code_, at + 1, end);
        statements({at + 2, close - 1});
        return past;
    }
    if (is(at, "using") || is(at, "typedef")) {
        name_type({at, past - 1});
        return past;
    }
    if (define_structure(at, semicolon(at, end), "")) return past;
    if (is(at, "goto")) refuse("goto is not followed");
    const bool label = (*code_)[at].kind == TokenKind::identifier && is(at + 1, ":");
    if (label) return at + 2;
    if (is(at, "delete")) {
        const std::size_t named = is(at + 1, "[") ? at + 3 : at + 1;
        release("delete", Home::host, evaluate({named, semicolon(at, end)}));
        return past;
    }
    const std::size_t stop = semicolon(at, end);
    for (std::size_t i = at; i < stop; ++i) {
        if ((*code_)[i].kind != TokenKind::launch) continue;
        launch(at, i, stop);
        return past;
    }
    const bool prints = is(at, "std") ? is(at + 2, "cout") || is(at + 2, "cerr") : is(at, "cout") || is(at, "cerr");
    if (prints && !after_) return past;
    if (is_declaration(at, stop)) {
        declare(at, stop);
    } else {
        evaluate({at, stop});
    }
    return past;
}

/// `typedef int T`, `using T = int`, within a function.
void HostInterpreter::name_type(Range range) {
    const bool defines = is(range.first, "typedef") && range.past_last > range.first + 2;
    if (!defines && !is(range.first + 2, "=")) return;
    const std::string name((*code_)[defines ? range.past_last - 1 : range.first + 1].text);
    if (defines && define_structure(range.first + 1, range.past_last - 1, name)) return;
    const Range meant = defines ? Range{range.first + 1, range.past_last - 1} : Range{range.first + 3, range.past_last};
    aliases_.insert_or_assign(name, compile::spelling(*code_, meant));
    types_.erase(name);
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
    if (first >= close - 1) {
        range_loop({at + 2, close - 1}, {close, past});
        return past;
    }
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

/// `for (float& x : values)`, over an array or a vector.
void HostInterpreter::range_loop(Range head, Range body) {
    std::size_t colon = head.first;
    while (colon < head.past_last && !is(colon, ":")) ++colon;
    std::size_t at = head.first;
    auto type = type_at(at, colon);
    const bool reference = is(at, "&");
    if (reference) ++at;
    const HostVariable* const named = colon + 2 == head.past_last ? find((*code_)[colon + 1].text) : nullptr;
    if (named != nullptr && named->type.kind == HostType::Kind::opaque && !named->type.cell.extents.empty()) {
        const std::int64_t count = named->type.cell.extents.front();
        for (std::int64_t i = 0; i < count && flow_ == Flow::on; ++i) {
            spend();
            scopes_.emplace_back();
            scopes_.back().insert_or_assign(std::string((*code_)[colon - 1].text), HostVariable{});
            statement(body.first, body.past_last);
            scopes_.pop_back();
            if (flow_ == Flow::continued) flow_ = Flow::on;
        }
        if (flow_ == Flow::broken) flow_ = Flow::on;
        return;
    }
    const HostValue all = colon < head.past_last ? evaluate({colon + 1, head.past_last}) : HostValue{};
    at_ = head.first;
    const std::int64_t unit = all.cell.bytes();
    if (!type || at + 1 != colon || all.kind != HostValue::Kind::pointer || !all.memory || unit == 0 ||
        memories_[*all.memory].device)
        refuse("a loop over this range is not understood");
    if (type->kind == HostType::Kind::automatic) {
        type->cell = all.cell;
        type->kind = all.cell.is_structure() ? HostType::Kind::structure
                     : all.cell.is_number()  ? HostType::Kind::number
                                             : HostType::Kind::pointer;
        if (type->kind == HostType::Kind::pointer) type->cell = all.cell.item();
    }
    const std::string name((*code_)[at].text);
    for (std::int64_t offset = 0; offset + unit <= std::int64_t(memories_[*all.memory].bytes.size()); offset += unit) {
        spend();
        HostVariable item{.type = *type, .value = {}, .home = {}};
        if (reference || type->kind == HostType::Kind::structure) {
            item.home = all.memory;
            item.home_offset = offset;
        } else {
            item.value = converted(load(*all.memory, offset, all.cell), *type);
        }
        scopes_.emplace_back();
        scopes_.back().insert_or_assign(name, std::move(item));
        statement(body.first, body.past_last);
        scopes_.pop_back();
        if (flow_ == Flow::returned) return;
        const bool broken = flow_ == Flow::broken;
        flow_ = Flow::on;
        if (broken) return;
    }
}

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

Result<HostRun> run_host_code(const std::string& source, const std::string& name, const HostCall& call,
                              const DeviceContents& contents) {
    const auto problem = [&](const Unreadable& unreadable) {
        return Problem{.what = unreadable.what,
                       .where = {name, unreadable.line, 0},
                       .remedy = "Host code is read as far as numbers, pointers, loops, copies and launches go"};
    };
    try {
        HostInterpreter interpreter(source, contents, call.most_work);
        try {
            interpreter.call(call);
        } catch (const Unreadable& unreadable) {
            if (!unreadable.too_much || !call.cuts) throw;
            HostRun part = interpreter.result();
            part.cut = problem(unreadable);
            return part;
        }
        return interpreter.result();
    } catch (const Unreadable& unreadable) {
        return std::unexpected(problem(unreadable));
    }
}

}  // namespace lanescope::session
