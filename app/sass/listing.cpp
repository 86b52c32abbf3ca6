#include "sass/listing.h"

#include "base/text.h"
#include "base/whole_number.h"

#include <algorithm>
#include <utility>

namespace lanescope::sass {

namespace {

/// The text between the two; nothing if one of them does not occur.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) return std::nullopt;
    text.remove_prefix(at + before.size());
    const std::size_t end = text.find(after);
    return end != std::string_view::npos ? std::optional(text.substr(0, end)) : std::nullopt;
}

/// The number before a phrase: 8 of "8 bytes spill stores".
std::optional<std::uint64_t> number_before(std::string_view text, std::string_view phrase) {
    const std::size_t end = text.find(phrase);
    if (end == std::string_view::npos) return std::nullopt;
    std::size_t begin = end;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
    return whole_number<std::uint64_t>(text.substr(begin, end - begin));
}

/// "@!P1 BRA `(.L_x_0) ;" -> "@!P1 BRA .L_x_0"
std::string instruction_text(std::string_view text) {
    if (text.ends_with(';')) text.remove_suffix(1);
    std::string made;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.substr(at).starts_with("`(")) {
            const std::size_t close = text.find(')', at);
            if (close != std::string_view::npos) {
                made += text.substr(at + 2, close - at - 2);
                at = close;
                continue;
            }
        }
        made += text[at];
    }
    return std::string(trimmed(made));
}

void cut_padding(Function& function) {
    std::vector<Instruction>& instructions = function.instructions;
    while (!instructions.empty() && instructions.back().text == "NOP" && instructions.back().labels.empty()) {
        instructions.pop_back();
        ++function.padding;
    }
}

}  // namespace

std::vector<Function> read_disassembly(std::string_view text) {
    std::vector<Function> functions;
    std::vector<std::string> labels;
    PtxLine line;
    for (const std::string_view whole : lines_of(text)) {
        const std::string_view part = trimmed(whole);
        if (const auto section = between(part, ".section\t.text.", ",")) {
            functions.push_back({.name = std::string(*section), .instructions = {}});
            labels.clear();
            line = {};
        } else if (functions.empty()) {
            continue;
        } else if (part.starts_with("//## File \"")) {
            // Only the line table of the PTX was requested; an entry applies until the next one.
            if (const std::size_t at = part.rfind("line "); at != std::string_view::npos) {
                std::string_view rest = part.substr(at + 5);
                const auto number = take_number<std::uint32_t>(rest);
                line = number ? PtxLine{*number} : PtxLine{};
            }
        } else if (part.starts_with("/*") && part.ends_with(';')) {
            Instruction instruction;
            const std::size_t close = part.find("*/");
            if (close == std::string_view::npos ||
                !read_whole_number(part.substr(2, close - 2), instruction.address, 16))
                continue;
            instruction.line = line;
            instruction.text = instruction_text(trimmed(part.substr(close + 2)));
            instruction.labels = std::exchange(labels, {});
            functions.back().instructions.push_back(std::move(instruction));
        } else if (part.ends_with(':') && !part.starts_with(".text.") &&
                   part.substr(0, part.size() - 1) != functions.back().name) {
            labels.emplace_back(part.substr(0, part.size() - 1));
        }
    }
    for (Function& function : functions) cut_padding(function);
    std::erase_if(functions, [](const Function& function) { return function.instructions.empty(); });
    return functions;
}

std::map<std::string, Resources> read_resources(std::string_view text) {
    std::map<std::string, Resources> found;
    Resources* of = nullptr;
    for (const std::string_view line : lines_of(text)) {
        constexpr std::string_view properties = "Function properties for ";
        if (const std::size_t at = line.find(properties); at != std::string_view::npos) {
            of = &found[std::string(trimmed(line.substr(at + properties.size())))];
        } else if (of != nullptr && line.contains("bytes stack frame")) {
            of->stack_bytes = number_before(line, " bytes stack frame").value_or(0);
            of->spill_store_bytes = number_before(line, " bytes spill stores").value_or(0);
            of->spill_load_bytes = number_before(line, " bytes spill loads").value_or(0);
        } else if (of != nullptr && line.contains(" registers")) {
            of->registers = number_before(line, " registers");
            of->barriers = number_before(line, " barriers").value_or(0);
            of->static_shared_bytes = number_before(line, " bytes smem").value_or(0);
            of->cumulative_stack_bytes = number_before(line, " bytes cumulative stack size");
        }
    }
    return found;
}

}  // namespace lanescope::sass
