// The Warps panel: the lanes of every warp of the block in the current pass, the instructions of one warp in it, or the
// warps in all passes, row by row.
#pragma once

#include "analysis/panels/warp_picture.h"
#include "analysis/panels/warp_progress.h"
#include "analysis/passes/pass_meter.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class WarpsPanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Warps"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }

    /// For tests.
    [[nodiscard]] const analysis::WarpPicture& picture() const { return picture_; }
    [[nodiscard]] const std::vector<analysis::InstructionRow>& rows() const { return rows_; }

    enum class Rows : std::uint8_t { warps, instructions, passes, block };
    void show(Rows rows) { shown_rows_ = rows; }
    [[nodiscard]] Rows rows_shown() const { return shown_rows_; }
    [[nodiscard]] const SceneView& view() const { return view_; }

  private:
    void count(const Workspace& workspace);
    void count_so_far(const Workspace& workspace);
    void build(const Workspace& workspace, const Look& look, ImVec2 room);
    void build_warps(const Workspace& workspace, float width, float height);
    void build_instructions(const Workspace& workspace, float width, float height);
    void build_passes(const Workspace& workspace, float width, float height);
    void build_block(const Workspace& workspace, float width, float height);
    void keep_in_sight(std::size_t row, std::size_t count, float height);
    void click(Workspace& workspace, const scene::TraceRef& under) const;
    void explain_warp(const Look& look, const Workspace& workspace, const scene::TraceRef& under) const;
    void explain_row(const Look& look, const Workspace& workspace, const scene::TraceRef& under) const;
    void explain_pass(const Look& look, const Workspace& workspace, const scene::TraceRef& under) const;

    Rows shown_rows_ = Rows::warps;
    SceneView view_;
    float pan_ = 0;  // points, of instructions and passes
    analysis::WarpPicture picture_;
    std::vector<analysis::InstructionRow> rows_;  // of the followed warp
    std::vector<std::string> texts_;              // by row: its line of the source
    std::vector<analysis::WarpPicture> passes_;   // by pass
    std::uint64_t passes_for_ = 0;                // Shown::id
    struct Counted {
        std::uint64_t shown = 0;  // Shown::id
        std::size_t pass = 0;
        WarpId warp;
        bool by_line = true;
        friend bool operator==(const Counted&, const Counted&) = default;
    };
    std::optional<Counted> counted_for_;
    std::optional<analysis::PassUnderWay> under_way_;
    std::optional<double> so_far_;               // efficiency, %
    bool so_far_known_ = true;                   // else it is at most that
    std::uint64_t measured_for_ = 0;             // Shown::id
    std::size_t measured_at_ = ~std::size_t{0};  // position
    struct Key {
        Counted counted;
        std::size_t position = 0;
        float width = 0, height = 0;
        Rows rows = Rows::warps;
        std::optional<Lane> lane;
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> built_for_;
};

}  // namespace lanescope::ui
