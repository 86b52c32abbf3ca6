// A DWARF type -> how CUDA spells it, how to read it, and the extents of an array.
#pragma once

#include "ptx/dwarf_entries.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanescope::ptx::dwarf {

struct SourceType {
    std::string name;         ///< "int", "const float*", "word"; of an array its element's; empty: not known
    Type value = Type::none;  ///< of a scalar, typedefs and const seen through
    std::uint64_t bytes = 0;  ///< of the whole, of an array of its element
    bool array = false;
    std::vector<std::uint64_t> extents;  ///< outermost first; 0: open
};

class SourceTypes {
  public:
    explicit SourceTypes(const Info& info);
    [[nodiscard]] SourceType of(std::optional<std::size_t> type) const { return of(type, 0); }

  private:
    [[nodiscard]] SourceType of(std::optional<std::size_t> type, unsigned depth) const;

    const Info& info_;
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> extents_;  ///< of an array entry, by index
};

}  // namespace lanescope::ptx::dwarf
