#include "analysis/passes_picture/picture.h"

#include <algorithm>

namespace lanescope::analysis {

namespace {

/// The column of the picture that shows the byte at `address`; shared memory by its offset.
std::optional<std::uint32_t> column_of(const Picture& picture, trace::Space space, std::uint64_t address) {
    for (const ColumnGroup& group : picture.groups) {
        if (group.lanes || group.space != space) continue;
        const std::uint64_t size = trace::bytes_of(group.element);
        const auto column = [&](std::uint64_t first) -> std::optional<std::uint32_t> {
            const auto number = address < first ? std::nullopt : group.number_of((address - first) / size);
            return number ? std::optional(group.first_column + *number) : std::nullopt;
        };
        if (const auto at = column(group.address)) return at;
        if (group.folded)
            if (const auto at = column(group.folded_address)) return at;
    }
    return std::nullopt;
}

/// The memory that the step accesses at this address.
std::optional<trace::Space> space_of(const trace::Trace& trace, const trace::Step& step, std::uint64_t address) {
    std::optional<trace::Space> space;
    for (const trace::Effect& effect : trace.effects(step)) {
        if (!is_access(effect.kind)) continue;
        if (!space) space = effect.space;
        for (const unsigned lane : effect.lanes) {
            const std::uint64_t first = trace.address(effect, lane);
            if (address >= first && address < first + std::uint64_t{effect.bytes} * effect.elements)
                return effect.space;
        }
    }
    return space;
}

}  // namespace

std::vector<FaultMark> fault_marks(const BlockView& block, const Picture& picture) {
    std::vector<FaultMark> marks;
    for (std::size_t index = 0; index < block.trace.findings.size(); ++index) {
        const trace::Finding& finding = block.trace.findings[index];
        if (finding.launch != block.passes.launch || picture.rows.empty()) continue;
        const auto add_mark = [&](StepId at, std::optional<std::uint64_t> address, bool again) {
            const auto step = block.passes.find(at);
            if (!step) return;
            FaultMark mark{.finding = index, .column = {}, .step = *step, .again = again};
            const PassId pass = block.passes.pass_of(mark.step);
            for (std::uint32_t row = 0; row < picture.rows.size(); ++row) {
                if (picture.rows[row].pass <= pass) mark.row = row;
            }
            if (address) {
                if (const auto space = space_of(block.trace, block.trace.step(at), *address))
                    mark.column = column_of(picture, *space, *address);
            }
            if (!again || mark.column) marks.push_back(mark);
        };
        if (finding.block == block.passes.block && finding.step) add_mark(*finding.step, finding.address, false);
        for (const trace::Finding::Again& again : finding.again) add_mark(again.step, again.address, true);
    }
    return marks;
}

}  // namespace lanescope::analysis
