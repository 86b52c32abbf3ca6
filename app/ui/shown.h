// The part of a run that a window shows: one recorded block with all that panels draw of it, and the user's choices in
// it.
#pragma once

#include "analysis/panels/warp_progress.h"
#include "analysis/passes_picture/picture.h"
#include "analysis/source/source_map.h"
#include "session/run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::ui {

/// A cell of the Passes picture and its value.
struct Selection {
    std::uint32_t row = 0, column = 0;
    analysis::ValueId value;
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// A lane of the block that is shown.
struct Lane {
    WarpId warp;
    unsigned number = 0;  ///< in its warp
    friend bool operator==(const Lane&, const Lane&) = default;
};

/// A position in a run, for the next start.
struct Bookmark {
    std::uint32_t launch = 0;
    BlockId block{0};
    std::size_t position = 0;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> selected;  ///< row and column of the Passes picture
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// One recorded block of one run, with everything that the panels need. Immutable.
struct Shown {
    std::shared_ptr<const session::Run> run;
    std::uint32_t launch = 0;
    BlockId block{0};
    std::shared_ptr<const analysis::SourceMap> map;
    const analysis::BlockPasses* passes = nullptr;  ///< of the run's analysis
    const analysis::Picture* picture = nullptr;
    std::shared_ptr<const analysis::WarpProgress> courses;
    std::vector<analysis::FaultMark> faults;  ///< in the block's picture
    std::uint64_t id = 0;                     ///< differs for every run and block: a key for caches

    [[nodiscard]] const trace::Trace& trace() const { return run->trace(); }
    [[nodiscard]] const ptx::Module& module() const { return run->module(); }
    [[nodiscard]] const analysis::Analysis& analysis() const { return *run->analysis; }
    [[nodiscard]] analysis::BlockView view() const { return run->analysis->view(*passes); }
    [[nodiscard]] unsigned threads() const;  ///< of the block
    /// The line of the block's step number `index`; within library or compiler code, the line that its warp came from.
    [[nodiscard]] std::uint32_t cuda_line_at(std::size_t index) const;
};

/// `before`: what was shown, whose source map is used again for the same run. The block must be recorded.
[[nodiscard]] Shown shown_of(std::shared_ptr<const session::Run> run, std::uint32_t launch, BlockId block,
                             const Shown* before);

}  // namespace lanescope::ui
