// The page of supported instructions, made from the tables that the parser reads.
#include "ptx/forms.h"

#include <fmt/format.h>
#include <iterator>

namespace lanescope::ptx {
namespace {

/// "{.sat}.s32 d a a" -> "add{.sat}.s32 d, a, a"
std::string spelled(std::string_view stem, std::string_view form) {
    std::string text(stem);
    while (form.starts_with(' ') && form.size() > 1 && (form[1] == '.' || form[1] == '{')) form.remove_prefix(1);
    bool in_operands = false;
    for (const char c : form) {
        if (c == ' ') {
            text += in_operands ? ", " : " ";
            in_operands = true;
        } else {
            text += c;
        }
    }
    return text;
}

std::string_view title(Group group) {
    switch (group) {
        case Group::integer: return "Arithmetic";
        case Group::floating: return "Floating point";
        case Group::logic: return "Logic and shifts";
        case Group::compare: return "Comparison";
        case Group::select: return "Selection";
        case Group::convert: return "Conversion";
        case Group::move: return "Moves";
        case Group::load: return "Loads";
        case Group::store: return "Stores";
        case Group::atomic: return "Atomics";
        case Group::shuffle: return "Shuffles and warp reductions";
        case Group::vote: return "Votes and matches";
        case Group::barrier: return "Barriers and fences";
        case Group::branch: return "Branches and calls";
        case Group::exit: return "Leaving";
        case Group::other: return "Others";
    }
    return {};
}

}  // namespace

std::string supported_instructions() {
    std::string page;
    const auto add = [&]<class... T>(fmt::format_string<T...> format, T&&... arguments) {
        fmt::format_to(std::back_inserter(page), format, std::forward<T>(arguments)...);
    };
    add("# Supported PTX instructions\n\n"
        "PTX ISA 9.0; numbers are its sections. `{{.x}}` may be left out, `.(a|b)` is one of several, capitals are "
        "a\n"
        "class of suffixes listed below. Operands: `d` destination, `a` source, `p` one or two predicates, `dp` a\n"
        "destination with a predicate beside it, `dv` and `av` a register or a vector, `[a]` memory, `[t]` a texel\n"
        "by a handle and coordinates, `n` a constant;\n"
        "`?` may be left out; `.u32` and the like where the type is not the instruction's, `.wide` twice as wide, "
        "`.from`\n"
        "the second type.\n");
    for (auto group = static_cast<std::uint8_t>(Group::integer); group <= static_cast<std::uint8_t>(Group::other);
         ++group) {
        add("\n## {}\n\n", title(static_cast<Group>(group)));
        for (const OpcodeInfo& row : opcode_table()) {
            if (opcode_meanings()[static_cast<std::size_t>(row.opcode)].group != static_cast<Group>(group)) continue;
            add("- **{}** ({})\n", row.name, row.section);
            std::string_view rest = row.forms;
            for (bool more = true; more;) {
                const std::size_t end = rest.find(';');
                more = end != std::string_view::npos;
                add("  - `{}`\n", spelled(row.name, rest.substr(0, end)));
                if (more) rest.remove_prefix(end + 1);
            }
        }
    }
    add("\n## Classes of suffixes\n\n");
    for (const NamedList& row : suffix_classes()) add("- `{}`: `{}`\n", row.name, row.members);
    add("\n## Special registers\n\n");
    for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(Special::count); ++i)
        add("{}`{}`", i == 0 ? "" : ", ", name_of(static_cast<Special>(i)));
    add("\n\n## Refused by name\n\n");
    for (const NamedList& row : refused_instructions()) add("- `{}`: {}\n", row.name, row.members);
    return page;
}

}  // namespace lanescope::ptx
