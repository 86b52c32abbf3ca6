#include "ui/picture_clipboard.h"

#include "base/child_process.h"
#include "base/files.h"

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

/// A temporary file, deleted with this object.
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

struct PictureCopy::State {
    explicit State(std::span<const std::byte> png) : file(png) {}

    PictureFile file;
    std::optional<ChildProcess> child;
};

PictureCopy::PictureCopy() = default;
PictureCopy::~PictureCopy() = default;

Result<void> PictureCopy::start(std::span<const std::byte> png) {
    state_.reset();
    const std::string command = copying_command();
    if (command.empty()) return fail(no_copying_program, {}, "Install one of them.");
    auto state = std::make_unique<State>(png);
    if (!state->file.written()) return fail("the picture cannot be written to the folder for temporary files");
    // In a session of its own it outlives the process that starts it, and this one: it serves the clipboard.
    constexpr std::chrono::seconds longest{3};
    auto child = ChildProcess::start({.program = "setsid",
                                      .arguments = {"--wait", "sh", "-c", command, "sh", state->file.path().string()},
                                      .longest_silence = longest});
    if (!child) return std::unexpected(child.error());
    state->child.emplace(*std::move(child));
    state_ = std::move(state);
    return {};
}

std::optional<Result<void>> PictureCopy::poll() {
    if (state_ == nullptr) return std::nullopt;
    (void)state_->child->lines();
    const std::optional<Ending> ending = state_->child->ending();
    if (!ending) return std::nullopt;
    const std::string said = state_->child->errors();
    state_.reset();
    if (ending->fine()) return Result<void>();
    return Result<void>(fail(fmt::format("the picture was not copied: {}", text_of(*ending)), {}, said));
}

}  // namespace lanescope::ui
