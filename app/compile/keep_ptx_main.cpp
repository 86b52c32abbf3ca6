// keep_ptx TREE: compiles every kernel that is built in and writes its PTX beside it, TREE/kernels/reduce/x.written.ptx and
// x.compiled.ptx, for machines without a compiler.

#include "base/embedded.h"
#include "compile/compile.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

using namespace lanescope;

bool keep(const std::filesystem::path& tree, const EmbeddedFile& file, compile::View view) {
    const std::string path(file.path);
    const auto output = compile::compile({.source = std::string(file.bytes), .name = path, .view = view});
    if (!output) {
        fmt::print(stderr, "{}\n", output.error().problem.message());
        return false;
    }
    const std::string suffix = view == compile::View::written ? ".written.ptx" : ".compiled.ptx";
    const std::filesystem::path target = tree / (path.substr(0, path.size() - 3) + suffix);
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
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.ends_with(".cu")) continue;
        for (const compile::View view : {compile::View::written, compile::View::compiled})
            good = keep(argv[1], file, view) && good;
    }
    return good ? 0 : 1;
}
