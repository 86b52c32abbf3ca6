// The Sectors panel: one access to global memory, by cache lines and sectors; of an atomic, by address and turn.
#pragma once

#include "analysis/panels/sector_picture.h"
#include "scene/sectors_scene.h"
#include "ui/panel.h"
#include "ui/panels/access_turns.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <optional>

namespace lanescope::ui {

[[nodiscard]] Needs sectors_needs();

class SectorsPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Sectors"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    void draw(Context& context) override;
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }
    [[nodiscard]] double seconds_until_redraw() const override { return turns_.playing() ? 0.05 : 0; }

    /// The access that is shown; nothing without one. For tests.
    [[nodiscard]] const analysis::SectorPicture* picture() const { return picture_ ? &*picture_ : nullptr; }
    [[nodiscard]] std::optional<unsigned> request() const { return turns_.shown(); }
    [[nodiscard]] const SceneView& view() const { return view_; }

  private:
    void find_access(const Workspace& workspace);
    /// Over the buttons it selects the sector, otherwise it scrolls the rows.
    void turn_wheel(bool over_buttons, const scene::SectorsOptions& options);
    void explain(Context& context, const scene::TraceRef& under) const;

    SceneView view_;
    AccessPlace found_for_;
    bool uses_ = true;                  // the launch accesses global memory anywhere
    std::optional<std::size_t> index_;  // of the access, in the block's steps
    std::optional<analysis::SectorPicture> picture_;
    AccessTurns turns_;
    std::size_t first_row_ = 0;  // scrolled to
    struct Key {
        StepId step;
        std::uint64_t shown = 0;
        float width = 0, height = 0;
        std::optional<unsigned> request;
        std::size_t first_row = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> built_for_;
};

}  // namespace lanescope::ui
