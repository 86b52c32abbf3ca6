// A program's folder -> a copy of it within the scratch folder, which is the program's current folder: what it writes
// beside its sources it finds again, and the person's own files stay as they are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace lanescope::host {

/// Small files are copied, others and what lies above the folder are linked to: they can be read, as "../data" too.
/// Returns the copy; `folder` itself where it cannot be made.
[[nodiscard]] std::filesystem::path working_folder(const std::filesystem::path& folder,
                                                   const std::filesystem::path& scratch);

struct WrittenFile {
    std::filesystem::path path;  ///< from the program's folder; else from the scratch folder
    std::uintmax_t bytes = 0;
};
/// The files below a scratch folder, to be asked which of them a program has written since.
class FilesBefore {
  public:
    explicit FilesBefore(std::filesystem::path scratch);
    /// By path; `folder`: the program's own.
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
