// .loc directives -> Module::places, with the chain of calls they are inlined through (PTX ISA 11.5.3).
#pragma once

#include "ptx/module.h"
#include "ptx/token_stream.h"

#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace lanescope::ptx {

class Places {
  public:
    explicit Places(Module& module) : module_(module) {}

    /// The text after ".loc"; returns the index in Module::places.
    std::uint32_t parse(TokenStream& tokens);
    /// Label of .debug_str -> the function's name, for the places that name one.
    void name_functions(const std::map<std::string, std::string, std::less<>>& strings);
    [[nodiscard]] bool any_inlined() const { return !function_labels_.empty(); }

  private:
    using Position = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< file, line, column
    struct Key {
        Position position;
        std::uint32_t inlined_at;
        std::string_view function_label;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    static Position parse_position(TokenStream& tokens);
    std::uint32_t intern(const Key& key);

    Module& module_;
    std::map<Key, std::uint32_t> known_;
    std::map<Position, std::uint32_t> latest_;  ///< the place last in force at a position: a call site
    std::vector<std::pair<std::uint32_t, std::string_view>> function_labels_;
};

}  // namespace lanescope::ptx
