#include "analysis/source_line.h"

namespace lanescope::analysis {

std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    if (instruction.place >= module.places.size()) return 0;
    // The user's file is the first that the text names; a chain of call sites is as long as the inlining is deep.
    const std::uint32_t own_file = module.files.empty() ? 1 : module.files.begin()->first;
    const ptx::SourcePlace* place = &module.places[instruction.place];
    for (std::size_t depth = 0; depth < module.places.size(); ++depth) {
        if (place->file == own_file || place->inlined_at >= module.places.size()) break;
        place = &module.places[place->inlined_at];
    }
    return place->file == own_file ? place->line : 0;
}

std::string_view trimmed_line(std::string_view text, std::uint32_t line) {
    if (line == 0) return {};
    for (; line > 1; --line) {
        const std::size_t newline = text.find('\n');
        if (newline == std::string_view::npos) return {};
        text.remove_prefix(newline + 1);
    }
    text = text.substr(0, text.find('\n'));
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace lanescope::analysis
