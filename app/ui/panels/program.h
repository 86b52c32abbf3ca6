// The Program panel: what the host code of a whole program did, in its order, and what it printed. A click on a launch
// goes there.
#pragma once

#include "analysis/panels/program_lines.h"
#include "scene/program_scene.h"
#include "session/live_steps.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class ProgramPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Program"; }
    [[nodiscard]] bool exists(const Workspace& workspace) const override;
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    void draw(Context& context) override;
    /// As high as its lines, where there is room.
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    /// True once for each file whose main has run: then its tab comes to the front.
    [[nodiscard]] bool appears(const Workspace& workspace);
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }

    // For tests.
    [[nodiscard]] const std::vector<analysis::ProgramLine>& lines() const { return lines_; }
    [[nodiscard]] const SceneView& view() const { return view_; }

  private:
    /// The steps of the program that is running, once it has done something; null: what has run is shown.
    [[nodiscard]] static std::shared_ptr<const session::LiveSteps> live_steps(const Workspace& workspace);
    void take_live(std::shared_ptr<const session::LiveSteps> steps);
    /// A program has run and is shown.
    [[nodiscard]] static bool has_run(const Workspace& workspace);
    void take(const Workspace& workspace, std::shared_ptr<const session::LiveSteps> live, float width);
    void act(Context& context, const scene::TraceRef& ref, bool clicked) const;

    struct Key {
        const session::Run* run = nullptr;
        std::uint64_t changes = 0;
        std::optional<std::uint32_t> launch;
        float width = 0, height = 0;
        double top = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };

    SceneView view_;
    std::shared_ptr<const session::Run> run_;         // whose lines they are; null: of the program that is running
    std::shared_ptr<const session::LiveSteps> live_;  // of that one
    std::uint64_t changes_ = 0;                       // LiveSteps::changes() of lines_
    std::vector<analysis::ProgramLine> lines_;
    std::vector<scene::ProgramRow> rows_;
    float rows_width_ = 0;
    std::optional<Key> built_for_;
    std::string appeared_for_;               // file
    std::optional<std::uint32_t> followed_;  // the launch that was last brought into view
};

}  // namespace lanescope::ui
