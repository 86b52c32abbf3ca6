// A step of a lecture, run -> the page of its handout, or why its program does not open or its place does not exist.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "scene/scene.h"
#include "session/lecture.h"

#include <cstddef>
#include <optional>

namespace lanescope::cli {

struct LecturePage {
    scene::Scene scene;
    std::optional<scene::Scene> picture;  ///< what the step shows, alone; nothing where it is words alone
    std::optional<Problem> problem;       ///< printed on the page, too
};
/// Number `step`, from 0. `notes`: with the speaker's.
[[nodiscard]] LecturePage lecture_page(const session::Lecture& lecture, std::size_t step, bool notes,
                                       Progress& progress);

}  // namespace lanescope::cli
