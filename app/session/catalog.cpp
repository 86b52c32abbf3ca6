#include "session/catalog.h"

#include "base/embedded.h"
#include "base/files.h"
#include "base/grouped.h"
#include "base/text.h"
#include "session/oracle.h"
#include "trace/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace lanescope::session {

namespace {

constexpr std::string_view folder = "kernels/";

/// "kernels/reduce/interleaved_modulo.cu" -> "reduce/interleaved-modulo"
std::string catalog_name(std::string_view path) {
    std::string name(path.substr(folder.size(), path.size() - folder.size() - 3));
    std::ranges::replace(name, '_', '-');
    return name;
}

std::vector<Program> read_catalog() {
    std::vector<Program> programs;
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.starts_with(folder) || !file.path.ends_with(".cu")) continue;
        const std::optional<std::string_view> lesson = embedded_file(lesson_beside(std::string(file.path)));
        Result<Program> program =
            program_from_source(std::string(file.bytes), std::string(file.path), std::string(lesson.value_or("")));
        assert(program && "a built-in kernel describes itself wrongly; tests/unit/session says how");
        if (!program) continue;
        program->name = catalog_name(file.path);
        program->source.built_in = true;
        programs.push_back(*std::move(program));
    }
    std::ranges::stable_sort(programs, {},
                             [](const Program& program) { return std::pair(program.lesson.order, program.name); });
    return programs;
}

}  // namespace

const std::vector<Program>& catalog() {
    static const std::vector<Program> programs = read_catalog();
    return programs;
}

std::vector<std::string> sound_programs() {
    std::vector<std::string> names;
    for (const Program& program : catalog())
        if (program.recipe.expected.fault.empty()) names.push_back(program.name);
    return names;
}

const std::vector<timing::Variant>& catalog_variants() {
    static const std::vector<timing::Variant> variants = [] {
        std::vector<timing::Variant> all;
        for (const Program& program : catalog())
            all.push_back({.kernel = program.name,
                           .title = program.lesson.title,
                           .parts = of_parts(program.recipe.expected.oracle)});
        return all;
    }();
    return variants;
}

const Program* find_program(std::string_view name) {
    const Program* found = nullptr;
    for (const Program& program : catalog()) {
        if (program.name == name) return &program;
        if (program.name.ends_with(fmt::format("/{}", name))) {
            if (found != nullptr) return nullptr;  // not unique
            found = &program;
        }
    }
    return found;
}

Result<Program> read_program(const std::filesystem::path& path, compile::CompilerOptions options) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return fail(fmt::format("there is no file {}", path.string()), {},
                    "name a .cu or .ptx file, or one of the programs that `lanescope list` shows");
    if (std::filesystem::is_directory(path, error)) return fail(fmt::format("{} is a folder", path.string()));
    if (trace::is_trace_file(path))
        return fail("this is a saved trace, not a program", {path.string(), 0, 0},
                    "`lanescope trace` and the window open it");
    if (path.extension() == ".lanescope")
        return fail("this is not a Lanescope trace", {path.string(), 0, 0},
                    "`lanescope trace ... --out FILE` records one; the file may be truncated or damaged");
    constexpr std::uintmax_t most = std::uintmax_t{16} << 20;
    if (const std::uintmax_t size = std::filesystem::file_size(path, error); !error && size > most)
        return fail(
            fmt::format("{} has {}, more than a source of {} MiB", path.string(), counted(size, "byte"), most >> 20));
    const auto text = read_file(path);
    if (!text) return std::unexpected(text.error());
    if (text->find_first_not_of(" \t\r\n") == std::string::npos)
        return fail("the file is empty", {path.string(), 0, 0}, "a program is a .cu or a .ptx file with a kernel");
    if (text->find('\0') != std::string::npos)
        return fail("the file contains no text", {path.string(), 0, 0},
                    "a program is a .cu or a .ptx file; save it as UTF-8 if it is text in UTF-16");
    std::string lesson = read_file(lesson_beside(path.string())).value_or("");
    if (!is_lesson_file(lesson)) lesson.clear();  // some other text
    return program_from_source(to_utf8(*text), path.string(), std::move(lesson), std::move(options));
}

}  // namespace lanescope::session
