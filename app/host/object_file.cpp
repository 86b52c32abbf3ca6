#include "host/object_file.h"

#include "base/files.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace lanescope::host {

namespace {

template <class Value>
std::optional<Value> value_at(std::string_view bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(Value)) return std::nullopt;
    Value value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

std::string_view part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
    return at > bytes.size() ? std::string_view() : bytes.substr(at, size);
}

std::string_view text_at(std::string_view strings, std::uint64_t at) {
    const std::string_view rest = part(strings, at, strings.size());
    return rest.substr(0, rest.find('\0'));
}

void read_table(std::string_view table, std::string_view strings, ObjectSymbols& symbols) {
    for (std::uint64_t at = 0; const auto symbol = value_at<Elf64_Sym>(table, at); at += sizeof(Elf64_Sym)) {
        if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) continue;
        const std::string name(text_at(strings, symbol->st_name));
        if (name.empty()) continue;
        (symbol->st_shndx == SHN_UNDEF ? symbols.undefined : symbols.defined).insert(name);
    }
}

/// ".extern .func (.param .b32 r) name" and ".extern .global .align 4 .u32 name[4];", each at the start of a line.
void read_ptx(std::string_view ptx, ObjectSymbols& symbols) {
    constexpr std::string_view mark = "\n.extern ", blank = " \t\n", ends = " \t\n([;";
    for (std::size_t at = ptx.find(mark); at != std::string_view::npos; at = ptx.find(mark, at + 1)) {
        std::string_view rest = ptx.substr(at + mark.size());
        rest = rest.substr(0, rest.find(';'));
        const auto skip_blanks = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size())); };
        if (rest.starts_with(".shared")) continue;
        while (true) {
            skip_blanks();
            const char first = rest.empty() ? '\0' : rest.front();
            if (first == '(') {
                rest.remove_prefix(std::min(rest.find(')'), rest.size() - 1) + 1);
            } else if (first == '.' || (first >= '0' && first <= '9')) {
                rest.remove_prefix(std::min(rest.find_first_of(blank), rest.size()));
            } else {
                break;
            }
        }
        const std::string_view name = rest.substr(0, rest.find_first_of(ends));
        if (!name.empty()) symbols.undefined_on_device.emplace(name);
    }
}

bool holds_device_code(std::string_view section) { return section == ".nv_fatbin" || section == "__nv_relfatbin"; }

/// visit(header, name, data, section(index)) for each section of an ELF file of this machine's kind.
template <class Visit>
void for_each_section(std::string_view bytes, Visit visit) {
    const auto header = value_at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return;
    const auto section = [&](std::uint64_t index) {
        return value_at<Elf64_Shdr>(bytes, header->e_shoff + index * sizeof(Elf64_Shdr)).value_or(Elf64_Shdr{});
    };
    const Elf64_Shdr name_section = section(header->e_shstrndx);
    const std::string_view names = part(bytes, name_section.sh_offset, name_section.sh_size);
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        const Elf64_Shdr here = section(i);
        if (here.sh_type == SHT_NOBITS) continue;
        visit(here, text_at(names, here.sh_name), part(bytes, here.sh_offset, here.sh_size), section);
    }
}

}  // namespace

ObjectSymbols read_symbols(const std::filesystem::path& object) {
    ObjectSymbols symbols;
    const auto content = read_file(object);
    if (!content) return symbols;
    const std::string_view bytes = *content;
    for_each_section(bytes, [&](const Elf64_Shdr& here, std::string_view name, std::string_view data, auto section) {
        if (here.sh_type == SHT_SYMTAB) {
            const Elf64_Shdr strings = section(here.sh_link);
            read_table(data, part(bytes, strings.sh_offset, strings.sh_size), symbols);
        } else if (holds_device_code(name)) {
            read_ptx(data, symbols);
        }
    });
    return symbols;
}

std::map<std::string, FunctionPlace> read_functions(const std::filesystem::path& program) {
    std::map<std::string, FunctionPlace> functions;
    const auto content = read_file(program);
    if (!content) return functions;
    const std::string_view bytes = *content;
    for_each_section(bytes, [&](const Elf64_Shdr& here, std::string_view, std::string_view data, auto section) {
        if (here.sh_type != SHT_SYMTAB) return;
        const Elf64_Shdr named = section(here.sh_link);
        const std::string_view strings = part(bytes, named.sh_offset, named.sh_size);
        for (std::uint64_t at = 0; const auto symbol = value_at<Elf64_Sym>(data, at); at += sizeof(Elf64_Sym)) {
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_size == 0)
                continue;
            const bool internal = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
            const auto [known, added] = functions.emplace(
                text_at(strings, symbol->st_name),
                FunctionPlace{.address = symbol->st_value, .bytes = symbol->st_size, .internal = internal});
            known->second.several = known->second.several || !added;
        }
    });
    return functions;
}

std::string ptx_units_in(std::string_view data) {
    constexpr std::string_view begin = "\n.version ";
    std::string ptx;
    for (std::size_t at = data.find(begin); at != std::string_view::npos; at = data.find(begin, at)) {
        const std::string_view unit = data.substr(at + 1, data.find('\0', at) - at - 1);
        ptx += unit;
        if (!ptx.ends_with('\n')) ptx += '\n';
        at += unit.size();
    }
    return ptx;
}

std::string read_device_code(const std::filesystem::path& object) {
    std::string ptx;
    const auto content = read_file(object);
    if (!content) return ptx;
    for_each_section(*content, [&](const Elf64_Shdr&, std::string_view name, std::string_view data, auto) {
        if (!holds_device_code(name)) return;
        ptx += ptx_units_in(data);
    });
    return ptx;
}

}  // namespace lanescope::host
