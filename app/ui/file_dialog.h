// The desktop's own dialog for choosing a file, where it has one: another program, which is never waited for.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace lanescope::ui {

class FileDialog {
  public:
    FileDialog();
    ~FileDialog();
    /// Is there one on this machine?
    [[nodiscard]] static bool available();
    /// Opens it in a folder, unless it is open already.
    void open(const std::string& folder);
    [[nodiscard]] bool is_open() const { return dialog_ != nullptr; }
    /// The file chosen, once.
    [[nodiscard]] std::optional<std::string> take();

  private:
    struct Dialog;
    std::unique_ptr<Dialog> dialog_;
};

}  // namespace lanescope::ui
