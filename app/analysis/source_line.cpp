#include "analysis/source_line.h"

namespace lanescope::analysis {

std::uint32_t own_file(const ptx::Module& module) {
    for (const ptx::Function& function : module.functions) {
        if (!function.entry) continue;
        for (const ptx::Instruction& instruction : function.instructions) {
            std::uint32_t at = instruction.place;
            if (at >= module.places.size() || module.places[at].line == 0) continue;
            while (module.places[at].inlined_at < module.places.size()) at = module.places[at].inlined_at;
            return module.places[at].file;
        }
    }
    return 0;
}

std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    return source_line_of(module, instruction, own_file(module));
}

std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction, std::uint32_t own_file) {
    // A chain of call sites is as long as the inlining is deep.
    std::uint32_t at = instruction.place;
    while (at < module.places.size() && module.places[at].file != own_file) at = module.places[at].inlined_at;
    return at < module.places.size() ? module.places[at].line : 0;
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
