#include "host/debug_entries.h"

#ifdef LANESCOPE_LIBDW

#include "base/shared_library.h"

#include <fcntl.h>
#include <unistd.h>

namespace lanescope::host {

const Libdw* Libdw::get() {
    static const Libdw library;
    return library.complete_ ? &library : nullptr;
}

Libdw::Libdw() {
    SharedLibrary libdw("libdw.so.1");
    libdw.resolve(begin, "dwarf_begin");
    libdw.resolve(end, "dwarf_end");
    libdw.resolve(addrdie, "dwarf_addrdie");
    libdw.resolve(haspc, "dwarf_haspc");
    libdw.resolve(get_units, "dwarf_get_units");
    libdw.resolve(child, "dwarf_child");
    libdw.resolve(siblingof, "dwarf_siblingof");
    libdw.resolve(tag, "dwarf_tag");
    libdw.resolve(attr_integrate, "dwarf_attr_integrate");
    libdw.resolve(formref_die, "dwarf_formref_die");
    libdw.resolve(formstring, "dwarf_formstring");
    libdw.resolve(formudata, "dwarf_formudata");
    libdw.resolve(getlocation, "dwarf_getlocation");
    libdw.resolve(decl_file, "dwarf_decl_file");
    libdw.resolve(aggregate_size, "dwarf_aggregate_size");
    libdw.resolve(getsrc_die, "dwarf_getsrc_die");
    libdw.resolve(lineno, "dwarf_lineno");
    libdw.resolve(linesrc, "dwarf_linesrc");
    libdw.resolve(getsrcfiles, "dwarf_getsrcfiles");
    libdw.resolve(filesrc, "dwarf_filesrc");
    complete_ = libdw.missing().empty();
}

DebugEntries::DebugEntries(const std::filesystem::path& program) : dw(Libdw::get()) {
    if (dw == nullptr) return;
    file_ = open(program.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ >= 0) debug = dw->begin(file_, DWARF_C_READ);
}

DebugEntries::~DebugEntries() {
    if (debug != nullptr) dw->end(debug);
    if (file_ >= 0) close(file_);
}

std::string_view DebugEntries::text(Dwarf_Die die, unsigned attribute_name) const {
    Dwarf_Attribute attribute;
    const char* found =
        dw->attr_integrate(&die, attribute_name, &attribute) != nullptr ? dw->formstring(&attribute) : nullptr;
    return found != nullptr ? found : "";
}

std::optional<std::uint64_t> DebugEntries::number(Dwarf_Die die, unsigned attribute_name) const {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dw->attr_integrate(&die, attribute_name, &attribute) == nullptr || dw->formudata(&attribute, &value) != 0)
        return std::nullopt;
    return value;
}

std::optional<Dwarf_Die> DebugEntries::type_of(Dwarf_Die die) const {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (dw->attr_integrate(&die, DW_AT_type, &attribute) == nullptr || dw->formref_die(&attribute, &type) == nullptr)
        return std::nullopt;
    return type;
}

std::optional<Dwarf_Die> DebugEntries::plain_type(std::optional<Dwarf_Die> type, bool* constant) const {
    constexpr int deepest = 32;
    for (int i = 0; type && i < deepest; ++i) {
        const int tag = dw->tag(&*type);
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type) return type;
        if (constant != nullptr && tag == DW_TAG_const_type) *constant = true;
        type = type_of(*type);
    }
    return std::nullopt;
}

std::uint64_t DebugEntries::size_of(Dwarf_Die type) const {
    Dwarf_Word size = 0;
    return dw->aggregate_size(&type, &size) == 0 ? size : 0;
}

std::optional<Dwarf_Die> DebugEntries::unit_at(std::uint64_t address) const {
    Dwarf_Die unit;
    return available() && dw->addrdie(debug, address, &unit) != nullptr ? std::optional(unit) : std::nullopt;
}

const std::vector<Dwarf_Die>& DebugEntries::scopes_at(std::uint64_t address) {
    const auto [known, fresh] = scopes_.try_emplace(address);
    if (!fresh) return known->second;
    if (const auto unit = unit_at(address)) find_function(*unit, address, known->second, 0);
    return known->second;
}

/// Searches types inside functions too: a lambda's code is there.
void DebugEntries::find_function(Dwarf_Die outer, std::uint64_t address, std::vector<Dwarf_Die>& scopes,
                                 unsigned depth) const {
    constexpr unsigned deepest = 32;
    for_each_child(outer, [&](Dwarf_Die child) {
        if (!scopes.empty() || depth == deepest) return;
        const int tag = dw->tag(&child);
        if (tag == DW_TAG_subprogram && dw->haspc(&child, address) == 1) {
            scopes.push_back(child);
            add_blocks(child, address, scopes);
        } else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
                   tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type) {
            find_function(child, address, scopes, depth + 1);
        }
    });
}

void DebugEntries::add_blocks(Dwarf_Die outer, std::uint64_t address, std::vector<Dwarf_Die>& scopes) const {
    for_each_child(outer, [&](Dwarf_Die child) {
        const int tag = dw->tag(&child);
        const bool block = tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
        if (!block || dw->haspc(&child, address) != 1) return;
        scopes.push_back(child);
        add_blocks(child, address, scopes);
    });
}

}  // namespace lanescope::host

#endif
