// An address in a program that is stopped in a call -> the source variable at that address, from the host compiler's
// DWARF: "d_in", "buffers.in", "d_in[2]".
//
// Names are optional: without libdw or DWARF there are none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::host {

/// The calls on a program's stack, and as many of its bytes as are known.
struct Stack {
    std::span<const std::uint64_t> callers;  ///< return addresses, the innermost first
    std::span<const std::uint64_t> frames;   ///< the canonical frame address of each
    std::uint64_t begin = 0;                 ///< address of the first byte
    std::span<const std::byte> bytes;
};

struct NamedVariable {
    std::string name;
    std::string type;  ///< what it points to, "float"; empty: not known, or void
};

/// A whole variable, with its address and name.
struct PlacedVariable {
    std::uint64_t address = 0, bytes = 0;
    std::string name;
};

class VariableNames {
  public:
    /// `sources`: folders of the person's own sources; variables of other functions are not reported.
    VariableNames(const std::filesystem::path& program, std::vector<std::filesystem::path> sources);
    VariableNames(VariableNames&&) noexcept;
    VariableNames& operator=(VariableNames&&) noexcept;
    ~VariableNames();

    /// Whether names can be found at all: libdw is there, and the program has DWARF.
    [[nodiscard]] bool available() const;
    [[nodiscard]] std::optional<NamedVariable> at(std::uint64_t address, const Stack& stack);
    /// The local variable of a caller, or the global variable, that contains the address.
    [[nodiscard]] std::optional<PlacedVariable> holding(std::uint64_t address, const Stack& stack);

  private:
    struct Reader;
    std::unique_ptr<Reader> reader_;
};

/// Whether the file lies in one of the folders.
[[nodiscard]] bool lies_in(const std::string& file, const std::vector<std::filesystem::path>& folders);

}  // namespace lanescope::host
