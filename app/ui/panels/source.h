// The CUDA text, its PTX and its SASS, with the next step marked in all and the cost of each line in the margin.
#pragma once

#include "ui/panel.h"
#include "ui/panels/source_breakpoints.h"
#include "ui/panels/source_find.h"
#include "ui/panels/source_footer.h"
#include "ui/panels/source_plain.h"
#include "ui/panels/source_sass.h"
#include "ui/source_text.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

class SourcePanel : public Panel {
  public:
    [[nodiscard]] const char* title() const override { return "Source"; }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] Needs needs(const Workspace& workspace) const override;
    [[nodiscard]] double seconds_until_redraw() const override {
        return estimating_ ? 0.1 : sass_.seconds_until_redraw();
    }

    /// The machine code stands beside the text.
    [[nodiscard]] bool shows_sass() const { return shows_sass_; }
    void show_sass(bool on) { shows_sass_ = on; }
    [[nodiscard]] SourceFind& find() { return find_; }
    [[nodiscard]] const SourceFind& find() const { return find_; }
    /// The index of the first row of a line as last drawn; lines are folded into rows.
    [[nodiscard]] std::size_t row_of(Language language, std::uint32_t line) const;
    /// The visible text, for Copy source.
    [[nodiscard]] static std::string text_to_copy(const Workspace& workspace);

  private:
    /// With its rows, and the line that was last scrolled into view.
    struct Text : SourceText {
        TextRows folded;
        float folded_for = -1;  ///< the room of folded, at an em of 1 pixel
        std::uint32_t shown_line = 0;
        std::uint64_t shown_for = 0;
        std::uint32_t asked_line = 0;           ///< to scroll into view: a line of the other text was clicked
        std::uint32_t selected_line = 0;        ///< that wrote the selected value
        std::size_t asked_byte = 0;             ///< of that line, to scroll into view as well
        float shown_height = 0, shown_row = 0;  ///< of the window and of a line at that time, pixels
        std::size_t shown_rows = 0;             ///< at that time
    };

    void prepare(const Context& context);
    /// Shows the source of the next step when that changes, or the requested one.
    void follow_source(Workspace& workspace);
    float choose_source(Context& context, float right, float top, float height);
    [[nodiscard]] const analysis::SourceMap& map(const Shown& shown) const {
        return other_map_ ? *other_map_ : *shown.map;
    }
    void draw_text(Context& context, Language language, ImVec2 size);
    /// `draw_second` draws at the cursor, in a size.
    void draw_two(Context& context, ImVec2 size, const std::function<void(ImVec2)>& draw_second,
                  Language of_first = Language::cuda);
    void prepare_sass(Context& context);
    void draw_sass(Context& context, ImVec2 size);
    /// A line of a text, and what corresponds to it in the others.
    struct Line {
        std::uint32_t number = 0;
        PtxLine ptx;              ///< of PTX and SASS
        std::uint32_t cuda = 0;   ///< 0: none
        bool runs = false;        ///< it is an instruction, or has some
        bool next = false;        ///< of the next step
        std::string_view margin;  ///< instead of the number
    };
    /// Shared by all rows of a text in one frame. Lengths in pixels.
    struct TextFrame {
        Context& context;
        const Shown& shown;
        Language language = Language::cuda;
        Text& text;
        PtxLine writer;                  ///< of the selected value; invalid: none
        std::uint32_t writing_line = 0;  ///< likewise, of the CUDA text
        std::uint32_t partner = 0;       ///< CUDA line whose instructions are marked
        ImVec2 origin;
        float width = 0, row = 0, gutter = 0;
        float em = 0;  ///< points
    };
    /// Scrolls to the next line when it changes, to the writer of a value that was just selected, or to the requested
    /// line. `height`: of the view.
    void scroll_to_wanted(const TextFrame& frame, float height);
    /// Handles clicks on the row at the cursor, and its menu. Returns whether the mouse is in its margin.
    bool act_on_row(const TextFrame& frame, const Line& line);
    void paint_row(const TextFrame& frame, const TextRow& part, const Line& line, ImVec2 at) const;
    /// 1 + index in Trace::findings; 0: the line has none.
    [[nodiscard]] std::size_t fault_of(Language language, std::uint32_t line) const;
    /// Folds the text for a room of `width` pixels; returns its size in points.
    static float fold(const Look& look, Text& text, float width);
    /// Draws one row, from its left edge; `em` in points. Returns its right end.
    float draw_row(const Look& look, Language language, const Text& text, const TextRow& part, ImVec2 at,
                   float em) const;
    void draw_margin(const Look& look, const Line& line, bool is_cuda, const Breakpoints::Placed* stop,
                     std::size_t fault, ImVec2 at) const;
    [[nodiscard]] Line line_at(const Workspace& workspace, Language language, std::uint32_t number) const;
    /// The first line of the next step; 0: none.
    [[nodiscard]] std::uint32_t next_line(const Workspace& workspace, Language language) const;
    /// Scrolls the partners of a line into view.
    void ask_partners(const Workspace& workspace, Language language, const Line& line);
    [[nodiscard]] std::span<const std::string_view> lines_of(const Shown& shown, Language language) const;
    void draw_fold(const Look& look, float gutter, std::size_t lines);
    void explain_line(const Context& context, const Line& line, Language language, std::size_t fault) const;
    [[nodiscard]] Breakpoint breakpoint_at(const Shown& shown, Language language, std::uint32_t line) const;
    [[nodiscard]] const Breakpoints::Placed* placed_at(const Workspace& workspace, Language language,
                                                       std::uint32_t line) const;
    void find_warps(const Workspace& workspace);

    /// Searches the texts that are shown, and brings the current match into view.
    void follow_find(const Shown& shown, SourceView view);
    /// `em`: the height of the text.
    void mark_matches(const Look& look, Language language, const TextRow& part, ImVec2 at, float em) const;

    PlainSource plain_;
    SourceFind find_;
    SourceFooter footer_;
    SourceBreakpoints breakpoints_;
    std::uint64_t prepared_for_ = 0;
    std::size_t source_ = 0, prepared_source_ = 0;    ///< 0: the main one, else 1 + index in Origin::other_sources
    std::size_t followed_source_ = 0;                 ///< that of the next step, when it last changed
    std::uint64_t followed_for_ = 0;                  // Shown::id
    std::unique_ptr<analysis::SourceMap> other_map_;  ///< of a source that is not the main one
    Text cuda_, ptx_, assembly_;
    SourceSass sass_;
    bool shows_sass_ = false;
    bool estimating_ = false;      ///< the time of the lines
    std::uint64_t assembled_ = 0;  ///< SassText::version of assembly_
    std::vector<std::string_view> assembly_lines_;
    std::size_t notes_begin_ = 0;  ///< index of the first of the comment lines that only configure the launch
    bool notes_open_ = false;
    std::vector<float> heat_;         ///< by CUDA line, 0..1
    std::vector<std::size_t> cost_;   ///< by CUDA line: 1 + index in Analysis::lines, or 0
    std::vector<std::size_t> fault_;  ///< by CUDA line: 1 + index in Trace::findings, or 0

    /// The positions of the other warps, grouped by line.
    struct Standing {
        analysis::WarpsAtLine at;
        std::uint32_t cuda = 0;  ///< line of the text that is shown
    };
    std::vector<Standing> standing_;
    std::uint64_t standing_for_ = 0;  // Shown::id
    std::size_t standing_source_ = 0;
    std::size_t standing_at_ = ~std::size_t{0};  // position
    std::uint32_t hovered_cuda_ = 0;             ///< CUDA line under the mouse in either text, as of the last frame
    std::uint32_t hovering_cuda_ = 0;
    PtxLine hovered_ptx_, hovering_ptx_;  ///< likewise, in PTX or SASS
};

}  // namespace lanescope::ui
