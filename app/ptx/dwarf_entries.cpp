#include "ptx/dwarf_entries.h"

#include <algorithm>
#include <unordered_map>

namespace lanescope::ptx::dwarf {
namespace {

/// How an attribute's value is written in .debug_info (DWARF 4, 7.5.4).
enum AttributeForm : std::uint64_t {
    form_addr = 0x01,
    form_block2 = 0x03,
    form_block4 = 0x04,
    form_data2 = 0x05,
    form_data4 = 0x06,
    form_data8 = 0x07,
    form_string = 0x08,
    form_block = 0x09,
    form_block1 = 0x0a,
    form_data1 = 0x0b,
    form_flag = 0x0c,
    form_sdata = 0x0d,
    form_strp = 0x0e,
    form_udata = 0x0f,
    form_ref_addr = 0x10,
    form_ref1 = 0x11,
    form_ref2 = 0x12,
    form_ref4 = 0x13,
    form_ref8 = 0x14,
    form_ref_udata = 0x15,
    form_sec_offset = 0x17,
    form_exprloc = 0x18,
    form_flag_present = 0x19,
};

enum Attribute : std::uint64_t {
    at_location = 0x02,
    at_name = 0x03,
    at_byte_size = 0x0b,
    at_bit_size = 0x0d,
    at_low = 0x11,
    at_high = 0x12,
    at_upper_bound = 0x2f,
    at_origin = 0x31,
    at_count = 0x37,
    at_member_location = 0x38,
    at_line = 0x3b,
    at_encoding = 0x3e,
    at_specification = 0x47,
    at_type = 0x49,
};

// Limits on the cost of damaged or hostile data; a compiler stays far below them.
constexpr std::size_t most_units = 256, most_entries = std::size_t{1} << 18, most_attributes = 64, deepest = 256,
                      longest_string = 4096;

struct Specification {
    std::uint64_t attribute = 0, form = 0;
};
struct Abbreviation {
    std::uint64_t tag = 0;
    bool children = false;
    std::vector<Specification> attributes;
};
using Abbreviations = std::unordered_map<std::uint64_t, Abbreviation>;

Abbreviations read_abbreviations(const Section& section, std::size_t at) {
    Abbreviations abbreviations;
    Cursor cursor(section, at);
    while (!cursor.done()) {
        const std::uint64_t code = cursor.uleb();
        if (code == 0) break;
        Abbreviation abbreviation{.tag = cursor.uleb(), .children = cursor.fixed(1) != 0, .attributes = {}};
        for (;;) {
            const Specification next{.attribute = cursor.uleb(), .form = cursor.uleb()};
            if (next.attribute == 0 && next.form == 0) break;
            abbreviation.attributes.push_back(next);
        }
        if (cursor.failed() || abbreviation.attributes.size() > most_attributes) break;
        abbreviations.try_emplace(code, std::move(abbreviation));
    }
    return abbreviations;
}

/// An attribute's value, whichever form it has.
struct Value {
    std::uint64_t number = 0;
    std::string_view text;  ///< a string, or the symbol of an address
    std::size_t block = 0;  ///< where a block begins
    std::size_t size = 0;   ///< its bytes
};

class Reader {
  public:
    explicit Reader(Info& info) : info_(info) {}

    void read() {
        const std::size_t size = info_.information.bytes.size();
        std::size_t units = 0;
        for (std::size_t unit = 0; unit < size && units < most_units; ++units) {
            Cursor header(info_.information, unit);
            const std::uint64_t length = header.fixed(4);
            const std::uint64_t version = header.fixed(2);
            const Cursor::Address abbreviations = header.address(4);
            address_bytes_ = static_cast<unsigned>(header.fixed(1));
            if (header.failed() || version < 2 || version > 4 || address_bytes_ != 8) return;
            unit_ = unit;
            end_ = std::min(size, unit + 4 + length);
            entries(header, read_abbreviations(info_.abbreviations, abbreviations.value));
            unit = end_;
        }
    }

  private:
    void entries(Cursor cursor, const Abbreviations& abbreviations) {
        std::vector<std::uint32_t> parents;
        while (!cursor.done() && cursor.at() < end_ && info_.entries.size() < most_entries) {
            Entry entry;
            entry.offset = cursor.at();
            entry.parent = parents.empty() ? no_entry : parents.back();
            const std::uint64_t code = cursor.uleb();
            if (code == 0) {
                if (!parents.empty()) parents.pop_back();
                continue;
            }
            const auto abbreviation = abbreviations.find(code);
            if (abbreviation == abbreviations.end()) return;
            entry.tag = abbreviation->second.tag <= 0xffff ? static_cast<Tag>(abbreviation->second.tag) : Tag::none;
            for (const Specification& attribute : abbreviation->second.attributes) {
                const std::optional<Value> value = read(cursor, attribute.form);
                if (!value || cursor.failed()) return;
                assign(entry, attribute, *value);
            }
            if (abbreviation->second.children && parents.size() == deepest) return;
            if (abbreviation->second.children) parents.push_back(static_cast<std::uint32_t>(info_.entries.size()));
            info_.entries.push_back(std::move(entry));
        }
    }

    std::optional<Value> read(Cursor& cursor, std::uint64_t form) const {
        Value value;
        const auto block = [&](std::uint64_t size) {
            value.block = cursor.skip(size);
            value.size = size;
        };
        switch (form) {
            case form_addr:
            case form_data4:
            case form_sec_offset: {
                const Cursor::Address address = cursor.address(form == form_addr ? address_bytes_ : 4);
                value.number = address.value;
                value.text = address.symbol;
                break;
            }
            case form_data1:
            case form_flag: value.number = cursor.fixed(1); break;
            case form_data2: value.number = cursor.fixed(2); break;
            case form_data8: value.number = cursor.fixed(8); break;
            case form_sdata:
            case form_udata: value.number = cursor.uleb(); break;
            case form_flag_present: value.number = 1; break;
            case form_string: value.text = cursor.string(); break;
            case form_strp: {
                const Cursor::Address address = cursor.address(4);
                const auto label = info_.strings.labels.find(address.symbol);
                Cursor string(info_.strings, address.value + (label == info_.strings.labels.end() ? 0 : label->second));
                value.text = string.string(longest_string);
                break;
            }
            case form_block1: block(cursor.fixed(1)); break;
            case form_block2: block(cursor.fixed(2)); break;
            case form_block4: block(cursor.fixed(4)); break;
            case form_block:
            case form_exprloc: block(cursor.uleb()); break;
            case form_ref1: value.number = unit_ + cursor.fixed(1); break;
            case form_ref2: value.number = unit_ + cursor.fixed(2); break;
            case form_ref4: value.number = unit_ + cursor.fixed(4); break;
            case form_ref8: value.number = unit_ + cursor.fixed(8); break;
            case form_ref_udata: value.number = unit_ + cursor.uleb(); break;
            case form_ref_addr: value.number = cursor.address(4).value; break;
            default: return std::nullopt;
        }
        return value;
    }

    /// DW_OP_plus_uconst N: the offset of a member in DWARF 2 (DWARF 4, 5.5.6).
    [[nodiscard]] std::uint64_t offset_in(const Value& value) const {
        constexpr std::uint64_t plus_uconst = 0x23;
        Cursor cursor(info_.information, value.block);
        return cursor.fixed(1) == plus_uconst ? cursor.uleb() : 0;
    }

    void assign(Entry& entry, const Specification& attribute, const Value& value) const {
        switch (attribute.attribute) {
            case at_location:
                if (value.size > 0) {
                    entry.location = read_location(info_.information, value.block, value.size);
                } else if (attribute.form == form_data4 || attribute.form == form_sec_offset) {
                    entry.location_list = value.number;
                }
                break;
            case at_name: entry.name = value.text; break;
            case at_byte_size: entry.bytes = value.number; break;
            case at_bit_size: entry.bit_field = true; break;
            case at_member_location: entry.placed_at = value.size > 0 ? offset_in(value) : value.number; break;
            case at_low: entry.low = value.text; break;
            case at_high: entry.high = value.text; break;
            case at_upper_bound: entry.extent = value.number + 1; break;
            case at_count: entry.extent = value.number; break;
            case at_origin:
            case at_specification: entry.origin = value.number; break;
            case at_line: entry.line = value.number; break;
            case at_encoding: entry.encoding = value.number; break;
            case at_type: entry.type = value.number; break;
            default: break;
        }
    }

    Info& info_;
    unsigned address_bytes_ = 8;
    std::size_t unit_ = 0, end_ = 0;
};

}  // namespace

std::uint32_t Info::at(std::size_t offset) const {
    const auto found = std::ranges::lower_bound(entries, offset, {}, &Entry::offset);
    if (found == entries.end() || found->offset != offset) return no_entry;
    return static_cast<std::uint32_t>(found - entries.begin());
}

Info read_info(const std::vector<SectionText>& sections) {
    Info info{.abbreviations = read_section(sections, ".debug_abbrev"),
              .information = read_section(sections, ".debug_info"),
              .strings = read_section(sections, ".debug_str"),
              .entries = {}};
    Reader(info).read();
    return info;
}

}  // namespace lanescope::ptx::dwarf
