// Runs a step of a lecture -> the page of its handout, or why its program does not open or its place does not exist.
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
    std::optional<scene::Scene> picture;  ///< the panel of the step; nullopt if the step is text only
    std::optional<Problem> problem;       ///< also printed on the page
};
/// The page of step `step`, from 0. `notes`: include the speaker's notes.
[[nodiscard]] LecturePage lecture_page(const session::Lecture& lecture, std::size_t step, bool notes,
                                       Progress& progress);

}  // namespace lanescope::cli
