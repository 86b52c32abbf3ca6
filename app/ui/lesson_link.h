// The actions of a lesson's links. A target is one of
//
//   lanescope:pass/3                  steps to the start of that pass
//   lanescope:panel/banks             brings that panel up
//   lanescope:open/scan/in-place      opens that kernel
//   lanescope:launch?block=256&n=256  sets these fields of the launch: block, grid, n, input, view, banks, shared,
//                                     template, multiprocessors, resident, order, schedule; "+" is a space
//   lanescope:block/1                 shows that block of the launch that is shown
//   lanescope:launch/1                shows that launch of the program
//   lanescope:line/12                 steps to the next instruction of that line of the source
#pragma once

#include "ui/launch_form.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

class Shell;

struct LessonLink {
    enum class Kind : std::uint8_t { pass, panel, open, fields, block, launch, line };
    Kind kind = Kind::pass;
    std::uint32_t number = 0;  ///< of the pass, block, launch or line
    std::string name;          ///< of the panel, in lower case, or of the kernel
    std::vector<std::pair<Field, std::string>> fields;
    friend bool operator==(const LessonLink&, const LessonLink&) = default;
};

/// Nothing where the target is none of these.
[[nodiscard]] std::optional<LessonLink> lesson_link(std::string_view target);
/// Executes the link; a target that does not exist does nothing.
void follow(const LessonLink& link, Shell& shell);
/// "Step to pass 3", for a tooltip.
[[nodiscard]] std::string sentence_of(const LessonLink& link);

}  // namespace lanescope::ui
