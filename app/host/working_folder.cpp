#include "host/working_folder.h"

#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace lanescope::host {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_entries = 4096;  ///< entries copied, with all subfolders
constexpr std::size_t most_linked = 512;    ///< entries linked in each parent folder
constexpr std::uintmax_t most_file_bytes = std::uintmax_t{1} << 20, most_bytes = std::uintmax_t{64} << 20;
constexpr int linked_parents = 3;

class Copier {
  public:
    void copy(const fs::path& from, const fs::path& to) {
        std::error_code error;
        fs::create_directories(to, error);
        for (fs::directory_iterator at(from, fs::directory_options::skip_permission_denied, error), end;
             !error && at != end && entries_ < most_entries; at.increment(error)) {
            ++entries_;
            const fs::path copied = to / at->path().filename();
            std::error_code ignored;
            const bool link = at->is_symlink(ignored) || at->path().filename() == ".git";
            if (!link && at->is_directory(ignored))
                copy(at->path(), copied);
            else if (link || !copy_file(*at, copied))
                fs::create_symlink(at->path(), copied, ignored);
        }
    }

  private:
    bool copy_file(const fs::directory_entry& from, const fs::path& to) {
        std::error_code error;
        if (!from.is_regular_file(error)) return false;
        const std::uintmax_t bytes = from.file_size(error);
        if (error || bytes > most_file_bytes || bytes_ + bytes > most_bytes) return false;
        bytes_ += bytes;
        return fs::copy_file(from.path(), to, error);
    }

    std::size_t entries_ = 0;
    std::uintmax_t bytes_ = 0;
};

/// Links all entries of the folder except one.
void link_others(const fs::path& folder, const fs::path& to, const fs::path& but) {
    std::error_code error;
    std::size_t entries = 0;
    for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && at != end && entries < most_linked; at.increment(error), ++entries) {
        std::error_code ignored;
        if (at->path().filename() != but) fs::create_symlink(at->path(), to / at->path().filename(), ignored);
    }
}

}  // namespace

fs::path working_folder(const fs::path& folder, const fs::path& scratch) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || !real.has_relative_path()) return folder;
    const fs::path copied = scratch / "files" / real.relative_path();
    Copier().copy(real, copied);
    fs::path inner = real, inner_copied = copied;
    for (int level = 0; level < linked_parents && inner.parent_path().has_relative_path(); ++level) {
        link_others(inner.parent_path(), inner_copied.parent_path(), inner.filename());
        inner = inner.parent_path();
        inner_copied = inner_copied.parent_path();
    }
    return fs::is_directory(copied, error) ? copied : folder;
}

FilesBefore::FilesBefore(fs::path scratch) : scratch_(std::move(scratch)), files_(files_in(scratch_)) {}

FilesBefore::Files FilesBefore::files_in(const fs::path& scratch) {
    Files files;
    std::error_code error;
    for (fs::recursive_directory_iterator at(scratch, fs::directory_options::skip_permission_denied, error), end;
         !error && at != end && files.size() < most_entries; at.increment(error)) {
        std::error_code ignored;
        if (at->is_symlink(ignored) || !at->is_regular_file(ignored)) continue;
        files[at->path()] = {.bytes = at->file_size(ignored), .written = at->last_write_time(ignored)};
    }
    return files;
}

std::vector<WrittenFile> FilesBefore::written_since(const fs::path& folder) const {
    std::vector<WrittenFile> written;
    for (const auto& [path, state] : files_in(scratch_)) {
        const auto before = files_.find(path);
        if (before != files_.end() && before->second == state) continue;
        const fs::path own = path.lexically_relative(folder);
        const bool inside = !own.empty() && *own.begin() != "..";
        written.push_back({.path = inside ? own : path.lexically_relative(scratch_), .bytes = state.bytes});
    }
    return written;
}

}  // namespace lanescope::host
