// The names of one function: registers, variables, labels, each visible in its { } (PTX ISA 9.7.12.1).
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanescope::ptx {

struct Symbol {
    enum class Kind : std::uint8_t { reg, variable, parameter, result };
    Kind kind = Kind::reg;
    std::uint32_t index = 0;  ///< in the function's list of that kind
};

/// Keeps closed scopes: a branch may name a label that comes later.
class Scopes {
  public:
    using Id = std::uint32_t;

    Scopes() : levels_(1) {}
    void open();
    void close();  ///< must not be called for the outermost scope
    [[nodiscard]] Id current() const { return current_; }
    [[nodiscard]] std::uint32_t depth() const { return depth_; }
    [[nodiscard]] std::size_t count() const { return levels_.size(); }

    /// Returns false if the scope has that name already.
    bool declare(std::string_view name, Symbol symbol) {
        return levels_[current_].symbols.try_emplace(name, symbol).second;
    }
    /// The registers name0 .. name(count-1), numbered from `first`: `.reg .b32 %r<16>`.
    bool declare_family(std::string_view name, std::uint32_t first, std::uint32_t count);
    [[nodiscard]] std::optional<Symbol> find(std::string_view name) const;

    bool declare_label(std::string_view name, std::uint32_t index) {
        return levels_[current_].labels.try_emplace(name, index).second;
    }
    /// The label that is visible from `from`.
    [[nodiscard]] std::optional<std::uint32_t> find_label(Id from, std::string_view name) const;

  private:
    struct Family {
        std::uint32_t first, count;
    };
    struct Level {
        std::unordered_map<std::string_view, Symbol> symbols;
        std::unordered_map<std::string_view, Family> families;
        std::unordered_map<std::string_view, std::uint32_t> labels;
        Id parent = 0;
    };
    [[nodiscard]] static std::optional<Symbol> find_in(const Level& level, std::string_view name);

    std::vector<Level> levels_;
    Id current_ = 0;
    std::uint32_t depth_ = 0;
};

}  // namespace lanescope::ptx
