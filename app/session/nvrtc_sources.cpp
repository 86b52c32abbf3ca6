#include "session/nvrtc_sources.h"

#include "base/files.h"

#include <fmt/format.h>

namespace lanescope::session {

void NvrtcSources::add(std::string_view path, std::string_view text,
                       const std::vector<std::filesystem::path>& folders) {
    const auto [found, added] = sources_.try_emplace(std::string(path));
    trace::SourceText& source = found->second;
    if (!added) {
        if (source.text != text) source.text.clear();
        return;
    }
    source = {.name = std::filesystem::path(path).filename().string(), .text = std::string(text)};
    for (const std::filesystem::path& folder : folders) {
        const auto file = read_file(folder / source.name);
        if (file && *file == text) return;
        if (!file) continue;
        source.name += " (NVRTC)";
        return;
    }
}

std::vector<trace::SourceText> NvrtcSources::texts() const {
    std::vector<trace::SourceText> texts;
    for (const auto& [path, source] : sources_) texts.push_back(source);
    return texts;
}

std::string NvrtcSources::with_names(std::string ptx) const {
    for (const auto& [path, source] : sources_) {
        const std::string wanted = fmt::format("\"{}\"", path), instead = fmt::format("\"{}\"", source.name);
        for (std::size_t at = 0; (at = ptx.find(wanted, at)) != std::string::npos; at += instead.size())
            ptx.replace(at, wanted.size(), instead);
    }
    return ptx;
}

void NvrtcSources::add_as_written(std::string_view ptx) {
    as_written_ += ptx;
    if (!as_written_.ends_with('\n')) as_written_ += '\n';
}

}  // namespace lanescope::session
