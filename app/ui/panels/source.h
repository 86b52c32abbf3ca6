// The CUDA text and its PTX, with the next line marked in both and the cost of each line in the margin.
#pragma once

#include "ui/panel.h"
#include "ui/panels/source_footer.h"
#include "ui/panels/source_plain.h"
#include "ui/source_text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::ui {

class SourcePanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Source"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;

    /// The visible text, for Copy source.
    [[nodiscard]] static std::string text_to_copy(const Workspace& workspace);

  private:
    /// With the line that was last scrolled into view.
    struct Text : SourceText {
        std::uint32_t shown_line = 0;
        std::uint64_t shown_for = 0;
        std::uint32_t asked_line = 0;           ///< to scroll into view: a line of the other text was clicked
        float shown_height = 0, shown_row = 0;  ///< of the window and of a line at that time, pixels
    };

    void prepare(const Context& context);
    /// Shows the source that the next step stands in when that changes, or the one that was asked for.
    void follow_source(Workspace& workspace);
    float choose_source(Context& context, float right, float top, float height);
    [[nodiscard]] const SourceMap& map(const Shown& shown) const { return other_map_ ? *other_map_ : *shown.map; }
    void draw_text(Context& context, Language language, ImVec2 size);
    void draw_both(Context& context, ImVec2 size);
    void draw_fold(const Look& look, float gutter, std::size_t lines);
    void explain_line(const Context& context, std::uint32_t number, bool is_ptx, std::size_t fault) const;
    void find_warps(const Workspace& workspace);

    PlainSource plain_;
    SourceFooter footer_;
    std::uint64_t prepared_for_ = 0;
    std::size_t source_ = 0, prepared_source_ = 0;  ///< 0: the main one, else 1 + index in Origin::other_sources
    std::size_t followed_source_ = 0;               ///< that of the next step, when it last changed
    std::uint64_t followed_for_ = 0;                // Shown::id
    std::unique_ptr<SourceMap> other_map_;          ///< of a source that is not the main one
    Text cuda_, ptx_;
    std::size_t notes_begin_ = 0;  ///< index of the first of the comment lines that only configure the launch
    bool notes_open_ = false;
    std::vector<float> heat_;         ///< by CUDA line, 0..1
    std::vector<std::size_t> cost_;   ///< by CUDA line: 1 + index in Analysis::lines, or 0
    std::vector<std::size_t> fault_;  ///< by CUDA line: 1 + index in Trace::findings, or 0

    /// The positions of the other warps, grouped by line.
    struct Standing {
        PtxLine ptx;
        std::uint32_t cuda = 0;
        std::vector<WarpId> warps;
        bool waiting = false;  ///< at a barrier
    };
    std::vector<Standing> standing_;
    std::uint64_t standing_for_ = 0;  // Shown::id
    std::size_t standing_source_ = 0;
    std::size_t standing_at_ = ~std::size_t{0};  // position
    std::uint32_t hovered_cuda_ = 0;             ///< CUDA line under the mouse in either text, as of the last frame
    std::uint32_t hovering_cuda_ = 0;
};

}  // namespace lanescope::ui
