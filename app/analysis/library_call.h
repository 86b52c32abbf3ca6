// Which call of a library's function a step runs in: CUB's, cooperative groups', the toolkit's own `atomicAdd`. Their source is
// not the user's, so that the line which calls them is the one to point at.
#pragma once

#include "analysis/passes.h"
#include "analysis/provenance.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::analysis {

struct LibraryCall {
    /// "cub::BlockReduce::Sum", see library_name_of(); "cub/block/block_reduce.cuh" where the PTX names the file only; else empty.
    std::string function;
    std::uint32_t line = 0;  ///< of the user's source, from 1: where the library is called
};

/// The call that the block's step number `index` belongs to, of the outermost library function where they are nested; nothing
/// for the user's own code. As compiled it is inlined there (PTX ISA 11.5.3). As written it may be a `.func`, or inlined without
/// a word on where: then it is called where the lane's last step in the user's own code was.
[[nodiscard]] std::optional<LibraryCall> library_call_of(const trace::Trace& trace, const ptx::Module& module,
                                                         const Provenance& provenance, const BlockPasses& passes,
                                                         std::size_t index, unsigned lane);

/// The line of the user's source that the step runs for: its own, or the one whose call it belongs to. 0: neither is known.
[[nodiscard]] std::uint32_t user_line_of(const trace::Trace& trace, const ptx::Module& module,
                                         const Provenance& provenance, const BlockPasses& passes, std::size_t index,
                                         unsigned lane);

/// A function as its documentation calls it: without template arguments and the names that a library gives to its versions,
/// "cub::BlockReduce::Sum" for "cub::CUB_300001_SM_750::BlockReduce<int, 64, ...>::Sum".
[[nodiscard]] std::string library_name_of(const std::string& linked);

}  // namespace lanescope::analysis
