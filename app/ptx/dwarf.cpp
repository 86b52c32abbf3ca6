#include "ptx/dwarf.h"

#include "base/demangle.h"
#include "ptx/dwarf_entries.h"
#include "ptx/source_types.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace lanescope::ptx {
namespace {

using namespace dwarf;

constexpr std::size_t most_structures = 1024;
constexpr std::size_t most_ranges = std::size_t{1} << 18;  ///< hostile data may name one long list again and again

const std::vector<Variable>& variables_of(const Module& module, std::uint32_t function) {
    return function == SourceArray::everywhere ? module.variables : module.functions[function].variables;
}

class NameReader {
  public:
    NameReader(Module& module, const DwarfUnit& unit, DwarfKnown& known)
        : module_(module),
          names_(unit.names),
          known_(known),
          info_(read_info(unit.sections)),
          lists_(read_section(unit.sections, ".debug_loc")),
          types_(info_),
          by_line_(unit.functions) {
        for (const std::uint32_t f : unit.functions)
            for (const Label& label : module.functions[f].labels) lines_.try_emplace(label.name, label.line.value);
        std::ranges::sort(by_line_, {}, [&](std::uint32_t f) { return module_.functions[f].line; });
    }

    void read() {
        for (std::uint32_t i = 0; i < info_.entries.size(); ++i) {
            const Entry& entry = info_.entries[i];
            if (entry.tag != Tag::variable && entry.tag != Tag::parameter) continue;
            add_structure(described(entry).type);
            if (entry.tag == Tag::parameter) as_parameter(entry);
            if (entry.location && entry.location->reg.empty()) {
                in_memory(entry);
            } else if (entry.location || entry.location_list) {
                in_registers(entry);
            }
        }
    }

  private:
    /// Lines of code [first, past_last) and the function they are in.
    struct Span {
        std::uint32_t first = 0, past_last = 0;
        std::uint32_t function = 0;
    };

    [[nodiscard]] std::optional<std::uint32_t> line_of(std::string_view label) const {
        const auto found = lines_.find(label);
        return found == lines_.end() ? std::nullopt : std::optional(found->second);
    }

    /// The span of the innermost entry around this one that spans code.
    [[nodiscard]] std::optional<Span> scope_of(const Entry& entry) const {
        for (std::uint32_t at = entry.parent; at != no_entry; at = info_.entries[at].parent) {
            const Entry& outer = info_.entries[at];
            const std::optional<std::uint32_t> low = line_of(outer.low), high = line_of(outer.high);
            if (!low || !high) continue;
            const auto after = std::ranges::upper_bound(by_line_, PtxLine(*low), {},
                                                        [&](std::uint32_t f) { return module_.functions[f].line; });
            if (*high < *low || after == by_line_.begin()) return std::nullopt;
            return Span{*low, *high, *(after - 1)};
        }
        return std::nullopt;
    }

    /// The entry that names and types this one: itself, or the one that it was inlined from.
    [[nodiscard]] const Entry& described(const Entry& entry) const {
        if (!entry.origin) return entry;
        const std::uint32_t origin = info_.at(*entry.origin);
        return origin == no_entry ? entry : info_.entries[origin];
    }

    /// Adds each type once; of several structures of one name, the first.
    void add_structure(std::optional<std::size_t> type) {
        if (!type || !structures_seen_.insert(*type).second) return;
        std::optional<SourceStructure> structure = types_.structure_of(type);
        if (!structure || module_.structures.size() == most_structures) return;
        if (known_.structures.insert(structure->name).second) module_.structures.push_back(*std::move(structure));
    }

    using Indices = std::unordered_map<std::string_view, std::uint32_t>;

    /// The index of the name in `named`; the first if there are several. `index` caches the names of each function.
    template <class Named>
    static std::optional<std::uint32_t> find(std::unordered_map<std::uint32_t, Indices>& index, std::uint32_t function,
                                             const std::vector<Named>& named, std::string_view name) {
        auto [known, fresh] = index.try_emplace(function);
        if (fresh)
            for (std::uint32_t i = 0; i < named.size(); ++i) known->second.try_emplace(named[i].name, i);
        const auto found = known->second.find(name);
        return found == known->second.end() ? std::nullopt : std::optional(found->second);
    }

    /// All of a variable but its location.
    [[nodiscard]] SourceVariable as_declared(const Entry& entry, const Span& scope) {
        const Entry& named = described(entry);
        SourceVariable variable;
        const SourceType type = types_.of(named.type);
        variable.name = named.name;
        variable.type = type.name;
        variable.kind = type.kind;
        variable.value = type.value;
        variable.bytes = static_cast<std::uint32_t>(type.bytes);
        variable.target_kind = types_.target_kind_of(named.type);
        variable.target = types_.target_of(named.type);
        variable.declared_line = static_cast<std::uint32_t>(named.line);
        variable.scope_first_line = scope.first;
        variable.scope_last_line = std::max(scope.first, scope.past_last - 1);
        variable.parameter = entry.tag == Tag::parameter;
        return variable;
    }

    /// Notes a parameter of the function itself, not of one that was inlined into it.
    void as_parameter(const Entry& entry) {
        const std::optional<Span> scope = scope_of(entry);
        if (!scope || entry.parent == no_entry || info_.entries[entry.parent].tag != Tag::subprogram) return;
        std::vector<SourceVariable>& all = module_.functions[scope->function].source_parameters;
        // One too many shows that these are not the parameters as linked.
        if (all.size() <= module_.functions[scope->function].parameters.size())
            all.push_back(as_declared(entry, *scope));
    }

    void in_registers(const Entry& entry) {
        const std::optional<Span> scope = scope_of(entry);
        if (!scope || described(entry).name.empty()) return;
        SourceVariable variable = as_declared(entry, *scope);
        if (entry.location) {
            add_range(variable, *scope, scope->first, scope->past_last, entry.location->reg);
        } else {
            read_list(variable, *scope, *entry.location_list);
        }
        if (!variable.ranges.empty())
            module_.functions[scope->function].source_variables.push_back(std::move(variable));
    }

    void add_range(SourceVariable& variable, const Span& scope, std::uint32_t first, std::uint32_t past_last,
                   const std::string& name) {
        const std::optional<std::uint32_t> reg =
            find(registers_, scope.function, module_.functions[scope.function].registers, name);
        // A list may continue past the block that declares the variable, where its name is not visible.
        first = std::max(first, scope.first);
        past_last = std::min(past_last, scope.past_last);
        if (!reg || past_last <= first || known_.ranges == most_ranges) return;
        variable.ranges.push_back({PtxLine(first), PtxLine(past_last), RegisterId(*reg)});
        ++known_.ranges;
    }

    /// DWARF 2, 7.7.3: pairs of addresses, each with a location, up to a pair of zeros.
    void read_list(SourceVariable& variable, const Span& scope, std::size_t at) {
        Cursor cursor(lists_, at);
        while (!cursor.done() && known_.ranges < most_ranges) {
            const Cursor::Address low = cursor.address(8), high = cursor.address(8);
            if (low.symbol.empty() && high.symbol.empty() && low.value == 0 && high.value == 0) return;
            const std::size_t bytes = cursor.fixed(2);
            const std::size_t begin = cursor.skip(bytes);
            const std::optional<std::uint32_t> first = line_of(low.symbol), past_last = line_of(high.symbol);
            const std::optional<Location> location = read_location(lists_, begin, bytes);
            if (first && past_last && location && !location->reg.empty())
                add_range(variable, scope, *first, *past_last, location->reg);
            ++known_.ranges;  // ranges that are left out cost time, too
        }
    }

    void in_memory(const Entry& entry) {
        const Entry& named = described(entry);
        if (named.name.empty()) return;
        SourceArray array;
        const std::string_view symbol = entry.location->symbol;
        std::optional<std::uint32_t> variable;
        if (const std::optional<Span> scope = scope_of(entry)) {
            array.function = scope->function;
            variable = find(variables_, array.function, module_.functions[array.function].variables, symbol);
        }
        if (!variable) {
            array.function = SourceArray::everywhere;
            const auto found = names_.find(symbol);
            if (found == names_.end() || found->second.function) return;
            variable = found->second.index;
            if (described_elsewhere(*variable)) return;
        }
        array.variable = *variable;
        array.space = variables_of(module_, array.function)[*variable].space;
        const SourceType type = types_.of(named.type);
        array.name = named.name;
        array.element_type = type.name;
        array.kind = type.kind;
        array.element = type.value;
        array.element_bytes = static_cast<std::uint32_t>(type.bytes);
        array.extents = type.extents;
        array.offset = entry.location->offset;
        module_.arrays.push_back(std::move(array));
    }

    /// Whether an earlier unit's DWARF has described the variable.
    [[nodiscard]] bool described_elsewhere(std::uint32_t variable) {
        if (!described_here_.contains(variable) && !known_.variables.insert(variable).second) return true;
        described_here_.insert(variable);
        return false;
    }

    Module& module_;
    const Globals& names_;
    DwarfKnown& known_;
    Info info_;
    Section lists_;
    SourceTypes types_;
    std::unordered_map<std::string_view, std::uint32_t> lines_;         ///< label -> line
    std::vector<std::uint32_t> by_line_;                                ///< defined functions
    std::unordered_map<std::uint32_t, Indices> registers_, variables_;  ///< by function
    std::set<std::size_t> structures_seen_;                             ///< types, by offset
    std::set<std::uint32_t> described_here_;                            ///< indices in Module::variables
};

}  // namespace

std::map<std::string, std::string, std::less<>> debug_strings(const std::vector<SectionText>& sections) {
    std::map<std::string, std::string, std::less<>> strings;
    const Section section = read_section(sections, ".debug_str");
    for (const auto& [label, offset] : section.labels) {
        Cursor cursor(section, offset);
        strings.emplace(label, cursor.string(4096));
    }
    return strings;
}

void read_dwarf(Module& module, const DwarfUnit& unit, DwarfKnown& known) {
    if (!unit.sections.empty()) NameReader(module, unit, known).read();
}

void name_shared_arrays(Module& module) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (const SourceArray& array : module.arrays) known.emplace(array.function, array.variable);
    const auto add = [&](std::uint32_t function) {
        const std::vector<Variable>& variables = variables_of(module, function);
        for (std::uint32_t i = 0; i < variables.size(); ++i) {
            if (variables[i].space != Space::shared || known.contains({function, i})) continue;
            SourceArray array;
            array.name = variable_name_of(variables[i].name);
            array.space = Space::shared;
            array.function = function;
            array.variable = i;
            module.arrays.push_back(std::move(array));
        }
    };
    add(SourceArray::everywhere);
    for (std::uint32_t f = 0; f < module.functions.size(); ++f) add(f);
}

}  // namespace lanescope::ptx
