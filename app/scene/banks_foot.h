// What stands below the words of shared memory in the Banks panel: the verdict, the arithmetic in as many lines as it
// needs, and the buttons of the wavefronts. Laid out before the rows, which are as high as this leaves them.
#pragma once

#include "analysis/panels/bank_picture.h"
#include "scene/banks_scene.h"
#include "scene/layers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::scene {

/// How high it may be, points. The more is taken from the rows, the more must be gained by it.
struct FootRoom {
    float easy = 0;   ///< lanes still have their names
    float tight = 0;  ///< all rows are still in sight
    float most = 0;   ///< a few rows are
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
    bool cut = false;  ///< the sentence does not stand there in full
    std::vector<Button> buttons;
    Box said;  ///< beside the buttons: who is served
    float height = 0;
};

[[nodiscard]] BanksFoot banks_foot(const analysis::BankPicture& picture, const BanksOptions& options,
                                   const FootRoom& room);

/// `note`: how many of the rows are shown, or nothing. `y`: where the rows end.
void draw_banks_foot(const analysis::BankPicture& picture, const BanksOptions& options, const BanksFoot& foot,
                     const std::string& note, float y, Layer& layer);

/// What the access is and where its words fall, one sentence.
[[nodiscard]] std::string bank_sentence(const analysis::BankPicture& picture);

}  // namespace lanescope::scene
