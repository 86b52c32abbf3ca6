// Return addresses of a program -> lines of its own sources, by the line table that the compiler wrote (libdw).
#pragma once

#include "host/program.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace lanescope::host {

/// The lines of one program. Each address is looked up once.
class SourceLines {
  public:
    /// `sources`: folders of the person's own sources.
    SourceLines(const std::filesystem::path& program, std::vector<std::filesystem::path> sources);
    ~SourceLines();
    SourceLines(SourceLines&&) noexcept;
    SourceLines& operator=(SourceLines&&) = delete;

    /// Fills ProgramStep::where and ::function with the innermost frame that lies in one of the folders.
    void find(ProgramStep& step);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Removes the functions that are not defined in one of the folders.
void keep_own(const std::filesystem::path& program, const std::vector<std::filesystem::path>& sources,
              std::vector<HostFunction>& functions);

}  // namespace lanescope::host
