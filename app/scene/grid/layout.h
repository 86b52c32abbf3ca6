// The places of the launches, the blocks and the clock in a Grid picture.
#pragma once

#include "analysis/panels/grid_picture.h"
#include "scene/grid_scene.h"
#include "scene/layers.h"
#include "scene/time_axis.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::scene {

class GridPanelLayout {
  public:
    GridPanelLayout(const analysis::GridPicture& picture, const GridOptions& options);

    static constexpr float heading = 46, axis = 24, legend = 46;  ///< heights; the note below the legend has one line
    static constexpr float note_line = 15;                        ///< of each line after the first
    static constexpr float host_size = 11.5F;                     ///< of the text of a step of the host
    static constexpr float queue_height = 26;                     ///< of the blocks that never started
    /// Narrower bars, and lower rows, are drawn as strips.
    static constexpr float least_bar = 2, least_row = 4;
    /// A row that several resident blocks share has room for a text that names them.
    static constexpr float least_joined_row = 15;
    /// More visible arcs than these are drawn as bundles, in a track for each array below the rows.
    static constexpr std::size_t most_single_arcs = 300, most_tracks = 4;
    static constexpr float track_height = 52;

    struct Launch {
        double from = 0, to = 0;        ///< points, scrolled
        double gap = 0;                 ///< the room for the host's steps, at its left
        float top = 0, pitch = 0;       ///< of its first row, and from row to row
        std::uint32_t slots_a_row = 1;  ///< more than one: the rows are strips
        bool strips = false;
        std::uint32_t lanes = 0;  ///< multiprocessors in use; 0: none are named
        std::uint32_t each = 1;   ///< rows of a multiprocessor, before rows are joined to strips
        float lane_gap = 0;       ///< between two lanes
        float queue = 0;          ///< top of the queue of blocks that never started; 0: none
    };

    [[nodiscard]] float height() const { return height_; }
    /// The height of all rows of the legend and of all lines of the note below it.
    [[nodiscard]] float legend_height() const {
        return further_legend_rows() + legend + note_line * static_cast<float>(options_.note_lines - 1);
    }
    [[nodiscard]] float further_legend_rows() const {
        return LegendRow::line * static_cast<float>(options_.legend_rows - 1);
    }
    [[nodiscard]] const Box& body() const { return body_; }
    [[nodiscard]] double content_width() const { return content_; }
    [[nodiscard]] double scroll() const { return scroll_; }
    [[nodiscard]] const Launch& launch(std::size_t number) const { return launches_[number]; }
    [[nodiscard]] bool host_is_written() const { return written_; }
    [[nodiscard]] double past_last() const { return past_last_; }  ///< where the last gap begins
    [[nodiscard]] double last_gap() const { return last_gap_; }

    /// Is the arc, or a part of it, in the visible part of the clock?
    [[nodiscard]] bool sees(const analysis::GridArc& arc) const;
    /// The number of tracks of bundles; 0: each arc is drawn. Arrays with more arcs come first; those without a track
    /// of their own share the last one.
    [[nodiscard]] std::uint32_t tracks() const { return tracks_; }
    [[nodiscard]] std::uint32_t track_of(std::uint32_t buffer) const;
    /// The array of the track; nothing where several share it.
    [[nodiscard]] std::optional<std::uint32_t> array_of(std::uint32_t track) const;
    [[nodiscard]] float track_top(std::uint32_t track) const {
        return body_.bottom() - track_height * static_cast<float>(tracks_ - track);
    }

    [[nodiscard]] double x(std::size_t launch, std::uint64_t tick) const;
    [[nodiscard]] std::uint32_t rows(std::size_t launch) const;
    [[nodiscard]] std::uint32_t row(std::size_t launch, std::uint32_t slot) const;  ///< the row that it is drawn in
    [[nodiscard]] float y_of_row(std::size_t launch, std::uint32_t row) const;      ///< the row's top
    [[nodiscard]] float y(std::size_t launch, std::uint32_t slot) const { return y_of_row(launch, row(launch, slot)); }
    /// The box of a multiprocessor: from the top of its first row to the bottom of its last one.
    [[nodiscard]] Box lane(std::size_t launch, std::uint32_t multiprocessor) const;
    [[nodiscard]] float bar_height(std::size_t launch) const;
    [[nodiscard]] Box bar(std::size_t launch, const analysis::GridBlock& block) const;

  private:
    void place_rows();
    void place_launches();
    [[nodiscard]] std::uint32_t tracks_wanted();

    const analysis::GridPicture& picture_;
    GridOptions options_;
    float height_ = 0;
    Box body_;
    double content_ = 0, scroll_ = 0, past_last_ = 0, last_gap_ = 0;
    bool written_ = false;
    std::uint32_t tracks_ = 0;
    std::vector<std::uint32_t> arrays_;  ///< of the visible arcs
    std::vector<Launch> launches_;
};

}  // namespace lanescope::scene
