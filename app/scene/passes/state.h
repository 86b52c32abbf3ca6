// The state of a Passes picture at a position of the block: executed rows and steps, and the selected value's past.
#pragma once

#include "analysis/passes_picture/picture.h"
#include "scene/passes_scene.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

enum class Phase : std::uint8_t { past, current, future };

struct PassesState {
    PassId current;               ///< the pass being executed; invalid at the end
    std::string label;            ///< of that pass
    StepId next;                  ///< the step that executes next; invalid at the end
    analysis::SelectedPast past;  ///< of the selected value

    /// The last row that the current pass has reached; nothing before the first and at the end.
    [[nodiscard]] std::optional<std::size_t> row_reached(const analysis::Picture& picture) const;
    [[nodiscard]] Phase phase_of(const analysis::PictureRow& row) const;
    /// Has the step executed? An unknown step has executed with its row.
    [[nodiscard]] bool done(StepId step, Phase phase) const;
};

[[nodiscard]] PassesState passes_state(const analysis::BlockPasses& passes, const analysis::Provenance& provenance,
                                       const PassesOptions& options);

}  // namespace lanescope::scene
