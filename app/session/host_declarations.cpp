// Types and declarations of host code: what stands before a variable's name, and what the variable begins as.
#include "session/host_interpreter.h"

#include "base/number_type.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

using compile::TokenKind;

namespace {

bool is_qualifier(std::string_view text) {
    constexpr std::array<std::string_view, 6> words{"const", "static", "constexpr", "volatile", "register", "struct"};
    return std::ranges::find(words, text) != words.end();
}

}  // namespace

/// Vectors of numbers are no numbers.
std::optional<trace::Element> HostInterpreter::element_of(const std::string& type) {
    const std::optional<NumberType> numbers = number_type(type);
    return numbers && numbers->components == 1 ? trace::element_named(type) : std::nullopt;
}

std::optional<HostType> HostInterpreter::type_at(std::size_t& at, std::size_t end) const {
    std::size_t i = at;
    while (i < end && is_qualifier((*code_)[i].text)) ++i;
    if (i >= end || (*code_)[i].kind != TokenKind::identifier) return std::nullopt;
    const auto past_qualifiers = [&] {
        while (i < end && is_qualifier((*code_)[i].text)) ++i;
        at = i;
    };
    if (is_number_keyword((*code_)[i].text)) {
        const std::size_t first = i;
        while (i < end && is_number_keyword((*code_)[i].text)) ++i;
        const auto element = element_of(compile::spelling(*code_, {first, i}));
        past_qualifiers();
        return HostType{HostType::Kind::number, element.value_or(trace::Element::s32)};
    }
    if (is(i, "std") && is(i + 1, "::")) i += 2;
    if (i >= end) return std::nullopt;
    const std::string_view name = (*code_)[i].text;
    if (name == "vector" && is(i + 1, "<")) {
        std::size_t inner = i + 2;
        i = compile::past_angle(*code_, i + 1, end);
        const auto element = type_at(inner, i - 1);
        past_qualifiers();
        return HostType{HostType::Kind::vector, element ? element->element : std::nullopt};
    }
    const auto alias = aliases_.find(std::string(name));
    const auto element = element_of(alias == aliases_.end() ? std::string(name) : alias->second);
    ++i;
    if (element) {
        past_qualifiers();
        return HostType{HostType::Kind::number, element};
    }
    if (name == "dim3") {
        past_qualifiers();
        return HostType{HostType::Kind::extent, {}};
    }
    if (name == "auto") {
        past_qualifiers();
        return HostType{HostType::Kind::automatic, {}};
    }
    if (name == "void") {
        past_qualifiers();
        return HostType{HostType::Kind::opaque, {}};
    }
    return std::nullopt;
}

bool HostInterpreter::is_declaration(std::size_t at, std::size_t end) const {
    std::size_t i = at;
    if (const auto type = type_at(i, end)) {
        while (is(i, "*") || is(i, "&") || is(i, "const")) ++i;
        return i < end && (*code_)[i].kind == TokenKind::identifier;
    }
    // `cudaEvent_t start, stop;`, `std::mt19937 gen(1);`: two names in a row, which nothing else has
    while (i + 1 < end && (*code_)[i].kind == TokenKind::identifier && is(i + 1, "::")) i += 2;
    if (i + 1 < end && (*code_)[i].kind == TokenKind::identifier && is(i + 1, "<"))
        i = compile::past_angle(*code_, i + 1, end) - 1;
    while (is(i + 1, "*") || is(i + 1, "&")) ++i;
    return i + 1 < end && (*code_)[at].kind == TokenKind::identifier && (*code_)[i + 1].kind == TokenKind::identifier;
}

void HostInterpreter::declare(std::size_t at, std::size_t end) {
    const auto type = type_at(at, end);
    if (!type) return;  // a type that is passed over: its variables are not known
    for (Range part : compile::split_commas(*code_, {at, end}, false)) {
        HostType own = *type;
        while (part.first < part.past_last && (is(part.first, "*") || is(part.first, "&") || is(part.first, "const"))) {
            if (is(part.first, "*")) own.kind = HostType::Kind::pointer;
            ++part.first;
        }
        if (part.empty() || (*code_)[part.first].kind != TokenKind::identifier) continue;
        const std::string name((*code_)[part.first].text);
        std::size_t i = part.first + 1;
        HostVariable variable{.type = own, .value = {}, .home = {}};
        scopes_.back().insert_or_assign(name, variable);  // its initialiser may ask for its size
        if (is(i, "[") && i < part.past_last) {           // an array
            std::int64_t count = 1;
            bool counted = true;
            while (i < part.past_last && is(i, "[")) {
                const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
                counted = past - i > 2;
                const HostValue size = counted ? evaluate({i + 1, past - 1}) : HostValue::of(std::int64_t{1});
                if (size.kind != HostValue::Kind::whole || size.whole < 0 || size.whole > (std::int64_t{1} << 28) ||
                    count > (std::int64_t{1} << 28))
                    refuse(fmt::format("the size of {} is not known", name));
                count *= size.whole;
                i = past;
            }
            std::vector<HostValue> values;
            if (is(i, "=") && is(i + 1, "{") && i < part.past_last) {
                const std::size_t past = compile::past_bracket(*code_, i + 1, part.past_last);
                for (const Range& value : compile::split_commas(*code_, {i + 2, past - 1}, false))
                    if (!value.empty()) values.push_back(evaluate(value));
                if (!counted) count = std::int64_t(values.size());
            }
            if (!own.element) refuse(fmt::format("the elements of {} are not numbers", name));
            const std::int64_t size = trace::bytes_of(*own.element);
            if (count < 0 || count > (std::int64_t{1} << 28)) refuse(fmt::format("{} has too many elements", name));
            const std::uint32_t memory = make_memory(name, count * size, false, own.element);
            for (std::size_t k = 0; k < values.size() && std::int64_t(k) < count; ++k)
                store(memories_[memory], std::int64_t(k) * size, *own.element, values[k]);
            variable.type.kind = HostType::Kind::vector;  // it is where it is: sizeof knows its bytes
            variable.value = {.kind = HostValue::Kind::pointer, .memory = memory, .element = own.element};
        } else if (own.kind == HostType::Kind::vector) {
            std::vector<HostValue> values;
            bool listed = false;
            if (i < part.past_last && (is(i, "(") || is(i, "{") || is(i, "="))) {
                if (is(i, "=")) ++i;
                listed = is(i, "{");
                const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
                for (const Range& value : compile::split_commas(*code_, {i + 1, past - 1}, false))
                    if (!value.empty()) values.push_back(evaluate(value));
            }
            if (!own.element) refuse(fmt::format("the elements of {} are not numbers", name));
            const std::int64_t size = trace::bytes_of(*own.element);
            const std::int64_t count = listed ? std::int64_t(values.size()) : values.empty() ? 0 : values[0].whole;
            if (count < 0 || count > (std::int64_t{1} << 28)) refuse(fmt::format("{} has too many elements", name));
            const std::uint32_t memory = make_memory(name, count * size, false, own.element);
            for (std::int64_t k = 0; k < count; ++k) {
                const HostValue value = listed               ? values[std::size_t(k)]
                                        : values.size() == 2 ? values[1]
                                                             : HostValue::of(std::int64_t{0});
                if (value.is_number()) store(memories_[memory], k * size, *own.element, value);
            }
            variable.value = {.kind = HostValue::Kind::pointer, .memory = memory, .element = own.element};
        } else if (own.kind == HostType::Kind::extent && (is(i, "(") || is(i, "{")) && i < part.past_last) {
            const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
            variable.value = *known_call("dim3", compile::split_commas(*code_, {i + 1, past - 1}, false));
        } else if (is(i, "=") && i < part.past_last) {
            variable.value = converted(evaluate({i + 1, part.past_last}), own);
        } else if ((is(i, "(") || is(i, "{")) && i < part.past_last) {
            const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
            variable.value = converted(evaluate({i + 1, past - 1}), own);
        } else if (own.kind == HostType::Kind::extent) {
            variable.value.kind = HostValue::Kind::extent;
        }
        if (own.kind == HostType::Kind::pointer && variable.value.memory && own.element) {
            HostMemory& memory = memories_[*variable.value.memory];
            if (memory.name == "malloc" || memory.name == "new") memory.name = name;
        }
        scopes_.back().insert_or_assign(name, std::move(variable));
    }
}

}  // namespace lanescope::session
