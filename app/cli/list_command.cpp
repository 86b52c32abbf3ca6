#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/table.h"
#include "compile/compile.h"
#include "ptx/opcode.h"
#include "session/catalog.h"
#include "session/input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <ostream>

namespace lanescope::cli {

namespace {

int list_instructions(bool json, Environment& environment) {
    if (!json) {
        environment.out << ptx::supported_instructions();
        return fine;
    }
    nlohmann::ordered_json instructions = nlohmann::ordered_json::array();
    for (const ptx::OpcodeInfo& info : ptx::opcode_table()) {
        instructions.push_back({{"name", info.name}, {"section", info.section}, {"forms", info.forms}});
    }
    environment.out << dump(instructions);
    return fine;
}

int list_inputs(bool json, Environment& environment) {
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
    Table table({{{"input"}, false}, {{"values"}, false}});
    for (const session::NamedInput& input : session::named_inputs()) {
        inputs.push_back({{"name", input.name}, {"description", input.description}});
        if (!input.values.empty()) inputs.back()["values"] = input.values;
        table.add({std::string(input.name), std::string(input.description)});
    }
    environment.out << (json ? dump(inputs) : table.text());
    return fine;
}

std::string lecture_of(const session::Lesson& lesson) {
    return fmt::format("{}", fmt::join(session::paragraphs_of(lesson, session::section::lecture), " "));
}

}  // namespace

int list(const ListOptions& options, Environment& environment) {
    if (options.instructions) return list_instructions(options.json, environment);
    if (options.inputs) return list_inputs(options.json, environment);
    if (options.json) {
        nlohmann::ordered_json programs = nlohmann::ordered_json::array();
        for (const session::Program& program : session::catalog()) {
            programs.push_back({{"name", program.name},
                                {"family", program.lesson.family},
                                {"summary", program.lesson.summary},
                                {"title", program.lesson.title},
                                {"lecture", lecture_of(program.lesson)},
                                {"words", session::paragraphs_of(program.lesson, session::section::words)},
                                {"background", session::paragraphs_of(program.lesson, session::section::background)},
                                {"look", session::paragraphs_of(program.lesson, session::section::look)},
                                {"reading", session::paragraphs_of(program.lesson, session::section::reading)},
                                {"block_rule", program.recipe.limits.block},
                                {"input", program.recipe.input},
                                {"oracle", program.recipe.expected.oracle},
                                {"work", program.lesson.work},
                                {"span", program.lesson.span}});
            if (!program.recipe.expected.fault.empty()) programs.back()["fault"] = program.recipe.expected.fault;
        }
        environment.out << dump(programs);
        return fine;
    }
    Table table({{{"kernel"}, false}, {{"title"}, false}, {{"block sizes"}, false}});
    for (const session::Program& program : session::catalog()) {
        table.add({program.name, program.lesson.title, with_grouped_numbers(program.recipe.limits.block)});
    }
    environment.out << table.text();
    for (const session::Program& program : session::catalog()) {
        environment.out << '\n' << program.name << "\n  " << program.lesson.summary << '\n';
    }
    return fine;
}

int version(const VersionOptions& options, Environment& environment) {
    const auto& compiler = compile::compiler();
    const std::string found = compiler ? fmt::format("NVRTC {}.{}", compiler->major, compiler->minor) : "";
    if (options.json) {
        nlohmann::ordered_json json{{"version", environment.version}};
        json["compiler"] = found.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(found);
        environment.out << dump(json);
        return fine;
    }
    environment.out << "lanescope " << environment.version << '\n';
    if (compiler) {
        environment.out << found << ", " << compiler->library.string() << '\n';
    } else {
        environment.out << "No CUDA compiler: " << compiler.error().message() << '\n';
    }
    return fine;
}

}  // namespace lanescope::cli
