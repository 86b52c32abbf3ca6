// Compilation results on disk: one file each, keyed by a hash of everything that determines the result.
#pragma once

#include "compile/compile.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lanescope::compile {

/// Thread-safe, and safe against other processes: files are written atomically. If the cache cannot be read or written,
/// sources are compiled again.
class Cache {
  public:
    /// Without a folder, nothing is cached.
    explicit Cache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

    /// LANESCOPE_CACHE ("off" or a folder), else $XDG_CACHE_HOME/lanescope, else ~/.cache/lanescope.
    static Cache of_environment();

    [[nodiscard]] const std::optional<std::filesystem::path>& folder() const { return folder_; }

    /// The cached result for the key; nullopt if there is none or its file is damaged.
    [[nodiscard]] std::optional<CompileOutput> find(const std::string& key) const;
    void keep(const std::string& key, const CompileOutput& output) const;

    /// The path of the key's file.
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  private:
    std::optional<std::filesystem::path> folder_;
};

}  // namespace lanescope::compile
