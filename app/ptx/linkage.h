// Names at module scope, in one translation unit and across those of one text: which declaration means which function
// or variable (PTX ISA 11.6).
//
// A name without .visible, .weak, .common or .extern is local to its unit. Any other name means one thing in all units:
// .extern refers to a definition in another unit, and of several .weak definitions one is taken, as a linker does.
#pragma once

#include "ptx/declarations.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace lanescope::ptx {

enum class Linkage : std::uint8_t { local, external, weak, visible };

/// The linkage that a directive gives; local if it gives none.
[[nodiscard]] Linkage linkage_directive(std::string_view word);

class Names {
  public:
    Names(Module& module, const TokenStream& tokens) : module_(module), tokens_(tokens) {}

    /// The meaning of the unit's names.
    [[nodiscard]] const Globals& of_unit() const { return unit_; }
    void begin_unit();

    /// The place of a declaration or definition in Module::functions or Module::variables.
    struct Place {
        std::uint32_t index = 0;
        bool duplicate = false;  ///< another definition of the name is taken
    };
    /// Refuses what contradicts an earlier declaration, and a second definition.
    Place place(const Token& name, Linkage linkage, bool definition, Function function);
    Place place(const Token& name, Linkage linkage, Variable variable);

    /// Refuses, at the end of the text, a variable that no unit defines. A function without a body may be the system's
    /// own, which its callers must know.
    void check_all_defined() const;

  private:
    /// How a name is known beyond its unit.
    struct Linked {
        Global global;
        Linkage defined_as = Linkage::external;  ///< external: not defined yet
    };
    [[nodiscard]] Linked* find_linked(const Token& name, Linkage linkage, bool function);
    void know(const Token& name, Linkage linkage, bool function, std::uint32_t index);
    /// Whether the new definition is the one taken; refuses a second that is not weak.
    bool is_taken(const Token& name, Linkage linkage, Linked& linked, PtxLine before) const;
    [[noreturn]] void defined_twice(const Token& name, PtxLine before) const;
    [[noreturn]] void declared_differently(const Token& name, PtxLine before) const;
    void check_kernel_name(const Token& name, std::uint32_t index);

    Module& module_;
    const TokenStream& tokens_;
    std::uint32_t units_ = 0;  ///< begun so far
    Globals unit_;
    std::unordered_map<std::string_view, Linked> linked_;
    std::unordered_map<std::string_view, std::uint32_t> kernels_;  ///< defined ones: index in Module::functions
};

}  // namespace lanescope::ptx
