#include "session/declared_types.h"

#include "base/demangle.h"
#include "base/number_type.h"
#include "compile/declarations.h"
#include "compile/lexer.h"
#include "session/compiled_types.h"
#include "session/element_types.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::session {

namespace {

using Tokens = std::vector<compile::Token>;

struct Declared {
    std::string name;
    std::string type;
    std::vector<std::string> extents;  ///< as written, outermost first; "": of extern
    std::string function;              ///< that it is in; empty: in none
};

template <std::size_t count>
bool is_one_of(const compile::Token& token, const std::array<std::string_view, count>& words) {
    return std::ranges::find(words, token.text) != words.end();
}

bool names_a_space(const compile::Token& token) {
    constexpr std::array<std::string_view, 4> spaces{"__shared__", "__device__", "__constant__", "__managed__"};
    return is_one_of(token, spaces);
}

/// The name of the function whose braces enclose the token; empty: it is outside of functions.
std::string function_around(const Tokens& code, std::size_t at) {
    constexpr std::array<std::string_view, 4> statements{"for", "while", "if", "switch"};
    std::string name;
    for (int depth = 0; at-- > 0;) {
        if (code[at].is("}")) ++depth;
        if (!code[at].is("{") || depth-- > 0) continue;
        depth = 0;
        if (at == 0 || !code[at - 1].is(")")) continue;
        std::size_t open = at - 1;
        for (int brackets = 0; open > 0; --open) {
            if (code[open].is(")")) ++brackets;
            if (code[open].is("(") && --brackets == 0) break;
        }
        if (open > 0 && code[open - 1].kind == compile::TokenKind::identifier &&
            !is_one_of(code[open - 1], statements)) {
            name = code[open - 1].text;
        }
    }
    return name;
}

/// The declarators after the type, which ends before the first of them: `tile[4][8], *next, last`.
void read_declarators(const Tokens& code, std::size_t at, const Declared& common, std::vector<Declared>& found) {
    while (at < code.size() && code[at].kind == compile::TokenKind::identifier) {
        Declared variable = common;
        variable.name = code[at++].text;
        while (at < code.size() && code[at].is("[")) {
            const std::size_t past = compile::past_bracket(code, at, code.size());
            variable.extents.push_back(compile::as_written(code, {at + 1, std::max(past - 1, at + 1)}));
            at = past;
        }
        if (at < code.size() && code[at].is("(")) return;  // a function
        found.push_back(std::move(variable));
        while (at < code.size() && !code[at].is(",") && !code[at].is(";")) {
            const bool opens = code[at].is("(") || code[at].is("{") || code[at].is("[");
            at = opens ? compile::past_bracket(code, at, code.size()) : at + 1;
        }
        if (at >= code.size() || code[at].is(";")) return;
        ++at;
    }
}

std::vector<Declared> declared_in(const Tokens& code) {
    constexpr std::array<std::string_view, 6> specifiers{"static", "extern",    "volatile",
                                                         "const",  "constexpr", "inline"};
    std::vector<Declared> found;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (!names_a_space(code[i])) continue;
        std::size_t first = i + 1;
        while (first < code.size()) {
            if (code[first].is("__align__") || code[first].is("alignas")) {
                first = compile::past_bracket(code, first + 1, code.size());
            } else if (names_a_space(code[first]) || is_one_of(code[first], specifiers)) {
                ++first;
            } else {
                break;
            }
        }
        std::size_t name = first;
        while (name + 1 < code.size()) {
            const compile::Token& next = code[name + 1];
            if (next.is("<")) {
                name = compile::past_angle(code, name + 1, code.size()) - 1;
                continue;
            }
            if (next.kind != compile::TokenKind::identifier && !next.is("::") && !next.is("*")) break;
            ++name;
        }
        if (name <= first || name >= code.size()) continue;
        read_declarators(code, name,
                         {.name = {},
                          .type = compile::spelling(code, {first, name}),
                          .extents = {},
                          .function = function_around(code, i)},
                         found);
        i = name;
    }
    return found;
}

struct Type {
    std::string name;
    ptx::Type element = ptx::Type::none;
    std::uint64_t bytes = 0;
};

std::optional<Type> type_of(const Program& program, const std::string& spelled) {
    if (spelled.ends_with('*')) return Type{.name = spelled, .element = ptx::Type::u64, .bytes = 8};
    if (const std::optional<ElementType> numbers = element_type(program, spelled)) {
        const bool known = trace::element_named(spelled).has_value();  // else an alias, or a template's parameter
        return Type{.name = known ? spelled : std::string(trace::name_of(numbers->element)),
                    .bytes = std::uint64_t{trace::bytes_of(numbers->element)} * numbers->components};
    }
    const std::optional<ptx::SourceStructure> structure = compiled_type(program, spelled).structure;
    return structure ? std::optional(Type{.name = spelled, .bytes = structure->bytes}) : std::nullopt;
}

/// Elements in each dimension, if they make `bytes` (0: extern, of unknown size).
std::optional<std::vector<std::uint64_t>> extents_of(const Program& program, const Declared& variable, const Type& type,
                                                     std::uint64_t bytes) {
    std::vector<std::uint64_t> extents;
    if (variable.extents.size() == 1 && type.bytes != 0 && bytes % type.bytes == 0) return {{bytes / type.bytes}};
    std::uint64_t elements = 1;
    for (const std::string& written : variable.extents) {
        const Result<std::uint64_t> extent = evaluate(with_constants(written, program.source), trial);
        extents.push_back(extent && !written.empty() ? *extent : 0);
        elements *= extents.back();
    }
    if (bytes == 0 || elements * type.bytes == bytes) return extents;
    // With one dimension the size gives the count; also for the outermost, where the others are known.
    if (extents.empty() || type.bytes == 0 || bytes % type.bytes != 0) return std::nullopt;
    std::uint64_t inner = type.bytes;
    for (std::size_t i = 1; i < extents.size(); ++i) inner *= extents[i];
    if (inner == 0 || bytes % inner != 0) return std::vector<std::uint64_t>{bytes / type.bytes};
    extents.front() = bytes / inner;
    return extents;
}

/// The variable declared by that name; of several in functions, the one in the function of the mangled name.
const Declared* declaration_of(const std::vector<Declared>& all, std::string_view name, std::string_view mangled) {
    const Declared* found = nullptr;
    bool alike = true;
    for (const Declared& variable : all) {
        if (variable.name != name) continue;
        const std::string part = fmt::format("{}{}", variable.function.size(), variable.function);
        if (!variable.function.empty() && mangled.starts_with("_ZZ") && mangled.find(part) != std::string_view::npos) {
            return &variable;
        }
        alike = alike && (found == nullptr || found->type == variable.type);
        found = &variable;
    }
    return alike ? found : nullptr;
}

void add_variables(const Program& program, ptx::Module& module) {
    const Tokens code = compile::code_of(compile::tokenize(program.source.text), compile::Branch::first);
    const std::vector<Declared> all = declared_in(code);
    if (all.empty()) return;
    const auto describe = [&](ptx::SourceArray& array, const ptx::Variable& variable) {
        const Declared* const declared = declaration_of(all, array.name, variable.name);
        if (declared == nullptr) return false;
        const std::optional<Type> type = type_of(program, declared->type);
        if (!type) return false;
        const auto extents = extents_of(program, *declared, *type, variable.bytes);
        if (!extents) return false;
        array.element_type = type->name;
        array.element = type->element;
        array.element_bytes = static_cast<std::uint32_t>(type->bytes);
        array.extents = *extents;
        return true;
    };
    std::vector<bool> described(module.variables.size());
    for (ptx::SourceArray& array : module.arrays) {
        const bool of_module = array.function == ptx::SourceArray::everywhere;
        const auto& owner = of_module ? module.variables : module.functions[array.function].variables;
        if (array.variable >= owner.size()) continue;
        if (of_module) described[array.variable] = true;
        if (array.element_bytes == 0 && array.space != ptx::Space::local) describe(array, owner[array.variable]);
    }
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (described[i] || (variable.space != ptx::Space::global && variable.space != ptx::Space::constant)) continue;
        ptx::SourceArray array;
        array.name = variable_name_of(variable.name);
        array.space = variable.space;
        array.variable = i;
        if (describe(array, variable)) module.arrays.push_back(std::move(array));
    }
}

void add_structures(const Program& program, ptx::Module& module) {
    std::set<std::string, std::less<>> types;
    for (const ptx::SourceArray& array : module.arrays) {
        // Of headers' own arrays, of which there may be hundreds, nothing is asked.
        const std::string_view type = bare_type(array.element_type);
        const std::string_view whole = type.substr(0, type.find('<'));
        const std::string_view own = whole.substr(std::min(whole.rfind(':') + 1, whole.size()));
        if (program.source.text.find(own) != std::string::npos) types.emplace(type);
    }
    for (const compile::KernelDeclaration& kernel : program.source.scan.kernels) {
        for (const compile::Parameter& parameter : kernel.parameters) types.emplace(bare_type(parameter.type));
    }
    for (const std::string& type : types) {
        const bool described = std::ranges::find(module.structures, type, &ptx::SourceStructure::name) !=
                               module.structures.end();  // by DWARF
        if (type.empty() || described || number_type(type)) continue;
        std::optional<ptx::SourceStructure> structure = compiled_type(program, type).structure;
        if (structure) module.structures.push_back(*std::move(structure));
    }
}

}  // namespace

void add_declared_types(const Program& program, ptx::Module& module) {
    add_variables(program, module);
    add_structures(program, module);
}

}  // namespace lanescope::session
