// Has a file changed on disk? Polled by time and size, which also works for editors that write a new file and rename
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace lanescope::ui {

class FileWatch {
  public:
    /// Seconds between two polls: a file is compiled one to two of them after it was saved.
    static constexpr double period = 0.1;

    /// True once for each change of the file at `path` since the first call: when it is the same in two consecutive
    /// polls, so that half a file is not read. An empty path, or one without a file, never changes.
    [[nodiscard]] bool changed(const std::string& path);
    /// True once when the file of the last but one call of changed() no longer exists.
    [[nodiscard]] bool gone();

  private:
    struct Stamp {
        std::int64_t time = 0;
        std::uint64_t size = 0;
        bool there = false;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    [[nodiscard]] static Stamp look(const std::string& path);

    std::string path_;
    Stamp known_, last_;    // when it was read, and at the last poll
    bool settled_ = false;  // the last two polls were equal
    bool missed_ = false;   // its absence was reported
};

}  // namespace lanescope::ui
