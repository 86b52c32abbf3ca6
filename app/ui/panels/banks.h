// The Banks panel: one access to shared memory, bank by bank, wavefront by wavefront; or all accesses of a pass.
#pragma once

#include "analysis/panels/bank_heat.h"
#include "analysis/panels/bank_picture.h"
#include "scene/banks_scene.h"
#include "ui/panel.h"
#include "ui/panels/access_turns.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <optional>

namespace lanescope::ui {

class BanksPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Banks"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }
    [[nodiscard]] double seconds_until_redraw() const override;

    /// The access that is shown; nothing without one. For tests.
    [[nodiscard]] const analysis::BankPicture* picture() const {
        return access_.picture() ? &*access_.picture() : nullptr;
    }
    [[nodiscard]] std::optional<unsigned> wavefront() const { return access_.turns.shown(); }
    [[nodiscard]] const analysis::BankHeat& heat() const { return heat_; }
    [[nodiscard]] const SceneView& view() const { return view_; }
    void show_pass(bool on) { whole_pass_ = on; }

  private:
    void find_heat(const Workspace& workspace);
    void draw_access(Context& context, const SceneView::Surface& surface);
    void draw_pass(Context& context, const SceneView::Surface& surface);

    SceneView view_;
    ShownAccess<analysis::BankPicture> access_{trace::Space::shared};
    bool whole_pass_ = false;
    analysis::BankHeat heat_;
    std::uint64_t heat_for_ = 0;               // Shown::id
    std::size_t heat_pass_ = ~std::size_t{0};  // of it
    float pan_ = 0;                            // points, of the pass
    struct Key {
        AccessKey access;
        bool whole_pass = false;
        std::size_t pass = 0;                   // where the whole pass is drawn
        std::optional<std::uint64_t> selected;  // word, where the access is drawn
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> built_for_;
};

}  // namespace lanescope::ui
