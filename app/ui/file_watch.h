// Has a file changed on disk? Polled by time and size, which also works for editors that write a new file and rename
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace lanescope::ui {

class FileWatch {
  public:
    /// Seconds between two polls.
    static constexpr double period = 0.5;

    /// True once for each change of the file at `path` since it was first asked for: when it has stayed the same from
    /// one look to the next, so that half a file is not read. An empty path, or one where nothing is, never changes.
    [[nodiscard]] bool changed(const std::string& path);
    /// True once when the file that was there at the last look but one of changed() is not any more.
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
    Stamp known_, last_;    // as it was when it was read, and at the last look
    bool settled_ = false;  // the last two looks saw the same
    bool missed_ = false;   // its absence was reported
};

}  // namespace lanescope::ui
