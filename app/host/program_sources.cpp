#include "host/program_sources.h"

#include "base/demangle.h"
#include "base/files.h"
#include "base/text.h"
#include "host/compile_commands.h"
#include "host/object_file.h"
#include "host/objects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_files = 4096;  ///< of a folder and its inner ones, when a header is looked for
constexpr int most_parents = 4, most_rounds = 64;

bool is_source(const fs::path& file) {
    static const std::set<fs::path> extensions{".cu", ".cpp", ".cc", ".cxx", ".c"};
    return extensions.contains(file.extension());
}

bool is_source_or_header(const fs::path& file) {
    static const std::set<fs::path> extensions{".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl"};
    return is_source(file) || extensions.contains(file.extension());
}

/// Whether the text contains the word, followed by `next` after optional blanks (0: by anything).
bool has_word(std::string_view text, std::string_view word, char next = '\0') {
    for (std::size_t at = find_word(text, word); at != std::string_view::npos; at = find_word(text, word, at + 1)) {
        std::size_t end = at + word.size();
        while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) ++end;
        if (next == '\0' || (end < text.size() && text[end] == next)) return true;
    }
    return false;
}

/// The identifier of a demangled symbol that a source must contain: "scale" for "geometry::scale(float, int)", "Shape"
/// for "vtable for Shape".
std::string word_of(const std::string& symbol) {
    std::string text = demangled(symbol).value_or(symbol);
    text = text.substr(0, text.find('('));
    text = text.substr(0, text.find('<'));
    std::size_t begin = text.size();
    while (begin > 0 && is_identifier_character(text[begin - 1])) --begin;
    return text.substr(begin);
}

/// Sources of the folder, in the order of their names.
std::vector<fs::path> sources_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (is_source(at->path()) && at->is_regular_file(error)) found.push_back(at->path());
    std::ranges::sort(found);
    return found;
}

std::size_t depth_of(const fs::path& path) { return static_cast<std::size_t>(std::distance(path.begin(), path.end())); }

/// Visits what is in the folder and its inner ones, up to `most_files`.
template <class Visit>
void walk(const fs::path& folder, const Visit& visit) {
    std::error_code error;
    std::size_t seen = 0;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end && seen < most_files;
         at.increment(error), ++seen)
        visit(at);
}

/// Files of the folder and its subfolders, the least nested first. Hidden folders and build folders are skipped.
std::vector<fs::path> files_below(const fs::path& folder, bool (*wanted)(const fs::path&)) {
    std::vector<fs::path> found;
    walk(folder, [&](fs::recursive_directory_iterator& at) {
        const fs::path& path = at->path();
        std::error_code error;
        if (at->is_directory(error)) {
            const bool built = fs::exists(path / "CMakeCache.txt", error) || path.filename() == "CMakeFiles";
            if (built || path.filename().string().starts_with('.')) at.disable_recursion_pending();
        } else if (wanted(path) && at->is_regular_file(error)) {
            found.push_back(path);
        }
    });
    std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
        return std::pair(depth_of(a), a) < std::pair(depth_of(b), b);
    });
    return found;
}

std::vector<fs::path> sources_below(const fs::path& folder) { return files_below(folder, is_source); }

/// The root folder of the program that `folder` is part of: it has a build file, or the folder is its `src`, or it is
/// the root of a repository.
std::optional<fs::path> project_of(fs::path folder) {
    std::error_code error;
    std::optional<fs::path> found;
    for (int level = 0; level <= most_parents && folder.has_relative_path(); ++level, folder = folder.parent_path()) {
        if (fs::exists(folder / ".git", error)) return found ? found : folder;
        for (const char* const build : {"CMakeLists.txt", "Makefile", "makefile"})
            if (fs::exists(folder / build, error)) found = folder;
        if (found) return found;
        for (const char* const usual : {"src", "source", "app", "apps"})
            if (folder.filename() == usual) return folder.parent_path();
    }
    return std::nullopt;
}

/// The folder of a header: below the folder of the sources, else below one of its parents, up to a repository's root.
std::optional<fs::path> folder_of_header(const fs::path& header, const fs::path& near) {
    std::error_code error;
    fs::path base = near;
    for (int level = 0; level <= most_parents && base.has_relative_path(); ++level, base = base.parent_path()) {
        std::optional<fs::path> found;
        walk(base, [&](fs::recursive_directory_iterator& at) {
            if (at->path().filename() == ".git") at.disable_recursion_pending();
            if (at->path().filename() != header.filename()) return;
            fs::path folder = at->path();
            std::error_code unreadable;
            bool same = at->is_regular_file(unreadable);
            for (auto part = header.end(); same && part != header.begin(); folder = folder.parent_path())
                same = folder.filename() == *--part;
            // The least nested one, if there are several.
            if (same && (!found || depth_of(folder) < depth_of(*found))) found = folder;
        });
        if (found) return found;
        if (fs::exists(base / ".git", error)) break;
    }
    return std::nullopt;
}

/// One sentence for each source whose compile command is not applied in full.
std::vector<std::string> notes_on(const std::vector<CompileCommand>& commands, const std::vector<fs::path>& sources,
                                  const fs::path& file) {
    std::vector<std::string> notes;
    std::map<fs::path, CompileCommand> first;
    std::set<fs::path> differing;
    for (const CompileCommand& command : commands) {
        if (std::ranges::find(sources, command.file) == sources.end()) continue;
        const auto [same, added] = first.emplace(command.file, command);
        if (!added && same->second.options != command.options) differing.insert(command.file);
    }
    for (const auto& [source, command] : first) {
        const std::string name = source.filename().string();
        if (!command.not_taken.empty())
            notes.push_back(fmt::format("{} of {} is not applied: it is compiled without {}.",
                                        fmt::join(command.not_taken, " "), name,
                                        command.not_taken.size() > 1 ? "them" : "it"));
        if (differing.contains(source))
            notes.push_back(fmt::format("{} has several commands for {} that differ: the first one is used.",
                                        file.filename().string(), name));
    }
    return notes;
}

class Search {
  public:
    Search(BuildRequest request, Progress& progress) : request_(std::move(request)), progress_(progress) {}

    std::expected<ProgramSources, BuildError> run(const fs::path& opened, const fs::path& folder) {
        std::error_code error;
        const fs::path path = fs::absolute(opened, error).lexically_normal();
        if (fs::is_directory(path, error)) {
            auto main = source_with_main(path);
            if (!main) return std::unexpected(BuildError{.problem = main.error(), .diagnostics = {}});
            request_.sources = {*main};
        } else {
            request_.sources = {path};
        }
        opened_ = path;
        program_ = folder;
        folder_ = request_.sources.front().parent_path();
        read_commands();
        std::optional<BuildError> first;  // for the target that was asked for
        for (int round = 0; round < most_rounds; ++round) {
            auto built = build_program(request_, progress_);
            const bool changed = built ? add_definers_of(missing_on_device())
                                       : find_header(built.error()) || add_flag(built.error()) ||
                                             add_definers_of(built.error().missing) || link_device_code(built.error());
            if (changed) continue;
            if (built) {
                request_.apart = built->apart;
                return ProgramSources{.request = request_,
                                      .notes = notes_on(commands_, request_.sources, commands_file_)};
            }
            if (!first) first = built.error().error;
            if (use_newer_target(built.error())) continue;
            return std::unexpected(std::move(*first));
        }
        return std::unexpected(failure("the files of the program are not found").error);
    }

  private:
    /// The sources that may define missing symbols, the nearest first. Searched on the first call: most programs miss
    /// nothing, and a folder may have thousands of files.
    const std::vector<fs::path>& candidates() {
        if (candidates_) return *candidates_;
        candidates_ = sources_in(folder_);
        const auto add = [&](const std::vector<fs::path>& sources) {
            for (const fs::path& source : sources)
                if (std::ranges::find(*candidates_, source) == candidates_->end()) candidates_->push_back(source);
        };
        std::error_code error;
        if (!program_.empty()) add(sources_below(program_));
        const auto project = fs::is_directory(opened_, error) ? std::optional(opened_) : project_of(folder_);
        if (project) add(sources_below(*project));
        std::vector<fs::path> commanded;
        for (const CompileCommand& command : commands_)
            if (is_source(command.file) && command.file != request_.sources.front()) commanded.push_back(command.file);
        add(commanded);
        return *candidates_;
    }

    void read_commands() {
        const auto file = find_compile_commands(folder_);
        if (!file) return;
        commands_file_ = *file;
        commands_ = read_compile_commands(*file);
        // If a file has several commands, the first counts.
        for (const CompileCommand& command : commands_) request_.own_options.emplace(command.file, command.options);
    }

    /// Adds the flag that nvcc's error asks for; the program's own build would pass it.
    bool add_flag(const BuildFailure& failed) {
        const std::string& flag = failed.wanted_flag;
        if (!flag.starts_with("--") || std::ranges::find(request_.options, flag) != request_.options.end())
            return false;
        request_.options.push_back(flag);
        return true;
    }

    /// Without -rdc, nvcc takes `extern __device__` for a definition, and the definition that follows for a second one.
    bool link_device_code(const BuildFailure& failed) {
        if (!failed.redefined || links_device_code(request_)) return false;
        request_.options.emplace_back(relocatable_option);
        return true;
    }

    /// Compiles for a newer compute capability where only that has what the source uses, as for a kernel alone.
    bool use_newer_target(const BuildFailure& failed) {
        if (!failed.newer_target || progress_.cancelled()) return false;
        for (const unsigned newer : compile::newer_targets) {
            if (newer <= request_.arch) continue;
            request_.arch = newer;
            return true;
        }
        return false;
    }

    bool find_header(const BuildFailure& failed) {
        if (failed.missing_header.empty()) return false;
        const auto folder = folder_of_header(fs::path(failed.missing_header).lexically_normal(), folder_);
        if (!folder || std::ranges::find(request_.include, *folder) != request_.include.end()) return false;
        request_.include.push_back(*folder);
        return true;
    }

    /// Undefined symbols of the device code of all files of the request, among them the functions of the device's
    /// system library.
    [[nodiscard]] std::vector<std::string> missing_on_device() const {
        const bool relocatable = links_device_code(request_);
        std::set<std::string> missing, defined;
        for (const fs::path& source : request_.sources) {
            const auto object = compile_object(request_, source, relocatable && has_device_code(source), progress_);
            if (!object) continue;
            ObjectSymbols symbols = read_symbols(object->file);
            missing.merge(symbols.undefined_on_device);
            defined.merge(symbols.defined);
            if (!relocatable)
                for (const std::string& name : extern_variables_of(object->log)) missing.insert(name);
        }
        std::vector<std::string> names;
        std::ranges::set_difference(missing, defined, std::back_inserter(names));
        return names;
    }

    /// Adds the first candidate that defines one of the names. Candidates that do not contain its identifier are not
    /// compiled.
    bool add_definers_of(const std::vector<std::string>& missing) {
        for (const std::string& name : missing) {
            const std::string word = word_of(name);
            for (const fs::path& candidate : candidates()) {
                if (std::ranges::find(request_.sources, candidate) != request_.sources.end()) continue;
                if (progress_.cancelled() || !has_word(read_file(candidate).value_or(""), word)) continue;
                const auto object = compile_candidate(candidate);
                if (!object) continue;
                const ObjectSymbols symbols = read_symbols(object->file);
                if (!symbols.defined.contains(name) || symbols.defined.contains("main")) continue;
                request_.sources.push_back(candidate);
                return true;
            }
        }
        return false;
    }

    std::expected<Object, BuildFailure> compile_candidate(const fs::path& candidate) {
        for (int round = 0; round < most_rounds; ++round) {
            auto object = compile_object(request_, candidate, has_device_code(candidate), progress_);
            if (object || !(find_header(object.error()) || add_flag(object.error()))) return object;
        }
        return std::unexpected(failure("its headers are not found"));
    }

    BuildRequest request_;
    Progress& progress_;
    fs::path opened_;         ///< by the person: a file or a folder
    fs::path program_;        ///< the folder of the program; empty: not known
    fs::path folder_;         ///< of its first source
    fs::path commands_file_;  ///< the compile_commands.json; empty: none is near
    std::vector<CompileCommand> commands_;
    std::optional<std::vector<fs::path>> candidates_;
};

}  // namespace

Result<fs::path> source_with_main(const fs::path& folder) {
    const auto with_main = [](const std::vector<fs::path>& sources) {
        std::vector<fs::path> found;
        for (const fs::path& source : sources)
            if (has_word(read_file(source).value_or(""), "main", '(')) found.push_back(source);
        return found;
    };
    std::vector<fs::path> mains = with_main(sources_in(folder));
    if (mains.empty()) mains = with_main(sources_below(folder));
    if (mains.size() == 1) return mains.front();
    if (mains.empty())
        return fail(fmt::format("no source in {} defines main()", folder.string()), {},
                    "Open a folder with the sources of one program, or a .cu file with a kernel.");
    std::vector<std::string> names;
    names.reserve(mains.size());
    for (const fs::path& source : mains) names.push_back(source.lexically_relative(folder).string());
    return fail(fmt::format("several sources in {} define main(): {}", folder.string(), fmt::join(names, ", ")), {},
                "Open one of them.");
}

std::vector<fs::path> sources_beside(const fs::path& source, const fs::path& folder) {
    std::vector<fs::path> found = files_below(source.parent_path(), is_source_or_header);
    for (const fs::path& file : files_below(folder, is_source_or_header))
        if (std::ranges::find(found, file) == found.end()) found.push_back(file);
    return found;
}

std::expected<ProgramSources, BuildError> sources_of(const fs::path& opened, const BuildRequest& wanted,
                                                     Progress& progress, const fs::path& folder) {
    return Search(wanted, progress).run(opened, folder);
}

}  // namespace lanescope::host
