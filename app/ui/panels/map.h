// The Map panel: all warps of a launch by its accesses. A click on a cell goes to the warp's first execution with
// excess, and to the first lane that waits in it.
#pragma once

#include "analysis/panels/access_map.h"
#include "scene/map_scene.h"
#include "ui/panel.h"
#include "ui/scene_view.h"
#include "ui/widgets.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace lanescope::ui {

class MapPanel : public Panel {
  public:
    MapPanel();
    ~MapPanel() override;
    MapPanel(const MapPanel&) = delete;
    MapPanel& operator=(const MapPanel&) = delete;
    [[nodiscard]] const char* title() const override { return "Map"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }
    [[nodiscard]] scene::Scene whole_picture(const Workspace& workspace) const override;
    [[nodiscard]] std::string csv(const Workspace& workspace) const override;
    [[nodiscard]] double seconds_until_redraw() const override;

    // For tests.
    [[nodiscard]] const analysis::AccessMap& map() const { return map_; }
    [[nodiscard]] bool making() const;  ///< a map is made in the background; the previous one is drawn meanwhile
    [[nodiscard]] const analysis::MapView& rows() const { return rows_; }
    [[nodiscard]] const SceneView& view() const { return view_; }
    /// The tooltip of a cell; without a row, of all recorded blocks.
    [[nodiscard]] Facts facts_of(const Workspace& workspace, const analysis::MapRow* row, std::size_t column) const;

  private:
    struct Work;
    /// The subject of a map.
    struct Subject {
        std::shared_ptr<const session::Run> run;
        std::uint32_t launch = 0;
        bool apart = false;
        friend bool operator==(const Subject&, const Subject&) = default;
    };
    [[nodiscard]] bool is_of(const Workspace& workspace) const;
    void take(const Workspace& workspace);
    void build(const Workspace& workspace, const SceneView::Surface& surface, float scale);
    /// Pixels a point: a lecture shows one panel to a hall, then everything is larger.
    [[nodiscard]] static float scale_of(const Look& look);
    void answer_mouse(Context& context, bool clicked) const;
    void describe(const Context& context, const analysis::MapRow* row, std::size_t column) const;
    static void go_to(Workspace& workspace, const analysis::AccessMap& map, StepId step);
    [[nodiscard]] std::optional<std::size_t> next_column(const Workspace& workspace) const;

    SceneView view_;
    std::unique_ptr<Work> work_;
    bool apart_ = false;  // the executions of an instruction have a column each
    std::optional<Subject> asked_, made_;
    analysis::AccessMap map_;
    std::optional<analysis::MapRows> kind_;  // nothing: the finest that fits
    analysis::MapView rows_;
    struct Fit {
        std::optional<analysis::MapRows> kind;
        std::size_t most = 0;
        friend bool operator==(const Fit&, const Fit&) = default;
    };
    std::optional<Fit> rows_for_;
    ImVec2 scroll_{0, 0};  // points
    struct Key {
        std::uint64_t shown = 0;
        WarpId warp;
        std::optional<std::size_t> next;
        float width = 0, height = 0, scroll_x = 0, scroll_y = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> built_for_;
};

}  // namespace lanescope::ui
