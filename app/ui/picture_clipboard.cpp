#include "ui/picture_clipboard.h"

#include "base/child_process.h"
#include "base/files.h"
#include "base/installed.h"

#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace lanescope::ui {

namespace {

/// For a shell: $1 is the file. Empty: none is installed.
std::string copying_command() {
    if (std::getenv("WAYLAND_DISPLAY") != nullptr && is_installed("wl-copy"))
        return R"(wl-copy --type image/png <"$1")";
    if (std::getenv("DISPLAY") != nullptr && is_installed("xclip"))
        return R"(xclip -selection clipboard -t image/png -i "$1")";
    return {};
}

/// A file that is gone with it.
class PictureFile {
  public:
    explicit PictureFile(std::span<const std::byte> bytes) {
        std::error_code error;
        std::string pattern = (std::filesystem::temp_directory_path(error) / "lanescope-copy-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) return;
        folder_ = pattern;
        written_ = write_file(path(), bytes).has_value();
    }
    PictureFile(const PictureFile&) = delete;
    PictureFile& operator=(const PictureFile&) = delete;
    ~PictureFile() {
        std::error_code ignored;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "picture.png"; }
    [[nodiscard]] bool written() const { return written_; }

  private:
    std::filesystem::path folder_;
    bool written_ = false;
};

}  // namespace

bool can_copy_pictures() { return !copying_command().empty(); }

Result<void> copy_picture(std::span<const std::byte> png) {
    const std::string command = copying_command();
    if (command.empty())
        return fail("neither wl-copy nor xclip is installed, which copy pictures", {}, "Install one of them.");
    const PictureFile file(png);
    if (!file.written()) return fail("the picture cannot be written to the folder for temporary files");
    // In a session of its own it outlives the process that starts it, and this one: it serves the clipboard.
    constexpr std::chrono::seconds longest{3};
    auto child = ChildProcess::start({.program = "setsid",
                                      .arguments = {"--wait", "sh", "-c", command, "sh", file.path().string()},
                                      .longest_silence = longest});
    if (!child) return std::unexpected(child.error());
    std::optional<Ending> ending;
    while (!(ending = child->ending())) {
        constexpr std::chrono::milliseconds soon{10};
        child->wait(soon);
        (void)child->lines();
    }
    if (ending->fine()) return {};
    return fail(fmt::format("the picture was not copied: {}", text_of(*ending)), {}, child->errors());
}

}  // namespace lanescope::ui
