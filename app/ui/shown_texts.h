// The texts for what is shown: the narration of the step or pass at the cursor, the selected value as an expression.
// Each is composed once and kept until the step, pass or value changes.
#pragma once

#include "ui/shown.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::ui {

class ShownTexts {
  public:
    /// The narration of the step that is next at the position, by the chosen lane if it is active there, else by a
    /// useful one; or of a whole pass, by its index.
    [[nodiscard]] const std::string& narration(const Shown& shown, std::size_t position,
                                               std::optional<std::size_t> whole_pass, const std::optional<Lane>& lane);
    /// The expression of a selected value that is traced.
    [[nodiscard]] const std::string& expression(const Shown& shown, const Selection& selection);

  private:
    struct Narrated {
        std::uint64_t shown = 0;  // Shown::id
        std::size_t position = 0;
        std::optional<std::size_t> whole_pass;
        std::optional<Lane> lane;
        friend bool operator==(const Narrated&, const Narrated&) = default;
    };
    struct Expressed {
        std::uint64_t shown = 0;  // Shown::id
        Selection selection;
        friend bool operator==(const Expressed&, const Expressed&) = default;
    };
    Narrated narrated_;
    Expressed expressed_;
    std::string narration_, expression_;
};

}  // namespace lanescope::ui
