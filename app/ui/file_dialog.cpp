#include "ui/file_dialog.h"

#include <portable_file_dialogs.h>

namespace lanescope::ui {

struct FileDialog::Dialog {
    pfd::open_file asked;
};

FileDialog::FileDialog() = default;

FileDialog::~FileDialog() {
    // Its destructor would wait for the user, but the window is closing.
    if (dialog_ && !dialog_->asked.ready(0)) dialog_->asked.kill();
}

bool FileDialog::available() { return pfd::settings::available(); }

void FileDialog::open(const std::string& folder) {
    if (dialog_) return;
    dialog_ = std::make_unique<Dialog>(Dialog{
        pfd::open_file("Open kernel, trace or recording", folder,
                       {"Kernels, traces and recordings", "*.cu *.cuh *.ptx *.lanescope *.json", "All files", "*"})});
}

std::optional<std::string> FileDialog::take() {
    if (!dialog_ || !dialog_->asked.ready(0)) return std::nullopt;
    const std::vector<std::string> chosen = dialog_->asked.result();
    dialog_.reset();
    return chosen.empty() ? std::nullopt : std::optional(chosen.front());
}

}  // namespace lanescope::ui
