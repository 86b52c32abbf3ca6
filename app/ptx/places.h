// .loc directives -> Module::places, with the chain of calls they are inlined through (PTX ISA 11.5.3).
#pragma once

#include "ptx/module.h"
#include "ptx/token_stream.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::ptx {

class Places {
  public:
    explicit Places(Module& module) : module_(module) {}

    /// The text after ".loc"; returns the index in Module::places.
    std::uint32_t parse(TokenStream& tokens);
    /// Ends a translation unit: gives its places the module's file numbers and, by the labels of its .debug_str, the
    /// functions that they name. After that, files and labels are counted from the beginning.
    void end_unit(const std::map<std::uint32_t, std::string>& files,
                  const std::map<std::string, std::string, std::less<>>& strings);

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
    std::size_t unit_begin_ = 0;                                       ///< the unit's first in Module::places
    std::unordered_map<std::string, std::uint32_t> numbers_of_files_;  ///< in Module::files
    std::uint32_t next_file_ = 1;
    bool first_unit_ = true;
};

}  // namespace lanescope::ptx
