// The Compare panel: what differs between A and B, pass by pass, and their times; of more than two programs, the passes
// of each as small multiples with their counts.
#pragma once

#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class Shell;

class ComparePanel : public Panel {
  public:
    explicit ComparePanel(Shell& shell) : shell_(shell) {}

    [[nodiscard]] const char* title() const override { return "Compare"; }
    [[nodiscard]] bool exists(const Workspace&) const override;
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override;
    [[nodiscard]] scene::Scene whole_picture(const Workspace& workspace) const override;

    /// The program beside A under the mouse among small multiples, else the enlarged one, 0 is B; else B.
    [[nodiscard]] std::size_t described_other() const {
        const std::size_t described = hovered_.value_or(0) > 0 ? *hovered_ : enlarged_.value_or(0);
        return draws_many() && described > 0 ? described - 1 : 0;
    }

    /// Shows all pictures again. False if none was enlarged.
    bool shrink();

    [[nodiscard]] const SceneView& view() const { return view_; }  ///< for tests

  private:
    struct Key {
        std::uint64_t version = 0;
        float width = 0;
        std::optional<std::size_t> current, hovered;
        friend bool operator==(const Key&, const Key&) = default;
    };
    /// One of the small multiples.
    struct Moment {
        std::uint64_t shown = 0;
        std::size_t position = 0;
        friend bool operator==(const Moment&, const Moment&) = default;
    };
    struct ManyKey {
        std::uint64_t version = 0;
        float width = 0, height = 0;  ///< of the panel, points; 0: as high as it gets
        std::vector<Moment> moments;
        std::optional<std::size_t> hovered, enlarged;
        bool sentences = true;  ///< below the counts; presented, they stand in a strip
        friend bool operator==(const ManyKey&, const ManyKey&) = default;
    };
    [[nodiscard]] bool draws_many() const;
    void draw_many(Context& context);
    float draw_choice(const Look& look, float right, float top, float height);
    [[nodiscard]] scene::Scene many_scene_of(const Workspace& one, const ManyKey& key) const;
    [[nodiscard]] scene::Scene scene_of(const Key& key) const;
    void draw_waiting(Context& context);
    std::optional<scene::TraceRef> draw_scrolled(Context& context, const SceneView::Surface& surface);

    Shell& shell_;
    SceneView view_;
    std::optional<Key> built_for_;
    std::optional<ManyKey> many_built_for_;
    bool in_detail_ = false;               // of more than two programs, A and B alone
    std::optional<std::size_t> enlarged_;  // of more than two programs: the picture that fills the panel
    std::optional<std::size_t> hovered_;
    float pan_ = 0;  // points
};

}  // namespace lanescope::ui
