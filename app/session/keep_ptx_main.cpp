// keep_ptx TREE: compiles every built-in program and writes its PTX beside it, TREE/kernels/reduce/x.written.ptx and
// x.compiled.ptx, for machines without a compiler.

#include "session/kept_ptx.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

using namespace lanescope;

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
    const std::filesystem::path target = tree / session::kept_path(program, view);
    std::ofstream stream(target, std::ios::binary | std::ios::trunc);
    stream << output->ptx;
    stream.close();
    if (!stream) fmt::print(stderr, "{} cannot be written\n", target.string());
    return bool(stream);
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
        for (const compile::View view : {compile::View::written, compile::View::compiled})
            good = keep(argv[1], program, view) && good;
    }
    return good ? 0 : 1;
}
