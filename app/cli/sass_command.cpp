// `lanescope sass`: the machine code that ptxas generates from a run's PTX, beside its PTX and source lines, and its
// registers, memory and occupancy.
#include "analysis/source/source_line.h"
#include "base/demangle.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"
#include "sass/accesses.h"
#include "sass/sass.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <vector>

namespace lanescope::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Disassembled {
    std::shared_ptr<const session::Run> run;
    sass::Listing listing;
    std::map<PtxLine, std::uint32_t> source_lines;  ///< source line of each PTX instruction; 0: none
};

std::uint32_t source_line_of(const Disassembled& of, PtxLine line) {
    const auto found = of.source_lines.find(line);
    return found != of.source_lines.end() ? found->second : 0;
}

/// PTX instructions of all assembled functions for which the line table has no SASS instruction.
std::vector<PtxLine> without_sass(const Disassembled& of) {
    std::set<PtxLine> made;
    for (const sass::Function& function : of.listing.functions)
        for (const sass::Instruction& instruction : function.instructions) made.insert(instruction.line);
    std::vector<PtxLine> lines;
    for (const ptx::Function& function : of.run->module().functions) {
        if (of.listing.function(function.name) == nullptr) continue;
        for (const ptx::Instruction& instruction : function.instructions)
            if (!made.contains(instruction.line)) lines.push_back(instruction.line);
    }
    std::ranges::sort(lines);
    return lines;
}

/// The first launch of a kernel; null if the run does not launch it.
const trace::Launch* launch_of(const session::Run& run, const std::string& function) {
    const auto found = std::ranges::find(run.trace().launches, function, &trace::Launch::kernel);
    return found != run.trace().launches.end() ? &*found : nullptr;
}

std::string number_or_dash(std::uint32_t line) { return line != 0 ? std::to_string(line) : "-"; }

std::string function_text(const Disassembled& of, const sass::Function& function) {
    std::string text = fmt::format("\n{}: {}", source_name_of(function.name),
                                   counted(function.instructions.size(), "SASS instruction"));
    if (function.padding > 0) text += fmt::format(", {} of padding omitted", counted(function.padding, "NOP"));
    text += '\n';
    if (function.resources) {
        text += fmt::format("  {}\n", sass::resources_text(*function.resources));
        if (const trace::Launch* launch = launch_of(*of.run, function.name);
            launch != nullptr && function.resources->registers) {
            const model::Extent block{launch->block.x, launch->block.y, launch->block.z};
            const auto occupancy =
                sass::occupancy_of(of.listing.arch, *function.resources, block, launch->dynamic_shared_bytes);
            text += fmt::format("  in blocks of {} with {} of dynamic shared memory: {}\n",
                                counted(launch->block.count(), "thread"), counted(launch->dynamic_shared_bytes, "byte"),
                                sass::occupancy_sentence(occupancy, *function.resources));
        }
    } else {
        text += "  ptxas reports no resources of this function\n";
    }
    Table table({{{"source"}}, {{"PTX"}}, {{"address"}}, {{"SASS"}, false}});
    for (const sass::Instruction& instruction : function.instructions) {
        for (const std::string& label : instruction.labels) table.add({"", "", "", label + ":"});
        table.add({number_or_dash(source_line_of(of, instruction.line)),
                   number_or_dash(instruction.line.valid() ? instruction.line.value : 0),
                   fmt::format("{:04x}", instruction.address), instruction.text});
    }
    return text + table.text("  ");
}

std::string text_of(const Disassembled& of) {
    std::string text = heading_text(*of.run);
    text += fmt::format("  SASS for sm_{}, assembled by {}, disassembled by {}\n", of.listing.arch,
                        of.listing.assembler, of.listing.disassembler);
    for (const sass::Function& function : of.listing.functions) text += function_text(of, function);
    std::vector<std::uint32_t> lines;
    for (const PtxLine line : without_sass(of)) lines.push_back(line.value);
    if (!lines.empty())
        text += fmt::format(
            "\n{} for which the line table names no SASS (merged, removed, or attributed to another line): {}\n",
            counted(lines.size(), "PTX instruction"), fmt::join(lines, ", "));
    if (const auto changed = sass::changed_accesses(of.listing, of.run->module()); !changed.empty()) {
        text += "\nAccesses that differ from the PTX's; there hardware counters may differ from the emulator's:\n";
        for (const sass::ChangedAccess& access : changed)
            text += fmt::format("  PTX line {}: {}\n", access.line.value, access.what);
    }
    text += "\n\"-\": the line tables of ptxas and of the PTX name no line there.\n";
    return text;
}

Json or_null(const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); }

Json resources_json(const sass::Resources& resources) {
    return {{"registers_per_thread", or_null(resources.registers)},
            {"barriers", resources.barriers},
            {"static_shared_bytes", resources.static_shared_bytes},
            {"stack_bytes", resources.stack_bytes},
            {"cumulative_stack_bytes", or_null(resources.cumulative_stack_bytes)},
            {"spill_store_bytes", resources.spill_store_bytes},
            {"spill_load_bytes", resources.spill_load_bytes}};
}

Json occupancy_json(const model::Occupancy& occupancy) {
    Json limits = Json::array();
    for (const model::Occupancy::Limit limit : occupancy.limits) limits.push_back(model::name_of(limit));
    return {{"blocks", occupancy.blocks},
            {"warps", occupancy.warps},
            {"most_warps", occupancy.most_warps},
            {"limits", limits}};
}

Json line_json(std::uint32_t line) { return line != 0 ? Json(line) : Json(nullptr); }

Json json_of(const Disassembled& of) {
    Json json{{"kernel", session::display_name(*of.run)},
              {"view", of.run->trace().origin.view == trace::View::written ? "written" : "compiled"},
              {"ptx_arch", of.run->trace().origin.arch},
              {"arch", of.listing.arch},
              {"assembler", of.listing.assembler},
              {"disassembler", of.listing.disassembler},
              {"functions", Json::array()},
              {"ptx_lines_without_sass", Json::array()}};
    for (const sass::Function& function : of.listing.functions) {
        Json entry{{"name", source_name_of(function.name)}, {"linked_name", function.name}};
        entry["resources"] = function.resources ? resources_json(*function.resources) : Json(nullptr);
        entry["occupancy"] = nullptr;
        if (const trace::Launch* launch = launch_of(*of.run, function.name);
            launch != nullptr && function.resources && function.resources->registers) {
            const model::Extent block{launch->block.x, launch->block.y, launch->block.z};
            entry["occupancy"] = occupancy_json(
                sass::occupancy_of(of.listing.arch, *function.resources, block, launch->dynamic_shared_bytes));
        }
        entry["instructions"] = Json::array();
        for (const sass::Instruction& instruction : function.instructions) {
            entry["instructions"].push_back(
                {{"address", instruction.address},
                 {"labels", instruction.labels},
                 {"sass", instruction.text},
                 {"ptx_line", line_json(instruction.line.valid() ? instruction.line.value : 0)},
                 {"source_line", line_json(source_line_of(of, instruction.line))}});
        }
        entry["padding_nops"] = function.padding;
        json["functions"].push_back(std::move(entry));
    }
    for (const PtxLine line : without_sass(of)) json["ptx_lines_without_sass"].push_back(line.value);
    json["changed_accesses"] = Json::array();
    for (const sass::ChangedAccess& access : sass::changed_accesses(of.listing, of.run->module()))
        json["changed_accesses"].push_back({{"ptx_line", access.line.value}, {"what", access.what}});
    return json;
}

}  // namespace

int sass(const SassOptions& options, Environment& environment) {
    const std::string command = "lanescope sass";
    // Checked before the run, which may take long.
    if (const auto found = sass::tools_found(); !found) {
        complain(environment, command, found.error());
        return request_wrong;
    }
    const Outcome outcome = run_or_open(options.request, command, environment);
    if (outcome.run == nullptr) return outcome.code;
    const session::Run& run = *outcome.run;
    const unsigned arch = options.sm ? *options.sm : options.request.arch.value_or(sass::usual_arch());
    auto listing = sass::disassemble(run.trace().origin.ptx, arch, environment.progress);
    if (!listing) {
        complain(environment, command, listing.error());
        return request_wrong;
    }
    Disassembled of{.run = outcome.run, .listing = std::move(*listing), .source_lines = {}};
    const std::uint32_t own = analysis::own_file(run.module());
    for (const ptx::Function& function : run.module().functions)
        for (const ptx::Instruction& instruction : function.instructions)
            of.source_lines[instruction.line] = analysis::source_line_of(run.module(), instruction, own);
    environment.out << (options.json ? dump(json_of(of)) : text_of(of));
    return fine;
}

}  // namespace lanescope::cli
