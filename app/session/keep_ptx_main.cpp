// keep_ptx TREE: compiles every built-in program and writes its PTX beside it, TREE/kernels/reduce/x.written.ptx and
// x.compiled.ptx, for machines without a compiler. A program that launches several kernels is run, and the steps of its
// host code are written, too: x.steps.

#include "session/kept_ptx.h"
#include "session/kept_steps.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

using namespace lanescope;

bool write(const std::filesystem::path& target, const std::string& text) {
    std::ofstream stream(target, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) fmt::print(stderr, "{} cannot be written\n", target.string());
    return bool(stream);
}

bool keep(const std::filesystem::path& tree, const session::Program& program, compile::View view) {
    const auto request = session::kept_request(program, view);
    if (!request) {
        fmt::print(stderr, "{}: {}\n", program.name, request.error().message());
        return false;
    }
    const auto output = compile::compile(*request);
    if (!output) {
        fmt::print(stderr, "{}\n", output.error().problem.message());
        return false;
    }
    return write(tree / session::kept_path(program, view), output->ptx);
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
        fmt::print(stderr, "{}: the host code does not do the same in both views\n", program.name);
        return false;
    }
    const bool ptx = write(tree / session::kept_path(program, compile::View::written), written->ptx) &&
                     write(tree / session::kept_path(program, compile::View::compiled), compiled->ptx);
    return ptx && write(tree / session::kept_steps_path(program), written->steps);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: keep_ptx TREE\n");
        return 2;
    }
    if (!compile::compiler()) {
        fmt::print(stderr, "{}\n", compile::compiler().error().message());
        return 1;
    }
    bool good = true;
    for (const session::Program& program : session::catalog()) {
        if (program.recipe.host) {
            good = keep_program(argv[1], program) && good;
            continue;
        }
        for (const compile::View view : {compile::View::written, compile::View::compiled})
            good = keep(argv[1], program, view) && good;
    }
    return good ? 0 : 1;
}
