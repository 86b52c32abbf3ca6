// The Compare panel: what differs between the two programs of a comparison, pass by pass, and their times.
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

    [[nodiscard]] const SceneView& view() const { return view_; }  ///< for tests

  private:
    struct Key {
        std::uint64_t version = 0;
        float width = 0;
        std::optional<std::size_t> current, hovered;
        friend bool operator==(const Key&, const Key&) = default;
    };
    [[nodiscard]] scene::Scene scene_of(const Key& key) const;
    void draw_waiting(Context& context);

    Shell& shell_;
    SceneView view_;
    std::optional<Key> built_for_;
    std::optional<std::size_t> hovered_;
    float pan_ = 0;  // points
};

}  // namespace lanescope::ui
