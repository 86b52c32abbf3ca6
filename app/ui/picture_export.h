// A panel's picture, its pictures of all passes, or its numbers, to a file: at once from its context menu, or with a
// format, a size and a place to choose.
#pragma once

#include "base/result.h"
#include "scene/scene.h"
#include "ui/panel.h"
#include "ui/pass_animation.h"
#include "ui/picture_clipboard.h"

#include <filesystem>
#include <string>

namespace lanescope::ui {

class Notice;

/// A new file with that ending, "lanescope-passes-2.png": in the current folder, or in the home folder where the
/// current one is not writable.
[[nodiscard]] std::filesystem::path picture_path(std::string_view panel, std::string_view ending);

class PictureExport {
  public:
    /// Asks for format, size and place. Takes the picture as it is now.
    void open(const Panel& panel, const Workspace& workspace);
    [[nodiscard]] bool is_open() const { return open_; }
    void close(Workspace& workspace);  ///< an animation that is being written is cancelled
    [[nodiscard]] bool is_animating() const { return animation_.running(); }
    [[nodiscard]] bool is_copying() const { return copying_.running(); }
    /// Writes it at once to a new file, and shows its path.
    static void save(const Panel& panel, const Context& context, std::string_view ending, Notice& notice);
    /// Copies it to the clipboard, a PNG that contains the link to the place; to a new file where nothing can copy it.
    /// draw() says when the clipboard has it.
    void copy(const Panel& panel, const Context& context, Notice& notice);
    /// The panel's numbers likewise, as comma-separated values.
    static void save_csv(const Panel& panel, const Context& context, Notice& notice);
    void draw(Context& context, Notice& notice);

  private:
    void set_ending(std::string_view ending);
    void write(Context& context, Notice& notice);
    void choose_format(const Look& look);
    void choose_size(const Context& context);
    void draw_progress(Context& context, float right);

    const Panel* of_ = nullptr;
    PassAnimation animation_;
    PictureCopy copying_;
    std::string copied_;  // the title of its panel
    float seconds_ = 1;   // for which an animation shows a frame
    bool open_ = false, opened_now_ = false;
    scene::Scene scene_;
    std::string panel_, path_, csv_;  // the last empty where the panel has no numbers
    int width_ = 0;                   // of a PNG or an animation, pixels
    std::string problem_;
};

}  // namespace lanescope::ui
