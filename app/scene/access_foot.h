// Shared by the panels Banks and Sectors: the scrollbar of the rows of memory, and the foot below them with a verdict,
// the arithmetic, and a button for each wavefront or sector. The foot is laid out before the rows, which get the
// remaining height.
#pragma once

#include "base/ids.h"
#include "scene/layers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

/// The foot's maximum heights, points. The more room it takes from the rows, the more it must show.
struct FootRoom {
    float easy = 0;   ///< lanes keep their names
    float tight = 0;  ///< all rows remain visible
    float most = 0;   ///< a few rows remain visible
};

/// The words of the foot for an access.
struct FootContent {
    struct Turn {
        bool begins_group = false;  ///< lanes served separately begin here; for an atomic, another sector
        std::string says;           ///< "lanes 0-7 served, 24 wait"
    };
    std::string verdict;     ///< "8 wavefronts"
    bool excess = false;     ///< more than the best case: the verdict is drawn in the color of a cost
    std::string access;      ///< as in the source; or empty
    std::string arithmetic;  ///< a sentence without its full stop
    std::string turn;        ///< the name of what a button stands for: "wavefront"
    std::vector<Turn> turns;
    std::optional<unsigned> chosen;  ///< the turn shown; nothing: all at once
    StepId step;
    float width = 480, scale = 1;

    /// The access and the arithmetic in one sentence.
    [[nodiscard]] std::string sentence() const { return access.empty() ? arithmetic : access + ": " + arithmetic; }
};

struct AccessFoot {
    struct Words {
        float x = 0, y = 0;  ///< from the lower edge of the rows, like all positions here; y: the middle
        std::string text;
    };
    struct Button {
        Box box;
        std::uint32_t number = 0, span = 1;  ///< span 0: all wavefronts
        std::string name;                    ///< empty where there is no room for one
    };
    std::vector<Words> sentence;
    bool cut = false;  ///< the sentence is elided
    std::vector<Button> buttons;
    Box said;  ///< beside the buttons: the lanes that are served
    float height = 0;
};

[[nodiscard]] AccessFoot access_foot(const FootContent& content, const FootRoom& room);

/// `note`: how many of the rows are shown; may be empty. `y`: the lower edge of the rows. References: wavefront (column
/// = number of the turn, the button "all" has span 0), step: over the sentence where it is cut off.
void draw_access_foot(const FootContent& content, const AccessFoot& foot, const std::string& note, float y,
                      Layer& layer);

/// The rows that are shown, of all that can be scrolled to.
struct RowsShown {
    std::size_t first = 0, shown = 0, beyond = 0;
};
/// Draws it at the right edge of `rows`; nothing where all rows are shown.
void draw_rows_scrollbar(Layer& layer, const Box& rows, const RowsShown& of, float scale);

}  // namespace lanescope::scene
