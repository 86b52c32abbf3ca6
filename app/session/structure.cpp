#include "session/structure.h"

#include "base/grouped.h"
#include "compile/declarations.h"
#include "compile/lexer.h"
#include "session/compiled_types.h"
#include "session/input.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

using compile::TokenRange;
using Tokens = std::vector<compile::Token>;

constexpr std::uint64_t most_bytes =
    4096;  // of all parameters together (CUDA C++ Programming Guide, "Kernel parameters")
constexpr std::string_view virtual_functions = "__vptr";  // the member that NVRTC writes for their table

Structure::Member member_of(const ptx::SourceMember& member) {
    const bool numbers = !member.pointer || member.target;
    const NumberType number = member.pointer ? member.target.value_or(NumberType{}) : member.number;
    return {.name = member.name,
            .element = numbers ? trace::element_of(number) : trace::Element::u8,
            .offset = member.offset,
            .pointer = member.pointer,
            .components = numbers ? number.components : 0};
}

}  // namespace

std::optional<Structure> structure_of(const Program& program, std::string_view type) {
    const std::optional<ptx::SourceStructure> compiled = compiled_type(program, type).structure;
    if (!compiled || !compiled->complete || compiled->bytes > most_bytes) return std::nullopt;
    Structure structure{.type = compiled->name, .members = {}, .bytes = compiled->bytes};
    for (const ptx::SourceMember& member : compiled->members) {
        if (member.name.ends_with(virtual_functions)) return std::nullopt;
        structure.members.push_back(member_of(member));
    }
    return structure;
}

ElementType elements_of_buffer(const Structure& structure) {
    trace::Members numbers{.type = structure.type, .bytes = structure.bytes, .all = {}};
    for (const Structure::Member& member : structure.members) {
        if (!member.pointer) numbers.all.push_back({member.name, member.element, member.offset});
    }
    const trace::Element element = numbers.cell();
    return {element, unsigned(structure.bytes / trace::bytes_of(element))};
}

Result<std::vector<std::string>> member_values(const Structure& structure, std::string_view text) {
    const Tokens code = compile::code_of(compile::tokenize(text), compile::Branch::first);
    if (code.size() < 2 || !code.front().is("{") || !code.back().is("}")) {
        return fail(fmt::format("\"{}\" is not a value of the structure {}", text, structure.type), {},
                    fmt::format("its members are given in braces: {}", guessed_members(structure, "input(n)")));
    }
    std::vector<std::string> values;
    for (const TokenRange& part : compile::split_commas(code, {1, code.size() - 1}, false)) {
        if (!part.empty()) values.push_back(compile::as_written(code, part));
    }
    if (values.size() > structure.members.size()) {
        return fail(fmt::format("the structure {} has {}, and {} {} given", structure.type,
                                counted(structure.members.size(), "member"), counted(values.size(), "value"),
                                verb(values.size(), "are", "is")),
                    {}, fmt::format("its members are given in braces: {}", guessed_members(structure, "input(n)")));
    }
    values.resize(structure.members.size(), "0");
    return values;
}

std::string guessed_members(const Structure& structure, std::string_view pointers) {
    constexpr unsigned bytes_of_n = 4;
    std::string text;
    for (const Structure::Member& member : structure.members) {
        const bool holds_n = !member.pointer && trace::bytes_of(member.element) >= bytes_of_n;
        text += fmt::format("{}{}", text.empty() ? "" : ", ",
                            member.pointer             ? (member.components > 0 ? pointers : "0")
                            : is_float(member.element) ? "1"
                            : holds_n                  ? "n"
                                                       : "0");
    }
    return "{" + text + "}";
}

}  // namespace lanescope::session
