// The header of the SASS in Source: the architecture that it is assembled for, the kernel's resources, and the SASS
// instructions of the next step.
#pragma once

#include "ui/panel.h"
#include "ui/sass_text.h"
#include "ui/source_text.h"

#include <cstdint>
#include <string>

namespace lanescope::ui {

class SourceSass {
  public:
    /// Requests the SASS of the run that is shown, and takes it.
    void follow(const Context& context);
    /// In pixels.
    [[nodiscard]] float height(const Context& context, float width) const;
    /// Draws it at the cursor, `width` pixels wide.
    void draw(Context& context, float width);

    [[nodiscard]] const SassText& text() const { return text_; }
    /// Seconds until the next look for the answer; 0: none is awaited.
    [[nodiscard]] double seconds_until_redraw() const { return text_.busy() ? 0.1 : 0; }

  private:
    void choose_arch(Context& context);

    unsigned arch_ = 0;  ///< 0: not yet chosen
    SassText text_;
    std::string resources_;
    std::uint64_t resources_for_ = 0;  // SassText::version
    std::uint64_t resources_of_ = 0;   // Shown::id
    std::uint32_t resources_launch_ = 0;
};

}  // namespace lanescope::ui
