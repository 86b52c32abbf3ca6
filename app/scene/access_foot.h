// Shared by the panels Banks and Sectors: the scrollbar of the rows of memory, and the foot below them with a verdict,
// the arithmetic in as many lines as it needs, and a button for each wavefront or sector. The foot is laid out before
// the rows, which get the remaining height.
#pragma once

#include "base/ids.h"
#include "scene/layers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

/// Its maximum height, points. The more it takes from the rows, the more it must show.
struct FootRoom {
    float easy = 0;   ///< lanes still have their names
    float tight = 0;  ///< all rows are still in sight
    float most = 0;   ///< a few rows are in sight
};

/// The words of the foot for an access.
struct FootContent {
    struct Turn {
        bool begins_group = false;  ///< of lanes that are served separately; of an atomic's sector
        std::string says;           ///< "lanes 0-7 served, 24 wait"
    };
    std::string verdict;     ///< "8 wavefronts"
    bool excess = false;     ///< more than the best case: the verdict has the color of a cost
    std::string access;      ///< as in the source; or empty
    std::string arithmetic;  ///< a sentence without its full stop
    std::string turn;        ///< what a button is: "wavefront"
    std::vector<Turn> turns;
    std::optional<unsigned> chosen;  ///< the turn shown; nothing: all at once
    StepId step;
    float width = 480, scale = 1;

    /// The access and the arithmetic, one sentence.
    [[nodiscard]] std::string sentence() const { return access.empty() ? arithmetic : access + ": " + arithmetic; }
};

struct AccessFoot {
    struct Words {
        float x = 0, y = 0;  ///< as everything here from the lower edge of the rows; y: the middle
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
    Box said;  ///< beside the buttons: the lanes served
    float height = 0;
};

[[nodiscard]] AccessFoot access_foot(const FootContent& content, const FootRoom& room);

/// `note`: how many of the rows are shown, or empty. `y`: the lower edge of the rows. References: wavefront (column =
/// number of the turn, the button "all" has span 0), step: over the sentence where it is cut off.
void draw_access_foot(const FootContent& content, const AccessFoot& foot, const std::string& note, float y,
                      Layer& layer);

/// The rows shown, of all there are to scroll to.
struct RowsShown {
    std::size_t first = 0, shown = 0, beyond = 0;
};
/// At the right edge of `rows`; nothing where all rows are shown.
void draw_rows_scrollbar(Layer& layer, const Box& rows, const RowsShown& of, float scale);

}  // namespace lanescope::scene
