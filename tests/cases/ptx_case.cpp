#include "cases/cases.h"
#include "ptx/module.h"

#include <fmt/format.h>
#include <iterator>

namespace lanescope::cases {
namespace {

using namespace ptx;

class Description {
  public:
    explicit Description(const Module& module) : module_(module) {
        add("PTX {} for sm_{}\n", module.version, module.target);
        for (const auto& [number, name] : module.files) add("file {}: {}\n", number, name);
        for (const Variable& one : module.variables) variable(one, "");
        for (const SourceArray& one : module.arrays) array(one);
        for (const Function& one : module.functions) function(one);
    }
    std::string text;

  private:
    template <class... T>
    void add(fmt::format_string<T...> format, T&&... arguments) {
        fmt::format_to(std::back_inserter(text), format, std::forward<T>(arguments)...);
    }

    void variable(const Variable& variable, std::string_view indent) {
        add("{}.{} {}: .{}, ", indent, name_of(variable.space), variable.name, name_of(variable.type));
        if (variable.dynamic()) {
            add("sized by the launch");
        } else {
            add("{} bytes at {}", variable.bytes, variable.offset);
        }
        add(", aligned to {}", variable.align);
        if (!variable.initial.empty()) {
            add(" =");
            for (const std::byte byte : variable.initial) add(" {:02x}", static_cast<unsigned>(byte));
        }
        for (const Relocation& relocation : variable.relocations)
            add(", at {} the {}address of {}+{}", relocation.offset, relocation.generic ? "generic " : "",
                relocation.of_function ? module_.functions[relocation.index].name
                                       : module_.variables[relocation.index].name,
                relocation.addend);
        add("\n");
    }

    void array(const SourceArray& array) {
        add("source: {} {} {}", name_of(array.space), array.element_type.empty() ? "?" : array.element_type,
            array.name);
        for (const std::uint64_t extent : array.extents) add("[{}]", extent);
        const bool everywhere = array.function == SourceArray::everywhere;
        const auto& variables = everywhere ? module_.variables : module_.functions[array.function].variables;
        add(" is {}+{}\n", variables[array.variable].name, array.offset);
    }

    void function(const Function& function) {
        add("\n{} {}{}: shared {}, dynamic from {}, parameters {}, results {}, local {}, for calls {}\n",
            function.entry ? "entry" : "func", function.name, function.defined ? "" : " (declared)",
            function.shared_bytes, function.dynamic_shared_offset, function.parameter_bytes, function.result_bytes,
            function.local_bytes, function.call_parameter_bytes);
        for (const Variable& one : function.parameters) variable(one, "  parameter ");
        for (const Variable& one : function.results) variable(one, "  result ");
        for (const Variable& one : function.variables) variable(one, "  ");
        for (const SourceVariable& one : function.source_variables) source_variable(function, one);
        for (std::size_t i = 0; i < function.blocks.size(); ++i) block(function, i);
    }

    void source_variable(const Function& function, const SourceVariable& variable) {
        add("  source: {}{} {} (line {})", variable.parameter ? "parameter " : "", variable.type, variable.name,
            variable.declared_line);
        for (const VariableRange& range : variable.ranges)
            add(", {} on lines {} to {}", function.registers[range.reg.index()].name, range.first.value,
                range.past_last.value - 1);
        add("\n");
    }

    void block(const Function& function, std::size_t index) {
        const BasicBlock& block = function.blocks[index];
        add("  block {}", index);
        for (const std::uint32_t successor : block.successors) add(" -> {}", successor);
        if (block.post_dominator != no_instruction) add(", then {}", block.post_dominator);
        add("\n");
        for (std::uint32_t i = block.first; i <= block.last; ++i) instruction(function, function.instructions[i]);
    }

    void instruction(const Function& function, const Instruction& instruction) {
        const std::size_t begin = text.size();
        add("    {:4}  {}", instruction.line.value, print(module_, function, instruction));
        std::string notes;
        for (std::uint32_t at = instruction.place; at != SourcePlace::none; at = module_.places[at].inlined_at) {
            const SourcePlace& place = module_.places[at];
            notes += fmt::format("{}{}{}{}:{}:{}", notes.empty() ? "" : " from ", place.function,
                                 place.function.empty() ? "" : " ", place.file, place.line, place.column);
        }
        if (instruction.reconvergence != no_instruction)
            notes += fmt::format("{}meets on line {}", notes.empty() ? "" : ", ",
                                 function.instructions[instruction.reconvergence].line.value);
        if (!notes.empty()) add("{:{}}// {}", "", begin + 64 > text.size() ? begin + 64 - text.size() : 1, notes);
        add("\n");
    }

    const Module& module_;
};

}  // namespace

std::string ptx_case(const std::filesystem::path& input) {
    const Result<Module> module = parse(read_file(input), input.filename().string());
    return module ? Description(*module).text : module.error().message() + "\n";
}

}  // namespace lanescope::cases
