#include "ptx/scopes.h"

#include "base/whole_number.h"

#include <cassert>

namespace lanescope::ptx {

void Scopes::open() {
    levels_.emplace_back().parent = current_;
    current_ = static_cast<Id>(levels_.size() - 1);
    ++depth_;
}

void Scopes::close() {
    assert(depth_ > 0);
    current_ = levels_[current_].parent;
    --depth_;
}

bool Scopes::declare_family(std::string_view name, std::uint32_t first, std::uint32_t count) {
    return levels_[current_].families.try_emplace(name, Family{first, count}).second;
}

std::optional<Symbol> Scopes::find_in(const Level& level, std::string_view name) {
    if (const auto found = level.symbols.find(name); found != level.symbols.end()) return found->second;
    if (level.families.empty()) return std::nullopt;
    // "%r12" is 12 of %r, but may also be 2 of a family %r1.
    std::uint32_t number = 0;
    for (std::size_t digits = 1; digits < name.size() && digits <= 7; ++digits) {
        const std::string_view tail = name.substr(name.size() - digits);
        if (!read_whole_number(tail, number)) break;
        if (digits > 1 && tail.front() == '0') continue;
        const auto family = level.families.find(name.substr(0, name.size() - digits));
        if (family != level.families.end() && number < family->second.count)
            return Symbol{Symbol::Kind::reg, family->second.first + number};
    }
    return std::nullopt;
}

std::optional<Symbol> Scopes::find(std::string_view name) const {
    for (Id scope = current_;; scope = levels_[scope].parent) {
        if (const std::optional<Symbol> symbol = find_in(levels_[scope], name)) return symbol;
        if (scope == 0) return std::nullopt;
    }
}

std::optional<std::uint32_t> Scopes::find_label(Id from, std::string_view name) const {
    for (Id scope = from;; scope = levels_[scope].parent) {
        const auto found = levels_[scope].labels.find(name);
        if (found != levels_[scope].labels.end()) return found->second;
        if (scope == 0) return std::nullopt;
    }
}

}  // namespace lanescope::ptx
