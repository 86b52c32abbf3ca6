// What was compiled before, on disk: one small file a compilation, found by everything that determines its outcome.
#pragma once

#include "compile/compile.h"

#include <filesystem>
#include <optional>
#include <string>

namespace lanescope::compile {

/// Thread-safe, and safe against other processes: files appear whole or not at all. A cache that cannot be read or
/// written only costs time.
class Cache {
  public:
    /// No folder: nothing is kept.
    explicit Cache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

    /// LANESCOPE_CACHE ("off" or a folder), else $XDG_CACHE_HOME/lanescope, else ~/.cache/lanescope.
    static Cache of_environment();

    [[nodiscard]] const std::optional<std::filesystem::path>& folder() const { return folder_; }

    /// What was kept for the key; nothing where there is none or the file is damaged.
    [[nodiscard]] std::optional<CompileOutput> find(const std::string& key) const;
    void keep(const std::string& key, const CompileOutput& output) const;

    /// Where the key's file lies.
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  private:
    std::optional<std::filesystem::path> folder_;
};

}  // namespace lanescope::compile
