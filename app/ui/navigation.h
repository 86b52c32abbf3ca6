// Stepping through one block of a trace. A position counts the block's executed steps: at position p, step p is the
// next. Stepping follows one warp; all others advance with it.
#pragma once

#include "analysis/block_view.h"
#include "analysis/panels/warp_stops.h"
#include "analysis/source/source_map.h"
#include "base/ids.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lanescope::ui {

/// The size of a step.
enum class Unit : std::uint8_t {
    instruction,
    event,  ///< analysis::is_event(), and the first step of a pass
    line,
    pass
};

/// A place in the algorithm rather than in one execution of it: it remains valid when the launch changes.
struct Place {
    std::string label;  ///< of the pass
    std::size_t pass = 0;
    double fraction = 0;  ///< 0..1 within the pass
    bool at_end = false;
};

class Navigation {
  public:
    Navigation() = default;
    /// `map` and everything that `block` refers to must outlive this.
    Navigation(const analysis::BlockView& block, const analysis::SourceMap& map, WarpId followed);

    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] std::size_t end() const { return end_; }
    [[nodiscard]] WarpId followed() const { return followed_; }
    [[nodiscard]] const std::vector<std::size_t>& stops(Unit unit) const;

    /// The number of the stop at the position among the stops of its pass, from 1, and their count.
    struct Ordinal {
        std::size_t number = 0, of = 0;
        friend bool operator==(const Ordinal&, const Ordinal&) = default;
    };
    /// Nothing at the end, and where the position is no stop of that unit.
    [[nodiscard]] std::optional<Ordinal> ordinal(Unit unit) const;

    /// False at the end (start). back() undoes forward() of the same unit exactly, from any position.
    bool forward(Unit unit);
    bool back(Unit unit);
    void seek(std::size_t position);       ///< clamped
    void seek_near(std::size_t position);  ///< to the last stop of the followed warp at or before it
    void seek_pass(std::size_t pass);      ///< to its first stop; past the last pass: to the end
    void follow(WarpId warp);              ///< keeps the position

    [[nodiscard]] Place place() const;
    void seek(const Place& place);

  private:
    bool move(Unit unit, bool forwards);

    const trace::Trace* trace_ = nullptr;
    const ptx::Module* module_ = nullptr;
    const analysis::Provenance* provenance_ = nullptr;
    const analysis::BlockPasses* passes_ = nullptr;
    const analysis::SourceMap* map_ = nullptr;
    WarpId followed_{0};
    std::size_t position_ = 0;
    std::size_t end_ = 0;
    analysis::WarpStops stops_;

    // Moves since the last jump, so that the opposite key undoes them exactly, even from between two stops.
    struct Move {
        Unit unit;
        bool forwards;
        std::size_t from;
    };
    std::vector<Move> trail_;
};

}  // namespace lanescope::ui
