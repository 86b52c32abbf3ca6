// Below the text of Source: the loop variables of the pass, the numbers of the next line and of the whole run.
#pragma once

#include "ui/panel.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace lanescope::ui {

class SourceFooter {
  public:
    /// In pixels, at most half of the panel's `room`. A low panel omits the sentence on the whole run, which Counts
    /// shows as well.
    [[nodiscard]] float height(const Context& context, ImVec2 room);
    /// Draws it at the cursor, `height` pixels high.
    void draw(const Context& context, float height);

  private:
    bool brief_ = false;  // without the sentence on the whole run
    // The texts are cached by run, pass and line.
    std::uint64_t shown_ = 0;  // Shown::id
    std::size_t pass_ = 0;
    std::uint32_t cuda_line_ = 0;
    std::string activity_, line_sentence_, run_sentence_, variables_;
};

}  // namespace lanescope::ui
