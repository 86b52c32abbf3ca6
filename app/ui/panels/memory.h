// The Memory panel: shared arrays, buffers, and the variables of one lane at the current step.
#pragma once

#include "analysis/panels/element_history.h"
#include "analysis/panels/memory_table.h"
#include "scene/memory_scene.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace lanescope::ui {

class MemoryPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Memory"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    /// Shared memory and a few rows of an array of global memory.
    [[nodiscard]] Needs needs(const Workspace&) const override {
        return {.width = {.least = 400, .wanted = 640, .grows = 0.5F},
                .height = {.least = 255, .wanted = 320, .grows = 0.5F}};
    }
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }

    /// The element that the right mouse button was released over; nothing elsewhere.
    [[nodiscard]] const std::optional<analysis::Element>& element_of_menu() const { return element_of_menu_; }
    void set_format(scene::NumberFormat format) { format_ = format; }

    // For tests.
    [[nodiscard]] scene::NumberFormat format() const { return format_; }
    [[nodiscard]] const analysis::MemoryTable* table() const { return table_.get(); }
    [[nodiscard]] const scene::Scene& picture() const { return view_.scene(); }
    [[nodiscard]] double scrolled() const { return top_; }  ///< points
    [[nodiscard]] double height() const { return height_; }
    /// Middle of an element on the screen, in pixels; nothing where it is scrolled away.
    [[nodiscard]] std::optional<ImVec2> element_on_screen(std::size_t area, std::uint64_t element) const;

  private:
    struct Key {
        std::uint64_t shown = 0;
        analysis::MemoryMoment moment;
        float width = 0, height = 0;
        double top = 0;
        scene::NumberFormat format = scene::NumberFormat::natural;
        std::optional<analysis::ValueId> selected;
        friend bool operator==(const Key&, const Key&) = default;
    };
    void take_moment(const Workspace& workspace);
    [[nodiscard]] scene::MemoryOptions options(const Workspace& workspace) const;
    void follow(const Context& context);
    void act(Context& context, const scene::TraceRef& ref, bool clicked, bool twice);
    /// Nothing for local memory, of which there is no history.
    [[nodiscard]] std::optional<analysis::Element> element_at(const Shown& shown, const scene::TraceRef& ref) const;
    void show_element(const Context& context, const scene::TraceRef& ref) const;
    void show_variable(const Context& context, const scene::TraceRef& ref) const;

    std::optional<analysis::Element> element_of_menu_;
    SceneView view_;
    std::unique_ptr<analysis::MemoryTable> table_;
    std::uint64_t made_for_ = 0;  // Shown::id
    std::optional<Key> built_for_;
    scene::NumberFormat format_ = scene::NumberFormat::natural;
    ImVec2 at_{0, 0}, room_{0, 0};  // of the picture, pixels
    float scale_ = 1;
    double top_ = 0, height_ = 0;  // points
    // Following the cursor: the last place scrolled to automatically, and whether the user has scrolled since.
    std::optional<analysis::MemoryMoment> followed_;
    double put_at_ = 0;
    bool scrolled_by_hand_ = false;
};

}  // namespace lanescope::ui
