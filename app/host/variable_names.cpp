#include "host/variable_names.h"

#include <algorithm>

#ifdef LANESCOPE_LIBDW

#include "host/debug_entries.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

namespace lanescope::host {

namespace {

/// Stack memory of the program.
class Memory {
  public:
    explicit Memory(const Stack& stack) : stack_(stack) {}
    [[nodiscard]] std::optional<std::uint64_t> pointer_at(std::uint64_t address) const {
        std::uint64_t value = 0;
        if (address < stack_.begin || address - stack_.begin > stack_.bytes.size() ||
            stack_.bytes.size() - (address - stack_.begin) < sizeof value)
            return std::nullopt;
        std::memcpy(&value, stack_.bytes.data() + (address - stack_.begin), sizeof value);
        return value;
    }

  private:
    const Stack& stack_;
};

}  // namespace

struct VariableNames::Reader : DebugEntries {
    Reader(const std::filesystem::path& program, std::vector<std::filesystem::path> folders)
        : DebugEntries(program), sources(std::move(folders)) {}

    // --- Entries -------------------------------------------------------------------------------------------------

    [[nodiscard]] std::string_view name_of(Dwarf_Die die) const { return text(die, DW_AT_name); }
    [[nodiscard]] bool is_own(Dwarf_Die die) const {
        const char* path = dw->decl_file(&die);
        return path != nullptr && lies_in(path, sources);
    }

    // --- Types ---------------------------------------------------------------------------------------------------

    [[nodiscard]] static bool is_structure(int tag) {
        return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
    }

    /// The name of the pointer-sized object at `offset` bytes in a variable: `name` with members and indices appended.
    [[nodiscard]] std::optional<NamedVariable> inside(std::optional<Dwarf_Die> given, std::uint64_t offset,
                                                      const std::string& name, unsigned depth = 0) const {
        constexpr unsigned deepest = 16;
        const std::optional<Dwarf_Die> type = plain_type(given);
        if (!type || depth > deepest) return std::nullopt;
        Dwarf_Die here = *type;
        const int tag = dw->tag(&here);
        if (tag == DW_TAG_pointer_type) {
            if (offset != 0) return std::nullopt;
            const std::optional<Dwarf_Die> pointee = plain_type(type_of(here));
            return NamedVariable{.name = name, .type = pointee ? std::string(name_of(*pointee)) : ""};
        }
        if (is_structure(tag)) return member(here, offset, name, depth);
        if (tag == DW_TAG_array_type) return element(here, offset, name, depth);
        if (offset != 0 || size_of(here) != sizeof(void*)) return std::nullopt;
        return NamedVariable{.name = name, .type = ""};  // a pointer stored as an integer
    }

    [[nodiscard]] std::optional<NamedVariable> member(Dwarf_Die structure, std::uint64_t offset,
                                                      const std::string& name, unsigned depth) const {
        std::optional<NamedVariable> found;
        for_each_child(structure, [&](Dwarf_Die child) {
            const int tag = dw->tag(&child);
            if (found || (tag != DW_TAG_member && tag != DW_TAG_inheritance)) return;
            const std::uint64_t at = number(child, DW_AT_data_member_location).value_or(0);
            const std::optional<Dwarf_Die> type = plain_type(type_of(child));
            if (!type || offset < at || offset - at >= size_of(*type)) return;
            std::string inner = name;
            const std::string_view own = name_of(child);
            // The elements of std::array are in a private member, whose name users do not know.
            if (tag == DW_TAG_member && !own.empty() && own != "_M_elems")
                inner += (name.empty() || name.ends_with("->") ? "" : ".") + std::string(own);
            found = inside(type, offset - at, inner, depth + 1);
        });
        return found;
    }

    [[nodiscard]] std::optional<NamedVariable> element(Dwarf_Die array, std::uint64_t offset, const std::string& name,
                                                       unsigned depth) const {
        const std::optional<Dwarf_Die> type = plain_type(type_of(array));
        const std::uint64_t bytes = type ? size_of(*type) : 0;
        if (bytes == 0) return std::nullopt;
        std::vector<std::uint64_t> extents;
        for_each_child(array, [&](Dwarf_Die child) {
            if (dw->tag(&child) != DW_TAG_subrange_type) return;
            const std::optional<std::uint64_t> last = number(child, DW_AT_upper_bound);
            extents.push_back(last ? *last + 1 : number(child, DW_AT_count).value_or(0));
        });
        std::uint64_t index = offset / bytes;
        std::string indices;
        for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
            if (*extent == 0) return std::nullopt;
            indices = fmt::format("[{}]{}", index % *extent, indices);
            index /= *extent;
        }
        if (index != 0) return std::nullopt;
        return inside(type, offset % bytes, name + indices, depth + 1);
    }

    // --- Variables -----------------------------------------------------------------------------------------------

    /// The address of a variable in a function whose canonical frame address is `frame`; 0: it has none.
    [[nodiscard]] std::optional<std::uint64_t> address_of(Dwarf_Die die, std::uint64_t frame) const {
        Dwarf_Attribute attribute;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        if (dw->attr_integrate(&die, DW_AT_location, &attribute) == nullptr ||
            dw->getlocation(&attribute, &operations, &count) != 0 || count != 1)
            return std::nullopt;
        if (operations[0].atom == DW_OP_addr) return operations[0].number;
        if (operations[0].atom == DW_OP_fbreg && frame != 0) return frame + operations[0].number;
        return std::nullopt;
    }

    /// Whether the function describes its variables relative to the canonical frame address, as g++ does without
    /// optimization.
    [[nodiscard]] bool counts_from_frame_address(Dwarf_Die function) const {
        Dwarf_Attribute attribute;
        Dwarf_Op* operations = nullptr;
        std::size_t count = 0;
        return dw->attr_integrate(&function, DW_AT_frame_base, &attribute) != nullptr &&
               dw->getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
               operations[0].atom == DW_OP_call_frame_cfa;
    }

    struct Variable {
        Dwarf_Die die;
        std::uint64_t address = 0;
    };

    /// The variables in scope at the call before a return address, those of the innermost block first.
    [[nodiscard]] std::vector<Variable> variables_at(std::uint64_t caller, std::uint64_t frame) {
        std::vector<Variable> found;
        const std::vector<Dwarf_Die>& scopes = scopes_at(caller - 1);
        if (scopes.empty()) return found;
        const bool own = is_own(scopes.front());
        const std::uint64_t base = counts_from_frame_address(scopes.front()) ? frame : 0;
        for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
            for_each_child(*scope, [&](Dwarf_Die child) {
                const int tag = dw->tag(&child);
                if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return;
                // The entries of a lambda and of `this` have no file.
                if (!own && !is_own(child)) return;
                if (const auto address = address_of(child, base)) found.push_back({child, *address});
            });
        return found;
    }

    /// Variables outside of functions.
    [[nodiscard]] const std::vector<Variable>& globals() {
        if (!globals_) {
            globals_.emplace();
            Dwarf_CU* unit = nullptr;
            Dwarf_Die die;
            while (dw->get_units(debug, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) add_globals(die, 0);
        }
        return *globals_;
    }
    void add_globals(Dwarf_Die outer, unsigned depth) {
        constexpr unsigned deepest = 8;
        for_each_child(outer, [&](Dwarf_Die child) {
            const int tag = dw->tag(&child);
            if (tag == DW_TAG_namespace && depth < deepest) add_globals(child, depth + 1);
            if (tag != DW_TAG_variable || !is_own(child)) return;
            if (const auto address = address_of(child, 0)) globals_->push_back({child, *address});
        });
    }

    /// The part of the variable that lies at the address.
    [[nodiscard]] std::optional<NamedVariable> covering(const Variable& variable, std::uint64_t address) const {
        const std::optional<Dwarf_Die> type = plain_type(type_of(variable.die));
        if (!type || address < variable.address || address - variable.address >= size_of(*type)) return std::nullopt;
        return inside(type, address - variable.address, std::string(name_of(variable.die)));
    }

    /// An element of a std::vector, whose first members are the start and the end of its elements.
    [[nodiscard]] std::optional<NamedVariable> in_vector(const Variable& variable, std::uint64_t address,
                                                         const Memory& memory) const {
        std::optional<Dwarf_Die> type = plain_type(type_of(variable.die));
        std::uint64_t vector = variable.address;
        if (type && dw->tag(&*type) == DW_TAG_reference_type) {
            type = plain_type(type_of(*type));
            vector = memory.pointer_at(vector).value_or(0);
        }
        if (!type || !name_of(*type).starts_with("vector<") || size_of(*type) != 3 * sizeof(void*)) return std::nullopt;
        const auto begin = memory.pointer_at(vector), end = memory.pointer_at(vector + sizeof(void*));
        if (!begin || !end || address < *begin || address >= *end) return std::nullopt;
        std::optional<Dwarf_Die> element_type;
        for_each_child(*type, [&](Dwarf_Die child) {
            if (!element_type && dw->tag(&child) == DW_TAG_template_type_parameter)
                element_type = plain_type(type_of(child));
        });
        const std::uint64_t bytes = element_type ? size_of(*element_type) : 0;
        if (bytes == 0) return std::nullopt;
        const std::uint64_t offset = address - *begin;
        return inside(element_type, offset % bytes, fmt::format("{}[{}]", name_of(variable.die), offset / bytes));
    }

    /// A member at the address, of the structure that the variable points or refers to.
    [[nodiscard]] std::optional<NamedVariable> pointed_to(const Variable& variable, std::uint64_t address,
                                                          const Memory& memory) const {
        const std::optional<Dwarf_Die> type = plain_type(type_of(variable.die));
        if (!type) return std::nullopt;
        Dwarf_Die here = *type;
        const int tag = dw->tag(&here);
        if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type) return std::nullopt;
        const std::optional<Dwarf_Die> pointee = plain_type(type_of(here));
        const auto value = memory.pointer_at(variable.address);
        if (!pointee || !value) return std::nullopt;
        Dwarf_Die target = *pointee;
        if (!is_structure(dw->tag(&target)) || address < *value || address - *value >= size_of(target))
            return std::nullopt;
        std::string name(name_of(variable.die));
        if (name == "this") {
            name.clear();
        } else if (tag == DW_TAG_pointer_type) {
            name += "->";
        }
        return inside(pointee, address - *value, name);
    }

    std::vector<std::filesystem::path> sources;

  private:
    std::optional<std::vector<Variable>> globals_;
};

VariableNames::VariableNames(const std::filesystem::path& program, std::vector<std::filesystem::path> sources)
    : reader_(std::make_unique<Reader>(program, std::move(sources))) {}

bool VariableNames::available() const { return reader_->available(); }

std::optional<NamedVariable> VariableNames::at(std::uint64_t address, const Stack& stack) {
    if (!available() || address == 0) return std::nullopt;
    std::vector<Reader::Variable> variables;
    for (std::size_t i = 0; i < stack.callers.size() && i < stack.frames.size(); ++i)
        std::ranges::move(reader_->variables_at(stack.callers[i], stack.frames[i]), std::back_inserter(variables));
    const Memory memory(stack);
    // A variable takes precedence over a pointer to it: "buffers.in" of main rather than "in" of its constructor.
    for (const Reader::Variable& variable : variables)
        if (auto found = reader_->covering(variable, address)) return found;
    for (const Reader::Variable& variable : reader_->globals())
        if (auto found = reader_->covering(variable, address)) return found;
    for (const Reader::Variable& variable : variables)
        if (auto found = reader_->in_vector(variable, address, memory)) return found;
    for (const Reader::Variable& variable : variables)
        if (auto found = reader_->pointed_to(variable, address, memory)) return found;
    return std::nullopt;
}

std::optional<PlacedVariable> VariableNames::holding(std::uint64_t address, const Stack& stack) {
    if (!available()) return std::nullopt;
    const auto whole = [&](const Reader::Variable& variable) -> std::optional<PlacedVariable> {
        const auto type = reader_->plain_type(reader_->type_of(variable.die));
        const std::uint64_t bytes = type ? reader_->size_of(*type) : 0;
        if (address < variable.address || address - variable.address >= bytes) return std::nullopt;
        return PlacedVariable{
            .address = variable.address, .bytes = bytes, .name = std::string(reader_->name_of(variable.die))};
    };
    for (std::size_t i = 0; i < stack.callers.size() && i < stack.frames.size(); ++i)
        for (const Reader::Variable& variable : reader_->variables_at(stack.callers[i], stack.frames[i]))
            if (auto found = whole(variable)) return found;
    for (const Reader::Variable& variable : reader_->globals())
        if (auto found = whole(variable)) return found;
    return std::nullopt;
}

}  // namespace lanescope::host

#else

namespace lanescope::host {

struct VariableNames::Reader {};

VariableNames::VariableNames(const std::filesystem::path&, std::vector<std::filesystem::path>) {}
bool VariableNames::available() const { return false; }
std::optional<NamedVariable> VariableNames::at(std::uint64_t, const Stack&) { return std::nullopt; }
std::optional<PlacedVariable> VariableNames::holding(std::uint64_t, const Stack&) { return std::nullopt; }

}  // namespace lanescope::host

#endif

namespace lanescope::host {

VariableNames::VariableNames(VariableNames&&) noexcept = default;
VariableNames& VariableNames::operator=(VariableNames&&) noexcept = default;
VariableNames::~VariableNames() = default;

bool lies_in(const std::string& file, const std::vector<std::filesystem::path>& folders) {
    return std::ranges::any_of(folders, [&](const std::filesystem::path& folder) {
        std::string prefix = folder.string();
        if (prefix.ends_with('/')) prefix.pop_back();
        return file.starts_with(prefix) && (file.size() == prefix.size() || file[prefix.size()] == '/');
    });
}

}  // namespace lanescope::host
