#include "host/host_functions.h"

#include "base/demangle.h"
#include "host/debug_entries.h"
#include "host/object_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::host {

namespace {

#ifdef LANESCOPE_LIBDW

class Signatures {
  public:
    explicit Signatures(const std::filesystem::path& program) : entries_(program) {}

    void describe(HostFunction& function) {
        const std::vector<Dwarf_Die>* const scopes =
            entries_.available() ? &entries_.scopes_at(function.address) : nullptr;
        if (scopes == nullptr || scopes->empty()) {
            function.refused = "its debugging information is missing";
            return;
        }
        entries_.for_each_child(scopes->front(), [&](Dwarf_Die child) {
            const int tag = entries_.dw->tag(&child);
            if (tag == DW_TAG_unspecified_parameters) function.refused = "it takes a variable number of arguments";
            if (tag != DW_TAG_formal_parameter) return;
            HostValue& parameter = function.parameters.emplace_back(value_of(child, "takes", function.refused));
            parameter.name = entries_.text(child, DW_AT_name);
        });
        function.result = value_of(scopes->front(), "returns", function.refused);
    }

  private:
    /// `does`: "takes" or "returns".
    HostValue value_of(Dwarf_Die die, std::string_view does, std::string& refused) const {
        HostValue value;
        const auto refuse = [&](std::string_view what) {
            if (refused.empty()) refused = "it " + std::string(does) + " " + std::string(what);
        };
        const std::optional<Dwarf_Die> given = entries_.type_of(die);
        if (!given) return value;  // void
        const std::optional<Dwarf_Die> type = entries_.plain_type(given);
        if (!type) {
            refuse("a type that the debugging information does not describe");
            return value;
        }
        Dwarf_Die here = *type;
        value.bytes = static_cast<std::uint32_t>(entries_.size_of(here));
        value.type = entries_.text(here, DW_AT_name);
        switch (entries_.dw->tag(&here)) {
            case DW_TAG_base_type: {
                const std::uint64_t encoding = entries_.number(here, DW_AT_encoding).value_or(0);
                value.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
                const bool integer = value.is_signed || encoding == DW_ATE_unsigned || encoding == DW_ATE_boolean ||
                                     encoding == DW_ATE_unsigned_char || encoding == DW_ATE_UTF;
                value.kind = encoding == DW_ATE_float ? HostValue::Kind::floating : HostValue::Kind::integer;
                if ((!integer && encoding != DW_ATE_float) || value.bytes > sizeof(std::uint64_t))
                    refuse("a " + value.type);
                break;
            }
            case DW_TAG_enumeration_type: {
                value.kind = HostValue::Kind::integer;
                if (auto number = entries_.plain_type(entries_.type_of(here))) {
                    const std::uint64_t encoding = entries_.number(*number, DW_AT_encoding).value_or(0);
                    value.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
                }
                break;
            }
            case DW_TAG_pointer_type:
            case DW_TAG_reference_type:
            case DW_TAG_rvalue_reference_type: {
                value.kind = HostValue::Kind::pointer;
                value.bytes = sizeof(std::uint64_t);
                bool kept = false;
                std::optional<Dwarf_Die> target = entries_.plain_type(entries_.type_of(here), &kept);
                std::string name = target ? std::string(entries_.text(*target, DW_AT_name)) : "void";
                const char* const mark = entries_.dw->tag(&here) == DW_TAG_pointer_type ? "*" : "&";
                value.type = (kept ? "const " : "") + name + mark;
                value.written = !kept;
                break;
            }
            case DW_TAG_structure_type:
            case DW_TAG_class_type:
            case DW_TAG_union_type: refuse("a structure by value"); break;
            default: refuse("a type that registers do not carry"); break;
        }
        return value;
    }

    DebugEntries entries_;
};

#else

class Signatures {
  public:
    explicit Signatures(const std::filesystem::path&) {}
    static void describe(HostFunction& function) {
        function.refused = "libdw, which reads its types, is not installed";
    }
};

#endif

/// The name in the source, with its parameters: nvcc puts device functions of internal linkage into a namespace of
/// their file, g++ names the host's without one.
std::optional<std::string> without_file(const std::string& linked) {
    auto text = demangled(linked);
    constexpr std::string_view of_file = "_INTERNAL_", separator = "::";
    for (std::size_t at = 0; text && (at = text->find(of_file, at)) != std::string::npos;) {
        const std::size_t end = text->find(separator, at);
        if (end == std::string::npos) return std::nullopt;
        text->erase(at, end + separator.size() - at);
    }
    return text;
}

/// The device's names of functions of internal linkage, by their names in the source. A name that several files define
/// identifies none of them.
class InternalFunctions {
  public:
    InternalFunctions(const std::map<std::string, FunctionPlace>& of_host,
                      const std::vector<std::string>& device_names) {
        for (const std::string& name : device_names)
            if (name.find("_INTERNAL_") != std::string::npos) add(without_file(name), name, device_);
        for (const auto& [name, place] : of_host)
            if (is_internal(name, place)) add(demangled(name), place.several ? std::string() : name, host_);
    }
    /// Empty if the PTX has no such function, or if several match.
    [[nodiscard]] std::string device_name(const std::string& name, const FunctionPlace& place) const {
        const auto source = is_internal(name, place) ? demangled(name) : std::nullopt;
        if (!source) return {};
        const auto own = host_.find(*source), device = device_.find(*source);
        return own != host_.end() && own->second == name && device != device_.end() ? device->second : std::string();
    }

  private:
    static bool is_internal(const std::string& name, const FunctionPlace& place) {
        return place.internal || name.find("_GLOBAL__N_") != std::string::npos;
    }
    static void add(const std::optional<std::string>& source, const std::string& name,
                    std::map<std::string, std::string>& to) {
        if (!source) return;
        const auto [known, added] = to.emplace(*source, name);
        if (!added) known->second.clear();
    }
    std::map<std::string, std::string> device_, host_;
};

}  // namespace

std::vector<HostFunction> host_functions(const std::filesystem::path& program,
                                         const std::vector<std::string>& device_names) {
    std::vector<HostFunction> functions;
    const auto of_host = read_functions(program);
    const InternalFunctions internal(of_host, device_names);
    for (const auto& [name, place] : of_host) {
        const bool same = std::ranges::find(device_names, name) != device_names.end();
        const std::string device_name = same ? name : internal.device_name(name, place);
        if (device_name.empty()) continue;
        HostFunction& function = functions.emplace_back();
        function.name = name;
        function.device_name = device_name;
        function.address = place.address;
        function.bytes = place.bytes;
    }
    std::ranges::sort(functions, {}, &HostFunction::address);
    // A constructor has two symbols at one address: it is one function.
    const auto same = std::ranges::unique(functions, {}, &HostFunction::address);
    functions.erase(same.begin(), same.end());
    Signatures signatures(program);
    for (HostFunction& function : functions) signatures.describe(function);
    return functions;
}

}  // namespace lanescope::host
