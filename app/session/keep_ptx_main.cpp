// keep_ptx TREE [KERNEL...]: compiles every built-in program, or only those named, and writes its PTX beside it,
// TREE/kernels/reduce/x.written.ptx and x.compiled.ptx, and x.types.ptx where these two do not say all types, for
// machines without a compiler. A program that launches several kernels is run, and the steps of its host code are
// written, too: x.steps.

#include "ptx/module.h"
#include "session/catalog.h"
#include "session/described_variables.h"
#include "session/kept_ptx.h"
#include "session/kept_steps.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

namespace {

using namespace lanescope;

bool write(const std::filesystem::path& target, const std::string& text) {
    std::ofstream stream(target, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) fmt::print(stderr, "{} cannot be written\n", target.string());
    return bool(stream);
}

/// The PTX that was kept; nothing where it cannot be made.
std::optional<std::string> keep(const std::filesystem::path& tree, const session::Program& program,
                                compile::View view) {
    const auto request = session::kept_request(program, view);
    if (!request) {
        fmt::print(stderr, "{}: {}\n", program.name, request.error().message());
        return std::nullopt;
    }
    const auto output = compile::compile(*request);
    if (!output) {
        fmt::print(stderr, "{}\n", output.error().problem.message());
        return std::nullopt;
    }
    return write(tree / session::kept_path(program, view), output->ptx) ? std::optional(output->ptx) : std::nullopt;
}

bool keep_views(const std::filesystem::path& tree, const session::Program& program) {
    const auto written = keep(tree, program, compile::View::written);
    const auto compiled = keep(tree, program, compile::View::compiled);
    if (!written || !compiled) return false;
    const auto source = ptx::parse(*written);
    auto module = ptx::parse(*compiled);
    if (!source || !module) return false;
    session::describe_variables(*module, *source);
    const std::string& text = program.source.text;
    if (!session::has_undescribed(*source, text) && !session::has_undescribed(*module, text)) return true;
    return keep(tree, program, compile::View::types).has_value();
}

bool keep_program(const std::filesystem::path& tree, const session::Program& program) {
    const auto written = session::kept_program(program, compile::View::written);
    const auto compiled = session::kept_program(program, compile::View::compiled);
    for (const auto* kept : {&written, &compiled}) {
        if (*kept) continue;
        fmt::print(stderr, "{}: {}\n", program.name, kept->error().message());
        return false;
    }
    if (written->steps != compiled->steps) {
        fmt::print(stderr, "{}: the steps of the host code differ between the views\n", program.name);
        return false;
    }
    const bool ptx = write(tree / session::kept_path(program, compile::View::written), written->ptx) &&
                     write(tree / session::kept_path(program, compile::View::compiled), compiled->ptx);
    return ptx && write(tree / session::kept_steps_path(program), written->steps);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: keep_ptx TREE [KERNEL...]\n");
        return 2;
    }
    const std::set<std::string> names(argv + 2, argv + argc);
    for (const std::string& name : names) {
        if (session::find_program(name) != nullptr) continue;
        fmt::print(stderr, "no kernel is named {}\n", name);
        return 2;
    }
    // The path of a program's sources stands in its PTX: one folder makes it the same on every machine.
    setenv("LANESCOPE_CACHE", "/tmp/lanescope-kept", 1);
    if (!compile::compiler()) {
        fmt::print(stderr, "{}\n", compile::compiler().error().message());
        return 1;
    }
    bool good = true;
    for (const session::Program& program : session::catalog()) {
        if (!names.empty() && !names.contains(program.name)) continue;
        if (program.recipe.host) {
            good = keep_program(argv[1], program) && good;
            continue;
        }
        good = keep_views(argv[1], program) && good;
    }
    return good ? 0 : 1;
}
