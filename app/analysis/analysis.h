// The analyses of one trace, each computed once and immutable: shared by the window, the pictures and the commands.
#pragma once

#include "analysis/block_view.h"
#include "analysis/costs.h"
#include "analysis/dataflow/provenance.h"
#include "analysis/narration/narration.h"
#include "analysis/passes/passes.h"
#include "analysis/passes_picture/picture.h"
#include "base/progress.h"
#include "base/result.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <memory>
#include <vector>

namespace lanescope::analysis {

struct Analysis {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const Provenance> provenance;
    std::vector<GridPass> passes;               ///< of all launches, whole grid
    trace::Counts totals;                       ///< whole grid, all launches
    std::optional<std::uint64_t> address_work;  ///< sum of Pass::address_work; nothing where `work` is
    std::optional<std::uint64_t> work, span;    ///< nothing unless every block was recorded and every use is known
    std::optional<std::uint64_t> useful_lanes;  ///< summed over the warp instructions; nothing where `work` is
    std::vector<LineCost> lines;

    /// The block of these passes; both must outlive the view.
    [[nodiscard]] BlockView view(const BlockPasses& of) const { return {*trace, *module, *provenance, of}; }
    [[nodiscard]] BlockView view(std::uint32_t launch, BlockId block) const {
        return view(block_passes(launch, block));
    }

    /// Passes and picture of one recorded block, computed on first use (thread-safe).
    [[nodiscard]] const BlockPasses& block_passes(std::uint32_t launch, BlockId block) const;
    [[nodiscard]] const Picture& picture(std::uint32_t launch, BlockId block) const;

    struct Memo;
    std::shared_ptr<Memo> memo;
};

[[nodiscard]] std::shared_ptr<const Analysis> analyze(std::shared_ptr<const trace::Trace> trace,
                                                      std::shared_ptr<const ptx::Module> module, Progress& progress);

}  // namespace lanescope::analysis
