// Notes of an emulation in its trace: what is not recorded, what is not known, and requests that had no effect.
#pragma once

#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::execute {

/// Adds the note, if the trace does not have it.
void note_once(trace::Trace& trace, std::string_view note);

/// An exhausted budget is not an error of the kernel, which might have ended: its finding becomes a note.
void make_notes_of_budgets(trace::Trace& trace);

/// The blocks that the start order names and that a launch of so many `blocks` does not have.
[[nodiscard]] std::vector<std::uint32_t> missing_blocks(const trace::BlockOrder& order, std::uint64_t blocks);

/// Notes the blocks that the start order names and that a launch of so many `blocks` does not have.
void note_missing_blocks(trace::Trace& trace, std::uint32_t launch, const trace::BlockOrder& order,
                         std::uint64_t blocks);

/// Which launches are recorded in part.
class RecordCuts {
  public:
    /// The last launch of the trace has ended; `record_blocks` of its blocks were to be recorded.
    void see(const trace::Trace& trace, std::uint64_t record_blocks);
    void add_notes(trace::Trace& trace, std::uint64_t record_bytes) const;

  private:
    /// Launches in a row that are recorded in part.
    struct Cut {
        std::size_t first = 0, last = 0;
        std::uint64_t blocks = 0, wanted = 0;
        bool cut = false;  ///< the record of their one recorded block ends early
    };
    std::vector<Cut> cuts_;
};

}  // namespace lanescope::execute
