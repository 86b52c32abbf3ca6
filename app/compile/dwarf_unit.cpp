#include "compile/dwarf_unit.h"

#include "ptx/dwarf_forms.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::compile {

namespace {

// DWARF 2 to 4, section 7.5: the numbers that occur here.
constexpr std::uint64_t tag_compile_unit = 0x11;
constexpr std::uint64_t at_name = 0x03, at_comp_dir = 0x1b;
using enum ptx::dwarf::Form;

/// One number or symbol of a section: `.b32 303`, `.b64 $L__tmp0`; byte lists are one item a byte.
struct Item {
    unsigned bytes = 0;
    std::optional<std::uint64_t> value;  ///< nothing: a symbol
    std::string_view symbol;
};

/// A `.section name { ... }` of the text: where its lines lie, and its items.
struct Section {
    std::size_t begin = 0, end = 0;  ///< of the lines between the braces
    std::vector<Item> items;
};

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool read_items(std::string_view line, std::vector<Item>& items) {
    line = trimmed(line.substr(0, line.find("//")));
    if (line.empty()) return true;
    const unsigned bytes = line.starts_with(".b8")    ? 1
                           : line.starts_with(".b16") ? 2
                           : line.starts_with(".b32") ? 4
                           : line.starts_with(".b64") ? 8
                                                      : 0;
    if (bytes == 0) return false;
    std::string_view rest = line.substr(bytes == 1 ? 3 : 4);
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view text = trimmed(rest.substr(0, comma));
        if (text.empty()) return false;
        Item item{.bytes = bytes, .value = {}, .symbol = text};
        std::uint64_t value = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc{} && stop == text.data() + text.size()) item.value = value;
        items.push_back(item);
        if (comma == std::string_view::npos) return true;
        rest.remove_prefix(comma + 1);
    }
}

std::optional<Section> section(std::string_view ptx, std::string_view name) {
    std::size_t at = 0;
    while ((at = ptx.find(name, at)) != std::string_view::npos) {
        const std::size_t line = ptx.rfind('\n', at) + 1;
        const std::size_t after = at + name.size();
        const bool heads = trimmed(ptx.substr(line, at - line)) == ".section" && after < ptx.size() &&
                           (ptx[after] == '\n' || ptx[after] == '\r' || ptx[after] == ' ' || ptx[after] == '\t');
        if (heads) break;
        at = after;
    }
    if (at == std::string_view::npos) return std::nullopt;
    const std::size_t open = ptx.find('{', at);
    const std::size_t close = open == std::string_view::npos ? open : ptx.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    Section result{.begin = ptx.find('\n', open) + 1, .end = ptx.rfind('\n', close) + 1, .items = {}};
    for (std::size_t from = result.begin; from < result.end;) {
        const std::size_t newline = ptx.find('\n', from);
        if (!read_items(ptx.substr(from, newline - from), result.items)) return std::nullopt;
        from = newline + 1;
    }
    return result;
}

/// What goes through a section's items one value at a time; any surprise turns it bad for good.
class Reader {
  public:
    explicit Reader(const std::vector<Item>& items) : items_(items) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool at_end() const { return at_ >= items_.size(); }
    [[nodiscard]] std::size_t position() const { return at_; }

    /// A number of that many bytes; a symbol counts as 0.
    std::uint64_t fixed(unsigned bytes) {
        if (at_end()) return bad();
        const Item& item = items_[at_];
        if (item.bytes == bytes) {
            ++at_;
            return item.value.value_or(0);
        }
        if (item.bytes != 1) return bad();
        std::uint64_t value = 0;
        for (unsigned i = 0; i < bytes; ++i) value |= fixed(1) << (8 * i);
        return value;
    }

    std::uint64_t uleb() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && good_; shift += 7) {
            const std::uint64_t byte = fixed(1);
            value |= (byte & 0x7f) << shift;
            if ((byte & 0x80) == 0) return value;
        }
        return bad();
    }

    void string() {
        while (good_ && fixed(1) != 0) {
        }
    }

    /// `bytes` bytes, however they are cut into items.
    void skip(std::uint64_t bytes) {
        while (good_ && bytes > 0) {
            if (at_end() || items_[at_].bytes > bytes) {
                bad();
            } else {
                bytes -= items_[at_++].bytes;
            }
        }
    }

    void form(std::uint64_t form) {
        switch (form) {
            case form_addr:
            case form_data8:
            case form_ref8: fixed(8); return;
            case form_data4:
            case form_ref4:
            case form_strp:
            case form_sec_offset: fixed(4); return;
            case form_data2:
            case form_ref2: fixed(2); return;
            case form_data1:
            case form_ref1:
            case form_flag: fixed(1); return;
            case form_sdata:
            case form_udata: uleb(); return;
            case form_string: string(); return;
            case form_block1: skip(fixed(1)); return;
            case form_block2: skip(fixed(2)); return;
            case form_block4: skip(fixed(4)); return;
            case form_block:
            case form_exprloc: skip(uleb()); return;
            case form_flag_present: return;
            default: bad();
        }
    }

  private:
    std::uint64_t bad() {
        good_ = false;
        return 0;
    }

    const std::vector<Item>& items_;
    std::size_t at_ = 0;
    bool good_ = true;
};

struct Attribute {
    std::uint64_t name = 0, form = 0;
};
struct Abbreviation {
    std::uint64_t tag = 0;
    std::vector<Attribute> attributes;
};
using Abbreviations = std::map<std::uint64_t, Abbreviation>;

std::optional<Abbreviations> abbreviations(const Section& section) {
    Abbreviations result;
    Reader reader(section.items);
    while (reader.good() && !reader.at_end()) {
        const std::uint64_t code = reader.uleb();
        if (code == 0) break;
        Abbreviation& entry = result[code];
        entry.tag = reader.uleb();
        reader.fixed(1);  // has children
        while (reader.good()) {
            const Attribute attribute{reader.uleb(), reader.uleb()};
            if (attribute.name == 0 && attribute.form == 0) break;
            entry.attributes.push_back(attribute);
        }
    }
    return reader.good() ? std::optional(std::move(result)) : std::nullopt;
}

/// Items [first, past_last) and the string that takes their place.
struct Replacement {
    std::size_t first = 0, past_last = 0;
    std::string_view text;
};

}  // namespace

std::string with_unit_strings(std::string ptx, std::string_view name, std::string_view directory) {
    const std::optional<Section> abbreviation_section = section(ptx, ".debug_abbrev");
    const std::optional<Section> info = section(ptx, ".debug_info");
    if (!abbreviation_section || !info) return ptx;
    const std::optional<Abbreviations> known = abbreviations(*abbreviation_section);
    if (!known) return ptx;

    Reader reader(info->items);
    std::vector<Replacement> replacements;
    std::vector<std::size_t> references;  // items that count bytes from the unit's start
    reader.fixed(4);                      // length
    reader.fixed(2);                      // version
    reader.fixed(4);                      // .debug_abbrev
    reader.fixed(1);                      // address size
    while (reader.good() && !reader.at_end()) {
        const std::uint64_t code = reader.uleb();
        if (code == 0) continue;  // end of children
        const auto entry = known->find(code);
        if (entry == known->end()) return ptx;
        for (const Attribute& attribute : entry->second.attributes) {
            const std::size_t first = reader.position();
            reader.form(attribute.form);
            if (attribute.form == form_ref4) references.push_back(first);
            const bool text = entry->second.tag == tag_compile_unit && attribute.form == form_string;
            if (text && attribute.name == at_name) replacements.push_back({first, reader.position(), name});
            if (text && attribute.name == at_comp_dir) replacements.push_back({first, reader.position(), directory});
        }
    }
    if (!reader.good() || info->items.empty() || info->items[0].bytes != 4 || !info->items[0].value) return ptx;
    for (const std::size_t at : references) {
        if (info->items[at].bytes != 4 || !info->items[at].value) return ptx;
    }

    std::int64_t growth = 0;
    for (const Replacement& replacement : replacements)
        growth += std::int64_t(replacement.text.size() + 1) - std::int64_t(replacement.past_last - replacement.first);

    std::string body;
    auto replacement = replacements.begin();
    auto reference = references.begin();
    for (std::size_t i = 0; i < info->items.size(); ++i) {
        if (replacement != replacements.end() && i == replacement->first) {
            for (const char c : replacement->text)
                body += fmt::format(".b8 {}\n", unsigned{static_cast<unsigned char>(c)});
            body += ".b8 0\n";
            i = replacement->past_last - 1;
            ++replacement;
            continue;
        }
        const Item& item = info->items[i];
        const bool moved = i == 0 || (reference != references.end() && i == *reference);
        if (moved && i != 0) ++reference;
        if (moved) {
            body += fmt::format(".b32 {}\n", std::int64_t(*item.value) + growth);
        } else {
            body += fmt::format(".b{} {}\n", item.bytes * 8, item.symbol);
        }
    }
    ptx.replace(info->begin, info->end - info->begin, body);
    return ptx;
}

}  // namespace lanescope::compile
