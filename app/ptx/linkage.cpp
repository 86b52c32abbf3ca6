#include "ptx/linkage.h"

#include "base/grouped.h"
#include "ptx/limits.h"

#include <fmt/format.h>
#include <algorithm>

namespace lanescope::ptx {
namespace {

bool same_sizes(const std::vector<Variable>& a, const std::vector<Variable>& b) {
    return std::ranges::equal(a, b, {}, &Variable::bytes, &Variable::bytes);
}

bool agree(const Function& a, const Function& b) {
    return a.entry == b.entry && same_sizes(a.parameters, b.parameters) && same_sizes(a.results, b.results);
}

/// An array without extent fits every size.
bool agree(const Variable& a, const Variable& b) {
    return a.space == b.space && (a.bytes == b.bytes || a.dynamic() || b.dynamic());
}

}  // namespace

Linkage linkage_directive(std::string_view word) {
    if (word == ".visible") return Linkage::visible;
    if (word == ".extern") return Linkage::external;
    return word == ".weak" || word == ".common" ? Linkage::weak : Linkage::local;
}

void Names::begin_unit() {
    ++units_;
    unit_.clear();
}

void Names::defined_twice(const Token& name, PtxLine before) const {
    tokens_.refuse(name, fmt::format("{} is defined twice: here and on line {}", quoted(name), before.value));
}

void Names::declared_differently(const Token& name, PtxLine before) const {
    tokens_.refuse(name, fmt::format("{} is declared differently on line {}", quoted(name), before.value));
}

Names::Linked* Names::find_linked(const Token& name, Linkage linkage, bool function) {
    if (linkage == Linkage::local) return nullptr;
    const auto found = linked_.find(name.text);
    if (found == linked_.end()) return nullptr;
    Linked& linked = found->second;
    if (linked.global.function != function)
        declared_differently(name, linked.global.function ? module_.functions[linked.global.index].line
                                                          : module_.variables[linked.global.index].line);
    return &linked;
}

void Names::know(const Token& name, Linkage linkage, bool function, std::uint32_t index) {
    unit_.try_emplace(name.text, Global{.function = function, .index = index});
    if (linkage != Linkage::local)
        linked_.try_emplace(name.text, Linked{.global = {.function = function, .index = index}});
}

bool Names::is_taken(const Token& name, Linkage linkage, Linked& linked, PtxLine before) const {
    if (linked.defined_as != Linkage::external) {
        if (linkage == Linkage::weak) return false;
        if (linked.defined_as != Linkage::weak) defined_twice(name, before);
    }
    linked.defined_as = linkage;
    return true;
}

void Names::check_kernel_name(const Token& name, std::uint32_t index) {
    const auto [known, fresh] = kernels_.try_emplace(name.text, index);
    if (!fresh && known->second != index)
        tokens_.refuse(name,
                       fmt::format("two translation units have a kernel {}, here and on line {}: a launch by name is "
                                   "ambiguous",
                                   quoted(name), module_.functions[known->second].line.value));
}

Names::Place Names::place(const Token& name, Linkage linkage, bool definition, Function function) {
    function.defined = false;
    Place place;
    bool known_in_unit = false;
    if (const auto known = unit_.find(name.text); known != unit_.end()) {
        if (!known->second.function) tokens_.refuse(name, fmt::format("{} is declared twice", quoted(name)));
        place.index = known->second.index;
        known_in_unit = true;
    } else if (const Linked* linked = find_linked(name, linkage, true)) {
        place.index = linked->global.index;
    } else {
        if (module_.functions.size() == limits::functions)
            tokens_.refuse(name, fmt::format("the module has more than {}", counted(limits::functions, "function")));
        place.index = static_cast<std::uint32_t>(module_.functions.size());
        module_.functions.push_back(function);
    }
    know(name, linkage, true, place.index);
    Function& before = module_.functions[place.index];
    if (!agree(before, function)) declared_differently(name, before.line);
    if (!definition) {
        // The names of the parameters are the definition's, whenever it comes.
        if (!before.defined) before = std::move(function);
        return place;
    }
    Linked* const linked = find_linked(name, linkage, true);
    if (linked != nullptr && linked->global.index == place.index) {
        place.duplicate = !is_taken(name, linkage, *linked, before.line);
    } else if (before.defined || (known_in_unit && linked != nullptr)) {
        defined_twice(name, before.line);
    }
    if (place.duplicate) return place;
    if (function.entry) check_kernel_name(name, place.index);
    before = std::move(function);
    return place;
}

Names::Place Names::place(const Token& name, Linkage linkage, Variable variable) {
    if (unit_.contains(name.text)) tokens_.refuse(name, fmt::format("{} is declared twice", quoted(name)));
    variable.external = linkage == Linkage::external;
    variable.unit = units_ - 1;
    Linked* linked = find_linked(name, linkage, false);
    Place place;
    if (linked == nullptr) {
        place.index = static_cast<std::uint32_t>(module_.variables.size());
        know(name, linkage, false, place.index);
        if (linkage != Linkage::local) linked_.find(name.text)->second.defined_as = linkage;
        module_.variables.push_back(std::move(variable));
        return place;
    }
    place.index = linked->global.index;
    know(name, linkage, false, place.index);
    Variable& before = module_.variables[place.index];
    if (!agree(before, variable)) declared_differently(name, before.line);
    const std::uint64_t align = std::max(before.align, variable.align);
    if (variable.external) {
        if (before.dynamic()) before.bytes = variable.bytes;
    } else if (is_taken(name, linkage, *linked, before.line)) {
        before = std::move(variable);
    } else {
        place.duplicate = true;
    }
    before.align = align;
    return place;
}

void Names::check_all_defined() const {
    for (const Variable& variable : module_.variables) {
        if (!variable.external || variable.space == Space::shared) continue;
        Token at;
        at.line = variable.line.value;
        tokens_.refuse(at, fmt::format("no translation unit defines the variable \"{}\"", variable.name),
                       "Compile the program's other files together with this one.");
    }
}

}  // namespace lanescope::ptx
