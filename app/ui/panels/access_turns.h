// Shared by the panels Banks and Sectors: the access near the cursor, its turns, shown at once, one by one or played,
// the scrolled rows, and the words for the access beside the panel's title and over its buttons.
#pragma once

#include "scene/access_picture.h"
#include "ui/look.h"
#include "ui/workspace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

/// "load", "store", "atomic".
[[nodiscard]] const char* name_of_access(trace::EffectKind kind);

/// "next: load of in[i], line 12, warp 0" and shorter forms for less room. `index`: of the access in
/// the block's steps; `what`: its text in the source, or its array, or empty.
[[nodiscard]] std::vector<std::string> access_subtitle(const Workspace& workspace, std::size_t index,
                                                       trace::EffectKind kind, const std::string& what);

/// Which of the turns of an access is shown: wavefronts or sectors. Time is ImGui's, in seconds.
class AccessTurns {
  public:
    /// Nothing: all at once.
    [[nodiscard]] const std::optional<unsigned>& shown() const { return shown_; }
    [[nodiscard]] bool playing() const { return playing_; }
    void reset();
    /// Goes to the next turn where it plays and the time has come.
    void play(std::size_t count);
    /// A click on a button; on "all" it plays the turns one after the other if all are shown already.
    void click(const scene::TraceRef& button);
    /// One notch of the wheel; before the first turn stands "all".
    void turn_wheel(int down, std::size_t count);

  private:
    std::optional<unsigned> shown_;
    bool playing_ = false;
    double since_ = 0;  // when the turn came up
};

/// The key of an access's picture: the scene is built again where any of these differs.
struct AccessKey {
    StepId step;
    std::uint64_t shown = 0;      ///< Shown::id
    float width = 0, height = 0;  ///< pixels
    std::optional<unsigned> turn;
    std::size_t first_row = 0;
    friend bool operator==(const AccessKey&, const AccessKey&) = default;
};

/// The access of one memory space that is nearest to the cursor, and what the user has selected of it.
class NearAccess {
  public:
    explicit NearAccess(trace::Space space) : space_(space) {}

    /// Its number in the block's steps; nothing: there is none so far.
    [[nodiscard]] const std::optional<std::size_t>& index() const { return index_; }
    /// Why there is none.
    [[nodiscard]] scene::NoAccess none() const { return uses_ ? scene::NoAccess::so_far : scene::NoAccess::in_launch; }
    /// The first row of memory, scrolled to.
    [[nodiscard]] std::size_t first_row() const { return first_row_; }

    AccessTurns turns;

  protected:
    /// Finds it again where run, position or followed warp have changed. True: it may be another one.
    bool find(const Workspace& workspace);
    /// Another access is shown from its first row, with all turns at once. `before`, `now`: invalid without one.
    void arrive(StepId before, StepId now);
    [[nodiscard]] bool same_run() const { return same_run_; }
    /// Over the buttons it selects the turn, otherwise it scrolls the rows.
    void turn_wheel(bool over_buttons, std::size_t turns_of_access, std::size_t rows_beyond);
    /// `turn`: "wavefront", "sector".
    static void explain(const Look& look, const scene::TraceRef& button, std::string_view turn, std::size_t count,
                        const std::function<LaneMask(std::size_t)>& lanes_of);

  private:
    trace::Space space_;
    std::uint64_t run_ = 0;                   // Shown::id, for which it was found
    std::size_t position_ = ~std::size_t{0};  // of the cursor, likewise
    WarpId warp_;                             // that was followed, likewise
    bool same_run_ = false;                   // as of the last search
    bool uses_ = true;                        // the launch accesses that memory anywhere
    std::optional<std::size_t> index_;
    std::size_t first_row_ = 0;
};

/// The same with its picture: analysis::BankPicture or analysis::SectorPicture.
template <class Picture>
class ShownAccess : public NearAccess {
  public:
    using NearAccess::NearAccess;

    [[nodiscard]] const std::optional<Picture>& picture() const { return picture_; }
    [[nodiscard]] StepId step() const { return picture_ ? picture_->step : StepId{}; }

    /// `picture_of`: of the block's step with that number.
    void follow(const Workspace& workspace,
                std::optional<Picture> (*picture_of)(const analysis::BlockView&, std::size_t)) {
        if (!find(workspace)) return;
        const StepId before = same_run() ? step() : StepId{};
        picture_ = index() ? picture_of(workspace.shown()->view(), *index()) : std::nullopt;
        arrive(before, step());
    }
    void play() {
        if (picture_) turns.play(picture_->turns());
    }
    /// `rows_beyond`: the largest first row.
    void turn_wheel(bool over_buttons, std::size_t rows_beyond) {
        NearAccess::turn_wheel(over_buttons, picture_->turns(), rows_beyond);
    }
    void explain(const Look& look, const scene::TraceRef& button, std::string_view turn) const {
        NearAccess::explain(look, button, turn, picture_->turns(),
                            [&](std::size_t number) { return picture_->lanes_of_turn(number); });
    }
    [[nodiscard]] std::vector<std::string> subtitle(const Workspace& workspace) const {
        return access_subtitle(workspace, *index(), picture_->kind,
                               picture_->access.empty() ? picture_->array : picture_->access);
    }
    [[nodiscard]] AccessKey key(const Workspace& workspace, ImVec2 room) const {
        return {step(), workspace.shown()->id, room.x, room.y, turns.shown(), first_row()};
    }
    /// `room`: pixels.
    [[nodiscard]] scene::AccessOptions options(const Look& look, ImVec2 room) const {
        return {.width = room.x / look.scale(),
                .height = room.y / look.scale(),
                .turn = turns.shown(),
                .first_row = first_row()};
    }

  private:
    std::optional<Picture> picture_;
};

}  // namespace lanescope::ui
