// Folders and files for the tests of sessions.
#pragma once

#include "session/session.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace lanescope::session {

/// An empty folder that is gone with it.
class Folder {
  public:
    Folder() {
        std::string pattern = testing::TempDir() + "lanescope-XXXXXX";
        path_ = ::mkdtemp(pattern.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    std::string add(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return path_ / name;
    }

  private:
    std::filesystem::path path_;
};

/// The run of a request that must succeed.
inline std::shared_ptr<const Run> run_of(const Request& request) {
    Progress progress;
    auto run = session::run(request, progress);
    if (run) return *run;
    ADD_FAILURE() << run.error().field << ": " << run.error().problem.message();
    return nullptr;
}

/// The refusal of a request that must fail.
inline Refusal refusal_of(const Request& request) {
    Progress progress;
    const auto run = session::run(request, progress);
    return run ? Refusal{} : run.error();
}

}  // namespace lanescope::session
