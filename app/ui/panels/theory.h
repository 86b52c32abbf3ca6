// The Theory panel: work, span and cost of the run, Brent's bound and the greedy schedule, bytes and occupancy; the
// work at other sizes is emulated in the background while the panel is visible.
#pragma once

#include "analysis/panels/theory_picture.h"
#include "session/theory.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class TheoryPanel : public Panel {
  public:
    TheoryPanel();
    ~TheoryPanel() override;

    [[nodiscard]] const char* title() const override { return "Theory"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override { return run_ == nullptr ? nullptr : &view_.scene(); }
    [[nodiscard]] double seconds_until_redraw() const override;

    /// Stops measuring the work at other sizes, until they are requested again.
    void cancel();

    // For tests.
    [[nodiscard]] const analysis::TheoryPicture& picture() const { return picture_; }
    [[nodiscard]] bool measuring() const;
    [[nodiscard]] const SceneView& view() const { return view_; }

  private:
    struct Work;
    struct Key {
        const session::Run* run = nullptr;
        std::uint32_t launch = 0;
        float width = 0;
        std::size_t sizes = 0;  // measured
        std::string measuring;
        friend bool operator==(const Key&, const Key&) = default;
    };

    void take(const Workspace& workspace);
    void measure();
    void collect();
    void explain_point(const Look& look, const scene::TraceRef& under) const;
    /// The running measurement; empty: none.
    [[nodiscard]] std::string doing() const;

    std::unique_ptr<Work> work_;
    std::shared_ptr<const session::Run> run_;  // whose picture it is
    std::uint32_t launch_ = 0;
    analysis::TheoryPicture picture_;
    session::WorkBySize sizes_;                   // of the run
    std::string asked_;                           // what identifies the sizes that are or were measured
    std::vector<analysis::WorkAtSize> measured_;  // of these
    bool cancelled_ = false;
    SceneView view_;
    std::optional<Key> built_for_;
    float top_ = 0;  // of the visible part, points
};

}  // namespace lanescope::ui
