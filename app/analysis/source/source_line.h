// From an instruction to the line of the user's CUDA source that it belongs to, also inside a library that this line
// calls: CUB, cooperative groups, the toolkit's own `atomicAdd`.
#pragma once

#include "analysis/block_view.h"
#include "analysis/dataflow/instruction_table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace lanescope::analysis {

/// The file (a number of Module::files) that the user wrote: the one in which a kernel begins, because headers may be
/// named before it. 0: the text names none.
[[nodiscard]] std::uint32_t own_file(const ptx::Module& module);

/// The file that a kernel begins in; empty: the text names none.
[[nodiscard]] std::string file_of(const ptx::Module& module, const ptx::Function& kernel);

/// The line in the user's own file: for code inlined from elsewhere, the line that calls it. 0: a library's or
/// compiler-generated.
[[nodiscard]] std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction);
/// The same where own_file() is known already.
[[nodiscard]] std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction,
                                           std::uint32_t own_file);

/// Line number `line` (from 1) of a text, without blanks around it; empty past the end and for 0.
[[nodiscard]] std::string_view trimmed_line(std::string_view text, std::uint32_t line);

struct LibraryCall {
    /// "cub::BlockReduce::Sum", see library_name_of(); "cub/block/block_reduce.cuh" where the PTX names the file only;
    /// else empty.
    std::string function;
    std::uint32_t line = 0;  ///< of the user's source, from 1: where the library is called
};

/// The call that the block's step number `index` belongs to, of the outermost library function where they are nested;
/// nothing for the user's own code. As compiled it is inlined there (PTX ISA 11.5.3). As written it may be a `.func`,
/// or inlined without a call site: then it is attributed to the lane's last step in the user's own code.
[[nodiscard]] std::optional<LibraryCall> library_call_of(const BlockView& block, std::size_t index, unsigned lane);

/// The line of the user's source that the step runs for: its own, or the one whose call it belongs to. 0: neither is
/// known.
[[nodiscard]] std::uint32_t user_line_of(const BlockView& block, std::size_t index, unsigned lane);

/// A function's name in its documentation: without template arguments and the library's version names,
/// "cub::BlockReduce::Sum" for "cub::CUB_300001_SM_750::BlockReduce<int, 64, ...>::Sum".
[[nodiscard]] std::string library_name_of(const std::string& linked);
/// A kernel's name beside its launch: as the source has it, "scale<float>"; where that is longer than a line of text,
/// as those of Thrust and CUB are, library_name_of().
[[nodiscard]] std::string launch_name_of(const std::string& linked);

/// The steps of a trace in their order -> the line of the user's source that each runs for. Library code and
/// compiler-generated code run for the line that the warp came from.
class StepLines {
  public:
    /// Both must outlive it.
    StepLines(const ptx::Module& module, const InstructionTable& instructions);
    /// The line of the next step; call it for all steps of a warp, in their order. 0: the warp has been in no line yet.
    [[nodiscard]] std::uint32_t next(const trace::Step& step);

  private:
    const ptx::Module& module_;
    const InstructionTable& instructions_;
    std::uint32_t file_;
    std::map<std::tuple<std::uint32_t, BlockId, WarpId>, std::uint32_t> last_;
};

}  // namespace lanescope::analysis
