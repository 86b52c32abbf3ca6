// Who works: the lanes of every warp of the block in the pass at hand.
#pragma once

#include "analysis/warp_picture.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <optional>

namespace lanescope::ui {

class WarpsPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Warps"; }
    [[nodiscard]] std::string subtitle(const Context& context) const override;
    void draw(Context& context) override;

    /// For tests.
    [[nodiscard]] const analysis::WarpPicture& picture() const { return picture_; }

  private:
    SceneView view_{3};
    analysis::WarpPicture picture_;
    std::uint64_t counted_for_ = 0;  // Shown::id
    std::size_t counted_pass_ = 0;
    struct Key {
        std::uint64_t shown = 0;
        std::size_t position = 0;
        float width = 0, height = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> built_for_;
};

}  // namespace lanescope::ui
