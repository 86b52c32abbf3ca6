#include "ui/file_dialog.h"

#include <portable_file_dialogs.h>

namespace lanescope::ui {

struct FileDialog::Dialog {
    std::optional<pfd::open_file> file;
    std::optional<pfd::select_folder> folder;

    [[nodiscard]] bool ready() { return file ? file->ready(0) : folder->ready(0); }
    void kill() {
        if (file) file->kill();
        if (folder) folder->kill();
    }
};

FileDialog::FileDialog() = default;

FileDialog::~FileDialog() {
    // Its destructor would wait for the user, but the window is closing.
    if (dialog_ && !dialog_->ready()) dialog_->kill();
}

bool FileDialog::available() { return pfd::settings::available(); }

void FileDialog::open(const std::string& folder, Chooses chooses) {
    if (dialog_) return;
    dialog_ = std::make_unique<Dialog>();
    if (chooses == Chooses::folder) {
        dialog_->folder.emplace("Open the folder of a program", folder);
        return;
    }
    if (chooses == Chooses::lecture) {
        dialog_->file.emplace("Open lecture", folder, std::vector<std::string>{"Lectures", "*.md", "All files", "*"});
        return;
    }
    const std::vector<std::string> filters{"Kernels, traces, recordings and lectures",
                                           "*.cu *.cuh *.ptx *.lanescope *.json *.md", "All files", "*"};
    dialog_->file.emplace("Open kernel, trace or recording", folder, filters);
}

std::optional<std::string> FileDialog::take() {
    if (!dialog_ || !dialog_->ready()) return std::nullopt;
    std::string chosen;
    if (dialog_->folder) {
        chosen = dialog_->folder->result();
    } else if (const std::vector<std::string> files = dialog_->file->result(); !files.empty()) {
        chosen = files.front();
    }
    dialog_.reset();
    return chosen.empty() ? std::nullopt : std::optional(chosen);
}

}  // namespace lanescope::ui
