// A program's debugging information entries, by libdw: what lies around an address of its code.
//
// libdw is loaded on first use. Lanescope runs without it, but then shows no names and no lines.
#pragma once

#ifdef LANESCOPE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::host {

/// The functions of libdw, named without the prefix "dwarf_".
struct Libdw {
    decltype(&dwarf_begin) begin = nullptr;
    decltype(&dwarf_end) end = nullptr;
    decltype(&dwarf_addrdie) addrdie = nullptr;
    decltype(&dwarf_haspc) haspc = nullptr;
    decltype(&dwarf_get_units) get_units = nullptr;
    decltype(&dwarf_child) child = nullptr;
    decltype(&dwarf_siblingof) siblingof = nullptr;
    decltype(&dwarf_tag) tag = nullptr;
    decltype(&dwarf_attr_integrate) attr_integrate = nullptr;
    decltype(&dwarf_formref_die) formref_die = nullptr;
    decltype(&dwarf_formstring) formstring = nullptr;
    decltype(&dwarf_formudata) formudata = nullptr;
    decltype(&dwarf_getlocation) getlocation = nullptr;
    decltype(&dwarf_decl_file) decl_file = nullptr;
    decltype(&dwarf_aggregate_size) aggregate_size = nullptr;
    decltype(&dwarf_getsrc_die) getsrc_die = nullptr;
    decltype(&dwarf_lineno) lineno = nullptr;
    decltype(&dwarf_linesrc) linesrc = nullptr;
    decltype(&dwarf_getsrcfiles) getsrcfiles = nullptr;
    decltype(&dwarf_filesrc) filesrc = nullptr;

    /// Null where it is not installed.
    static const Libdw* get();

  private:
    Libdw();
    bool complete_ = false;
};

class DebugEntries {
  public:
    explicit DebugEntries(const std::filesystem::path& program);
    DebugEntries(const DebugEntries&) = delete;
    DebugEntries& operator=(const DebugEntries&) = delete;
    ~DebugEntries();

    [[nodiscard]] bool available() const { return debug != nullptr; }

    [[nodiscard]] std::string_view text(Dwarf_Die die, unsigned attribute_name) const;
    [[nodiscard]] std::optional<std::uint64_t> number(Dwarf_Die die, unsigned attribute_name) const;
    [[nodiscard]] std::optional<Dwarf_Die> type_of(Dwarf_Die die) const;
    /// The type without typedefs, const and volatile; sets `constant` if a const was removed.
    [[nodiscard]] std::optional<Dwarf_Die> plain_type(std::optional<Dwarf_Die> type, bool* constant = nullptr) const;
    [[nodiscard]] std::uint64_t size_of(Dwarf_Die type) const;  ///< in bytes; 0: not known
    template <class Visit>
    void for_each_child(Dwarf_Die die, Visit visit) const {
        Dwarf_Die child;
        if (dw->child(&die, &child) != 0) return;
        do {
            visit(child);
        } while (dw->siblingof(&child, &child) == 0);
    }

    /// The compilation unit whose code the address is in.
    [[nodiscard]] std::optional<Dwarf_Die> unit_at(std::uint64_t address) const;
    /// The function that contains a code address, then the blocks and inlined functions around the address, outermost
    /// first. Cached, because programs allocate in loops.
    [[nodiscard]] const std::vector<Dwarf_Die>& scopes_at(std::uint64_t address);

    const Libdw* dw;
    Dwarf* debug = nullptr;

  private:
    void find_function(Dwarf_Die outer, std::uint64_t address, std::vector<Dwarf_Die>& scopes, unsigned depth) const;
    void add_blocks(Dwarf_Die outer, std::uint64_t address, std::vector<Dwarf_Die>& scopes) const;

    int file_ = -1;
    std::map<std::uint64_t, std::vector<Dwarf_Die>> scopes_;
};

}  // namespace lanescope::host

#endif
