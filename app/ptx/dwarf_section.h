// The text of a debug section -> its bytes, with names in place of addresses (PTX ISA 11.5.2).
#pragma once

#include "ptx/dwarf.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanescope::ptx::dwarf {

struct Section {
    struct Reference {
        std::size_t at = 0;       ///< offset of the address in `bytes`, which holds `addend` there
        std::string_view symbol;  ///< a label, a variable, or another section
    };
    std::vector<std::uint8_t> bytes;
    std::unordered_map<std::string_view, std::size_t> labels;  ///< label of the section -> offset
    std::vector<Reference> references;                         ///< ascending
};

/// Reads up to the first token that is not data.
[[nodiscard]] Section read_section(std::string_view body);
/// The section of that name; empty if there is none.
[[nodiscard]] Section read_section(const std::vector<SectionText>& sections, std::string_view name);

/// Reads a section's bytes in order. Past the end it fails for good and yields zeros.
class Cursor {
  public:
    Cursor(const Section& section, std::size_t at) : section_(&section), at_(at), failed_(at > section.bytes.size()) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] bool done() const { return failed_ || at_ == section_->bytes.size(); }

    std::uint64_t fixed(unsigned bytes);  ///< little-endian, 1 to 8
    std::uint64_t uleb();                 ///< modulo 2^64
    /// Reads to the terminating zero; fails if there are more than `longest` characters before it.
    std::string_view string(std::size_t longest = ~std::size_t{0});
    /// A number of that width and the symbol that it is relative to; no symbol for a plain number.
    struct Address {
        std::string_view symbol;
        std::uint64_t value = 0;
    };
    Address address(unsigned bytes);
    /// Skips that many bytes; returns where they begin.
    std::size_t skip(std::size_t bytes);

  private:
    const Section* section_;
    std::size_t at_;
    bool failed_;
};

/// The location of a variable by DWARF.
struct Location {
    std::string reg;           ///< "%r1"; empty: in memory
    std::string_view symbol;   ///< of a variable in memory: the PTX variable
    std::uint64_t offset = 0;  ///< in it
};
/// DW_OP_regx (its number is the register's name), or DW_OP_addr and DW_OP_plus_uconst; nothing for other locations.
[[nodiscard]] std::optional<Location> read_location(const Section& section, std::size_t begin, std::size_t bytes);

}  // namespace lanescope::ptx::dwarf
