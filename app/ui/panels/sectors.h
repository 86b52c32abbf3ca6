// The Sectors panel: one access to global memory, by cache lines and sectors; of an atomic, by address and turn.
#pragma once

#include "analysis/panels/sector_picture.h"
#include "scene/sectors_scene.h"
#include "ui/panel.h"
#include "ui/panels/access_turns.h"
#include "ui/scene_view.h"

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
    [[nodiscard]] double seconds_until_redraw() const override { return access_.turns.playing() ? 0.05 : 0; }

    /// The access that is shown; nothing without one. For tests.
    [[nodiscard]] const analysis::SectorPicture* picture() const {
        return access_.picture() ? &*access_.picture() : nullptr;
    }
    [[nodiscard]] std::optional<unsigned> request() const { return access_.turns.shown(); }
    [[nodiscard]] const SceneView& view() const { return view_; }

  private:
    void explain(Context& context, const scene::TraceRef& under) const;

    SceneView view_;
    ShownAccess<analysis::SectorPicture> access_{trace::Space::global};
    std::optional<AccessKey> built_for_;
};

}  // namespace lanescope::ui
