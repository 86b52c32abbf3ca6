#include "unit/tree/include_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <ranges>

namespace lanescope::tree {
namespace {

// Written by the build: one string a folder, "folder used used ...".
constexpr std::string_view k_rules[] = {
#include "include_rules.inc"
};

struct ForeignRule {
    std::string_view what;
    std::vector<std::string_view> prefixes;  ///< of the header's name
    std::vector<std::string_view> folders;   ///< that may include it; empty: none
};

const std::vector<ForeignRule>& foreign_rules() {
    static const std::vector<ForeignRule> rules = {
        {"the CUDA headers",
         {"cuda", "nvrtc", "nvJitLink", "nvtx", "cupti", "cooperative_groups", "cub/", "thrust/", "driver_types.h",
          "vector_types.h"},
         {"compile", "host", "execute/gpu"}},
        {"OpenGL", {"GL/", "GLES", "EGL/", "KHR/", "glad/"}, {"render/gl"}},
        {"the test engine's own headers", {"imgui_te_", "imgui_capture_tool.h"}, {}},
        {"ImGui, what is built on it, and GLFW", {"imgui", "imconfig.h", "GLFW/", "portable_file_dialogs.h"}, {"ui"}},
        {"md4c", {"md4c"}, {"base"}},
        {"Zstandard", {"zstd"}, {"trace"}},
        {"CLI11", {"CLI/"}, {"cli"}},
        {"Anti-Grain Geometry", {"agg"}, {"render/image"}},
        {"stb", {"stb_", "stb/"}, {"scene", "render/image", "render/gl"}},
    };
    return rules;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

struct Include {
    std::string_view header;
    bool quoted = false;
};

std::string_view without_space(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::optional<Include> include_in(std::string_view line) {
    line = without_space(line);
    if (!line.starts_with('#')) return std::nullopt;
    line = without_space(line.substr(1));
    if (!line.starts_with("include")) return std::nullopt;
    line = without_space(line.substr(std::string_view("include").size()));
    if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
    const bool quoted = line.front() == '"';
    const auto end = line.find(quoted ? '"' : '>', 1);
    if (end == std::string_view::npos) return std::nullopt;
    return Include{line.substr(1, end - 1), quoted};
}

// The folder whose rule holds for a path below app/: the longest that the path begins with.
std::string_view folder_of(std::string_view path, const FolderRules& rules) {
    std::string_view best;
    for (const auto& folder : rules | std::views::keys)
        if (folder.size() > best.size() && path.starts_with(folder) && path.substr(folder.size()).starts_with('/'))
            best = folder;
    return best;
}

std::string list_of(const auto& names) { return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")); }

}  // namespace

FolderRules folder_rules() {
    FolderRules rules;
    for (std::string_view rule : k_rules) {
        std::vector<std::string> words;
        for (auto word : rule | std::views::split(' ')) words.emplace_back(word.begin(), word.end());
        rules[words.front()].insert(words.begin() + 1, words.end());
    }
    return rules;
}

std::vector<std::string> check_includes(std::string_view path, std::string_view text, const FolderRules& rules,
                                        const std::set<std::string>& headers) {
    std::vector<std::string> violations;
    const std::string_view below_app = path.substr(std::string_view("app/").size());
    const bool is_main = below_app == "main.cpp";
    const std::string_view folder = folder_of(below_app, rules);
    if (folder.empty() && !is_main) {
        violations.push_back(fmt::format(
            "{}:1: lies in no folder of app/CMakeLists.txt; every source belongs to one of its libraries", path));
        return violations;
    }

    const auto lines = lines_of(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto include = include_in(lines[i]);
        if (!include) continue;
        const auto complain = [&](std::string_view rule) {
            violations.push_back(fmt::format("{}:{}: includes {}, but {}", path, i + 1, include->header, rule));
        };

        const auto foreign = std::ranges::find_if(foreign_rules(), [&](const ForeignRule& rule) {
            return std::ranges::any_of(rule.prefixes, [&](auto prefix) { return include->header.starts_with(prefix); });
        });
        const bool ours = headers.contains(std::string(include->header));
        if (!ours && foreign != foreign_rules().end()) {
            if (std::ranges::find(foreign->folders, folder) == foreign->folders.end())
                complain(fmt::format("{} may be used in {} only", foreign->what,
                                     foreign->folders.empty() ? "tests" : list_of(foreign->folders)));
            continue;
        }
        if (!ours) {
            if (include->quoted)
                complain("there is no such file; our headers are named from app/ (\"ptx/module.h\"), others in <>");
            continue;
        }
        if (!include->quoted) complain("our own headers stand in quotes");

        const std::string_view used = folder_of(include->header, rules);
        if (is_main || used == folder) continue;
        const auto& allowed = rules.find(folder)->second;
        if (!allowed.contains(std::string(used)))
            complain(fmt::format("{} may include of {} only (USES in app/CMakeLists.txt)", folder, list_of(allowed)));
    }
    return violations;
}

std::vector<std::string> check_marks(std::string_view path, std::string_view text) {
    // In two halves, so that this file does not hold them.
    static const std::array<std::string, 3> marks = {std::string("TO") + "DO", std::string("FIX") + "ME",
                                                     std::string("XX") + "X"};
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };

    std::vector<std::string> violations;
    const auto lines = lines_of(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        for (const std::string& mark : marks) {
            for (auto at = line.find(mark); at != std::string_view::npos; at = line.find(mark, at + 1)) {
                const auto end = at + mark.size();
                if ((at > 0 && in_word(line[at - 1])) || (end < line.size() && in_word(line[end]))) continue;
                violations.push_back(fmt::format(
                    "{}:{}: says {}; what is unfinished is finished, or reported to the user", path, i + 1, mark));
            }
        }
    }
    return violations;
}

}  // namespace lanescope::tree
