#include "analysis/source/source_line.h"

#include "analysis/dataflow/instruction_table.h"
#include "base/demangle.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lanescope::analysis {

namespace {

/// The number of the file that a kernel begins in; 0: the text names none.
std::uint32_t number_of_file(const ptx::Module& module, const ptx::Function& kernel) {
    for (const ptx::Instruction& instruction : kernel.instructions) {
        std::uint32_t at = instruction.place;
        if (at >= module.places.size() || module.places[at].line == 0) continue;
        while (module.places[at].inlined_at < module.places.size()) at = module.places[at].inlined_at;
        return module.places[at].file;
    }
    return 0;
}

}  // namespace

std::uint32_t own_file(const ptx::Module& module) {
    for (const ptx::Function& function : module.functions) {
        if (!function.entry) continue;
        if (const std::uint32_t file = number_of_file(module, function); file != 0) return file;
    }
    return 0;
}

std::string file_of(const ptx::Module& module, const ptx::Function& kernel) {
    const auto file = module.files.find(number_of_file(module, kernel));
    return file == module.files.end() ? std::string() : file->second;
}

std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    return source_line_of(module, instruction, own_file(module));
}

std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction, std::uint32_t own_file) {
    // No chain of call sites is longer than the inlining is deep.
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
    return trimmed(text.substr(0, text.find('\n')));
}

namespace {

std::string without_template_arguments(std::string_view name) {
    std::string bare;
    int depth = 0;
    for (const char c : name) {
        if (c == '<') ++depth;
        if (depth == 0) bare += c;
        if (c == '>' && depth > 0) --depth;
    }
    return bare;
}

/// Is it an inline namespace for versions, `__4`, `__v1`, `CUB_300001_SM_750`? Programs do not write these.
bool is_version(std::string_view part) {
    const bool any_digit = std::ranges::any_of(part, [](unsigned char c) { return std::isdigit(c) != 0; });
    const bool shouts = std::ranges::all_of(
        part, [](unsigned char c) { return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_'; });
    return any_digit && (part.starts_with("__") || shouts);
}

/// The function inlined into the user's own file, where the instruction comes from one.
const ptx::SourcePlace* outermost_inlined(const ptx::Module& module, const ptx::Instruction& instruction) {
    if (instruction.place >= module.places.size()) return nullptr;
    const std::uint32_t own = own_file(module);
    const ptx::SourcePlace* place = &module.places[instruction.place];
    while (place->file != own && place->inlined_at < module.places.size()) {
        const ptx::SourcePlace* const caller = &module.places[place->inlined_at];
        if (caller->file == own) return place;
        place = caller;
    }
    return nullptr;
}

/// "cub/block/block_reduce.cuh", as in an #include; empty for the user's own file and where none is named.
std::string header_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    if (instruction.place >= module.places.size()) return {};
    const std::uint32_t number = module.places[instruction.place].file;
    const auto file = module.files.find(number);
    if (file == module.files.end() || number == own_file(module)) return {};
    std::string_view name = file->second;
    for (const std::string_view folder : {std::string_view("/include/"), std::string_view("cccl/")}) {
        if (const std::size_t at = name.rfind(folder); at != std::string_view::npos)
            name.remove_prefix(at + folder.size());
    }
    return std::string(name);
}

/// The lane's last step before `index` in the user's own code; nothing where it has none.
std::optional<std::size_t> last_own_step(const BlockView& block, std::size_t index, unsigned lane) {
    if (block.module.places.empty()) return std::nullopt;
    const WarpId warp = block.step_at(index).warp;
    const std::uint32_t own = own_file(block.module);
    while (index-- > 0) {
        const trace::Step& step = block.step_at(index);
        if (step.warp != warp || !step.active.has(lane)) continue;
        const InstructionInfo* const line = block.provenance.instructions().at(step.line);
        if (line != nullptr && source_line_of(block.module, *line->instruction, own) != 0) return index;
    }
    return std::nullopt;
}

}  // namespace

std::string library_name_of(const std::string& linked) {
    const std::string bare = without_template_arguments(source_name_of(linked));
    std::string name;
    std::string_view rest = bare;
    while (!rest.empty()) {
        const std::size_t end = rest.find("::");
        const std::string_view part = rest.substr(0, end);
        const bool last = end == std::string_view::npos;
        if (last || !is_version(part)) name += (name.empty() ? "" : "::") + std::string(part);
        rest = last ? std::string_view() : rest.substr(end + 2);
    }
    return name;
}

std::string launch_name_of(const std::string& linked) {
    constexpr std::size_t longest = 64;
    std::string name = source_name_of(linked);
    return name.size() <= longest ? name : library_name_of(linked);
}

std::optional<LibraryCall> library_call_of(const BlockView& block, std::size_t index, unsigned lane) {
    const InstructionInfo* const line = block.instruction_at(index);
    if (line == nullptr) return std::nullopt;
    if (const std::uint32_t own = source_line_of(block.module, *line->instruction); own != 0) {
        const ptx::SourcePlace* const inlined = outermost_inlined(block.module, *line->instruction);
        if (inlined == nullptr) return std::nullopt;
        return LibraryCall{library_name_of(inlined->function), own};
    }
    const auto before = last_own_step(block, index, lane);
    if (!before) return std::nullopt;
    const InstructionInfo& caller = *block.instruction_at(*before);
    LibraryCall call{{}, source_line_of(block.module, *caller.instruction)};
    if (const ptx::SourcePlace* const inlined = outermost_inlined(block.module, *caller.instruction);
        inlined != nullptr) {
        call.function = library_name_of(inlined->function);
        return call;
    }
    const ptx::Operand& target = caller.instruction->operands[1];
    if (caller.instruction->action() == ptx::Action::call && caller.function != line->function &&
        target.kind == ptx::Operand::Kind::function && target.function < block.module.functions.size()) {
        call.function = library_name_of(block.module.functions[target.function].name);
        return call;
    }
    // For code inlined without a call site: the first file that the lane reached.
    for (std::size_t at = *before + 1; at <= index; ++at) {
        const trace::Step& step = block.step_at(at);
        if (step.warp != block.step_at(index).warp || !step.active.has(lane)) continue;
        const InstructionInfo* const first = block.provenance.instructions().at(step.line);
        if (first != nullptr) call.function = header_of(block.module, *first->instruction);
        if (!call.function.empty()) return call;
    }
    return std::nullopt;  // no line in the user's own function: compiler-generated
}

std::uint32_t user_line_of(const BlockView& block, std::size_t index, unsigned lane) {
    const InstructionInfo* const line = block.instruction_at(index);
    if (line == nullptr) return 0;
    if (const std::uint32_t own = source_line_of(block.module, *line->instruction); own != 0) return own;
    const auto call = library_call_of(block, index, lane);
    return call ? call->line : 0;
}

StepLines::StepLines(const ptx::Module& module, const InstructionTable& instructions)
    : module_(module), instructions_(instructions), file_(own_file(module)) {}

std::uint32_t StepLines::next(const trace::Step& step) {
    std::uint32_t& line = last_[{step.launch, step.block, step.warp}];
    const InstructionInfo* const instruction = instructions_.at(step.line);
    if (instruction == nullptr) return line;
    if (const std::uint32_t own = source_line_of(module_, *instruction->instruction, file_); own != 0) line = own;
    return line;
}

}  // namespace lanescope::analysis
