// The desktop's file dialog, where there is one: a separate program that never blocks the window.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::ui {

class FileDialog {
  public:
    FileDialog();
    ~FileDialog();
    /// Whether this machine has one.
    [[nodiscard]] static bool available();
    /// Opens it in a folder, unless it is already open: for a file, for the folder of a program, or for a lecture.
    enum class Chooses : std::uint8_t { file, folder, lecture };
    void open(const std::string& folder, Chooses chooses);
    [[nodiscard]] bool is_open() const { return dialog_ != nullptr; }
    /// The path chosen, once.
    [[nodiscard]] std::optional<std::string> take();

  private:
    struct Dialog;
    std::unique_ptr<Dialog> dialog_;
};

}  // namespace lanescope::ui
