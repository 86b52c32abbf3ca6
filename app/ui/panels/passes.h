// The Passes panel: the picture of the passes, with hover, selection, panning and zooming.
#pragma once

#include "scene/passes_scene.h"
#include "scene/scene.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lanescope::ui {

class PassesPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Passes"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }
    [[nodiscard]] scene::Scene whole_picture(const Workspace& workspace) const override;
    [[nodiscard]] double seconds_until_redraw() const override;

    enum class Fit : std::uint8_t {
        width,  ///< the largest values; rows without room are scrolled to
        whole,  ///< every row, with colors where values have no room
    };
    void fit(Fit to);
    void zoom_by(int steps);         ///< about the middle of the panel
    void move_by(float x, float y);  ///< by shares of the panel
    [[nodiscard]] float zoom() const { return zoom_; }
    /// How much of the picture is shown, and which part.
    struct Zoom {
        Fit fitted = Fit::width;
        float zoom = 1;
        float left = 0, top = 0;  ///< points of the scene
        friend bool operator==(const Zoom&, const Zoom&) = default;
    };
    [[nodiscard]] Zoom shown_part() const { return {fitted_, zoom_, pan_.x, pan_.y}; }
    void show_part(const Zoom& part) {
        fit_chosen_ = fit_chosen_ || part.fitted != fitted_;
        fitted_ = part.fitted;
        zoom_ = part.zoom;
        pan_ = {part.left, part.top};
    }
    [[nodiscard]] const scene::Scene& picture() const { return view_.scene(); }
    /// Middle of a cell on the screen, in pixels; for tests. Nothing where the picture has no such cell.
    [[nodiscard]] std::optional<ImVec2> cell_on_screen(std::uint32_t row, std::uint32_t column) const;

  private:
    struct Key {
        std::uint64_t shown = 0;
        std::size_t position = 0;
        float width = 0, height = 0, zoom = 1;
        bool grids = false;
        bool whole = false;
        bool frames = false;
        bool joined = false;
        std::optional<scene::Point> seen_from;
        float lens_x = -1, lens_y = -1;
        std::optional<std::uint32_t> hovered_row, hovered_column;
        std::optional<Selection> selection;
        friend bool operator==(const Key&, const Key&) = default;
    };
    /// The enlargement of the picture beyond its natural size, so that a small picture fills the panel.
    [[nodiscard]] float enlargement(const Context& context, ImVec2 points);
    [[nodiscard]] bool draws_grids(const Workspace& workspace) const;
    void find_joint(const Shown& shown);
    [[nodiscard]] scene::Point page(ImVec2 room) const;  // of grids
    void build(const Context& context, ImVec2 room);
    [[nodiscard]] scene::Scene scene_of(const Workspace& workspace, const Key& key) const;
    [[nodiscard]] ImVec2 on_screen(float x, float y) const;  // a point of the scene, pixels
    void follow(const Context& context, ImVec2 room);
    void zoom_about(float factor, ImVec2 mouse);
    void keep_within(ImVec2 room);
    void explain(const Context& context, const scene::TraceRef& ref) const;
    void draw_footer(Context& context);
    float draw_legend(Context& context, float right, float top, float room);
    void notice_step(const Workspace& workspace);
    void draw_travelers(const Look& look, ImVec2 room) const;

    SceneView view_;
    std::optional<Key> built_for_;
    Fit fitted_ = Fit::width;
    bool fit_chosen_ = false;     // by the user; else a frame of grids is fitted
    std::string fit_chosen_for_;  // the program
    scene::ArrayView arrays_ = scene::ArrayView::by_shape;
    float zoom_ = 1;
    ImVec2 pan_{0, 0};   // points of the scene at the top left of the panel
    ImVec2 room_{0, 0};  // of the picture, pixels
    ImVec2 at_{0, 0};    // its place on the screen, pixels
    float scale_ = 1;    // pixels a point of the scene
    struct Enlarged {
        std::uint64_t shown = 0;
        float width = 0, height = 0, by = 1;
    };
    Enlarged enlarged_;
    std::uint64_t joint_for_ = 0;  // Shown::id
    std::vector<analysis::JointValue> joint_;
    bool joined_ = true;  // arrays that form one value share cells
    std::optional<scene::TraceRef> hovered_;
    ImVec2 lens_{-1, -1};
    bool dragged_ = false;

    // Animated values on the arcs of the step that was just executed.
    std::uint64_t seen_ = 0;  // Shown::id
    std::size_t seen_position_ = 0;
    StepId travel_first_, travel_last_;  // the steps whose values are animated
    double travels_since_ = -1;          // seconds of ImGui's time; below 0: no animation
    std::uint64_t followed_for_ = 0;
    std::size_t followed_row_ = ~std::size_t{0};
    ImVec2 followed_in_{0, 0};  ///< the room
    SceneView legend_;
    std::tuple<std::uint64_t, bool, float> legend_for_;  // Shown::id, whether the block has finished, the width
};

}  // namespace lanescope::ui
