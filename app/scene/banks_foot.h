// The foot of the Banks panel below the words of shared memory: the verdict, the arithmetic in as many lines as it
// needs, and the buttons of the wavefronts. Laid out before the rows, which get the remaining height.
#pragma once

#include "analysis/panels/bank_picture.h"
#include "scene/banks_scene.h"
#include "scene/layers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::scene {

/// Its maximum height, points. The more it takes from the rows, the more it must show.
struct FootRoom {
    float easy = 0;   ///< lanes still have their names
    float tight = 0;  ///< all rows are still in sight
    float most = 0;   ///< a few rows are in sight
};

struct BanksFoot {
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

[[nodiscard]] BanksFoot banks_foot(const analysis::BankPicture& picture, const BanksOptions& options,
                                   const FootRoom& room);

/// `note`: how many of the rows are shown, or empty. `y`: the lower edge of the rows.
void draw_banks_foot(const analysis::BankPicture& picture, const BanksOptions& options, const BanksFoot& foot,
                     const std::string& note, float y, Layer& layer);

/// The access and the banks of its words, one sentence.
[[nodiscard]] std::string bank_sentence(const analysis::BankPicture& picture);

}  // namespace lanescope::scene
