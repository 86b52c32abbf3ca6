#include "ui/shown.h"

#include <utility>

namespace lanescope::ui {

namespace {

std::uint64_t last_id = 0;  // of a Shown in any workspace: panels are drawn for two of them

}  // namespace

unsigned Shown::threads() const { return static_cast<unsigned>(trace().launches[launch].block.count()); }

std::uint32_t Shown::cuda_line_at(std::size_t index) const { return analysis::cuda_line_at(view(), *map, index); }

Shown shown_of(std::shared_ptr<const session::Run> run, std::uint32_t launch, BlockId block, const Shown* before) {
    Shown shown;
    shown.map = before != nullptr && before->run == run
                    ? before->map
                    : std::make_shared<analysis::SourceMap>(run->analysis->trace, run->module());
    shown.run = std::move(run);
    shown.launch = launch;
    shown.block = block;
    shown.passes = &shown.run->analysis->block_passes(launch, block);
    shown.picture = &shown.run->analysis->picture(launch, block);
    shown.courses = std::make_shared<analysis::WarpProgress>(shown.view());
    shown.faults = analysis::fault_marks(shown.view(), *shown.picture);
    shown.id = ++last_id;
    return shown;
}

}  // namespace lanescope::ui
