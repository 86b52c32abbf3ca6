// A program's folder -> a copy in the scratch folder, which becomes the program's working directory: the program can
// write files beside its sources and read them again, and the user's own files stay unchanged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace lanescope::host {

/// Copies small files; links to large ones and to the parent folders, so that they can be read, also as "../data".
/// Returns the copy, or `folder` itself if it cannot be made.
[[nodiscard]] std::filesystem::path working_folder(const std::filesystem::path& folder,
                                                   const std::filesystem::path& scratch);

struct WrittenFile {
    std::filesystem::path path;  ///< relative to the program's folder, else to the scratch folder
    std::uintmax_t bytes = 0;
};
/// A snapshot of the files below a scratch folder, to find those that a program writes later.
class FilesBefore {
  public:
    explicit FilesBefore(std::filesystem::path scratch);
    /// The files written since, by path. `folder`: the program's own.
    [[nodiscard]] std::vector<WrittenFile> written_since(const std::filesystem::path& folder) const;

  private:
    struct State {
        std::uintmax_t bytes = 0;
        std::filesystem::file_time_type written;
        friend bool operator==(const State&, const State&) = default;
    };
    using Files = std::map<std::filesystem::path, State>;
    static Files files_in(const std::filesystem::path& scratch);

    std::filesystem::path scratch_;
    Files files_;
};

}  // namespace lanescope::host
