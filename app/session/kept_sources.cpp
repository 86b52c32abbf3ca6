#include "session/kept_sources.h"

#include "analysis/source/source_line.h"
#include "base/files.h"
#include "host/variable_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

namespace lanescope::session {

std::string name_of_source(const std::string& file, const std::vector<std::filesystem::path>& folders) {
    namespace fs = std::filesystem;
    const fs::path path = fs::path(file).lexically_normal();
    if (file.empty() || path.is_relative()) return path.string();
    const fs::path name = path.lexically_relative(folders.front());
    const bool inside = !name.empty() && *name.begin() != "..";
    return inside || host::lies_in(path.string(), folders) ? name.string() : std::string();
}

std::string name_of_other_source(const std::string& file, const std::vector<std::filesystem::path>& folders,
                                 const trace::Origin& origin) {
    std::string name = name_of_source(file, folders);
    return name == origin.source_name ? std::string() : name;
}

namespace {

/// Empty: not known.
std::string file_of_kernel(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch) {
    if (launch >= trace.launches.size()) return {};
    const ptx::Function* const kernel = module.find(trace.launches[launch].kernel);
    return kernel == nullptr ? std::string() : analysis::file_of(module, *kernel);
}

}  // namespace

void keep_sources(trace::Trace& trace, const ptx::Module* module, const std::vector<std::filesystem::path>& folders,
                  std::span<const std::string> files, std::span<const trace::SourceText> texts) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20;
    trace::Origin& origin = trace.origin;
    std::vector<std::string> names;
    const auto add = [&](const std::string& file) {
        const std::string name = name_of_source(file, folders);
        if (!name.empty() && name != driver_name && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    };
    if (module != nullptr) {
        // A kernel's lines are those of the file that it begins in.
        if (const auto own = module->files.find(analysis::own_file(*module)); own != module->files.end())
            add(own->second);
        for (const ptx::Function& function : module->functions) {
            for (const ptx::Instruction& instruction : function.instructions) {
                if (instruction.place >= module->places.size()) continue;
                if (const auto file = module->files.find(module->places[instruction.place].file);
                    file != module->files.end())
                    add(file->second);
            }
        }
    }
    std::ranges::for_each(files, add);
    std::vector<trace::SourceText> found{{origin.source_name, origin.source}};
    for (const std::string& name : names) {
        if (const auto given = std::ranges::find(texts, name, &trace::SourceText::name); given != texts.end()) {
            found.push_back(*given);
            continue;
        }
        std::error_code error;
        const std::filesystem::path path = folders.front() / name;
        if (name == origin.source_name || std::filesystem::file_size(path, error) > most_bytes || error) continue;
        if (auto text = read_file(path)) found.push_back({name, std::move(*text)});
    }
    const auto main = names.empty() ? found.end() : std::ranges::find(found, names.front(), &trace::SourceText::name);
    if (main != found.end()) std::rotate(found.begin(), main, main + 1);
    origin.source_name = found.front().name;
    origin.source = found.front().text;
    origin.other_sources.assign(std::next(found.begin()), found.end());
    if (module == nullptr) return;
    const auto place = [&](trace::Finding& finding) {
        const std::string file = name_of_source(file_of_kernel(trace, *module, finding.launch), folders);
        if (finding.source_line != 0 && file != origin.source_name) finding.source_file = file;
    };
    std::ranges::for_each(trace.findings, place);
    std::ranges::for_each(trace.remarks, place);
}

void remark_on_library_kernels(trace::Trace& trace, const ptx::Module& module,
                               const std::vector<std::filesystem::path>& folders) {
    std::erase_if(trace.findings, [&](trace::Finding& finding) {
        if (finding.kind != trace::Finding::Kind::uninitialized_read) return false;
        const std::string file = file_of_kernel(trace, module, finding.launch);
        if (file.empty() || !name_of_source(file, folders).empty()) return false;
        const auto is_its = [&](const trace::SharedArray& array) { return finding.variable.starts_with(array.name); };
        if (std::ranges::none_of(trace.arrays_of(finding.launch), is_its)) return false;
        finding.message += fmt::format("; the kernel is a library's ({}), which may leave such values unused",
                                       std::filesystem::path(file).filename().string());
        trace.remarks.push_back(finding);
        return true;
    });
}

}  // namespace lanescope::session
