// Which CUDA line a PTX line comes from, and which PTX lines a CUDA line became.
#pragma once

#include "analysis/block_view.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

class SourceMap {
  public:
    /// `source`: 0 the main one, else 1 + index in Origin::other_sources.
    SourceMap(std::shared_ptr<const trace::Trace> trace, const ptx::Module& module, std::size_t source = 0);

    /// The source with the instruction at `line`, the innermost one where it is inlined; numbered as in the
    /// constructor.
    [[nodiscard]] std::size_t source_of(PtxLine line) const;

    /// The CUDA line of the instruction at `line`, through inlined calls; 0: none.
    [[nodiscard]] std::uint32_t cuda_line(PtxLine line) const;
    /// The instructions of a CUDA line, ascending.
    [[nodiscard]] std::span<const PtxLine> ptx_lines(std::uint32_t cuda_line) const;

    /// Is there an instruction on that line of the PTX?
    [[nodiscard]] bool runs(PtxLine line) const {
        return line.valid() && line.index() < instruction_at_.size() && instruction_at_[line.index()];
    }

    /// Text of the lines without their newlines; index 0 is line 1. They live as long as the map.
    [[nodiscard]] std::span<const std::string_view> cuda() const { return cuda_; }
    [[nodiscard]] std::span<const std::string_view> ptx() const { return ptx_; }

  private:
    std::shared_ptr<const trace::Trace> trace_;  // owns the text that the views point into
    std::vector<std::string_view> cuda_, ptx_;
    std::vector<std::uint32_t> cuda_of_ptx_;  // by PTX line
    std::vector<std::vector<PtxLine>> ptx_of_cuda_;
    std::vector<bool> instruction_at_;    // by PTX line
    std::vector<std::size_t> source_of_;  // by PTX line
};

/// The line that the block's step number `index` runs for; within library or compiler code, the line that its warp came
/// from. 0: its warp has been in no line yet.
[[nodiscard]] std::uint32_t cuda_line_at(const BlockView& block, const SourceMap& map, std::size_t index);

}  // namespace lanescope::analysis
