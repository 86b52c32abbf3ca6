// Compares two records of one program, thread by thread and entry by entry: the first difference. And which reads of a
// GPU's record the emulator replays because the order of accesses is not determined.
#pragma once

#include "execute/gpu/record.h"
#include "execute/simt/replay_source.h"

#include <memory>
#include <optional>
#include <string>

namespace lanescope::execute {

struct RecordDifference {
    std::uint32_t launch = 0;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    std::uint64_t entry = 0;  ///< of the thread's log, from 0
    std::uint64_t nth = 0;    ///< how often the thread has executed this instruction before
    PtxLine line;
    std::uint32_t source_line = 0;  ///< of the CUDA source, 0: unknown
    std::string instruction;        ///< as PTX text
    std::string expected, found;    ///< "reads 5 at shared 0x10"; "nothing more"
};

struct Comparison {
    std::uint64_t entries = 0;  ///< compared, of all threads
    std::uint64_t differing_threads = 0;
    std::optional<RecordDifference> first;
};

[[nodiscard]] Comparison compare(const std::vector<ExpectedLaunch>& expected, const Recorded& recorded,
                                 const Rewritten& rewritten, const ptx::Module& module);

/// Words of memory whose order of accesses is not determined, in the recorded blocks: accessed by an atomic; global
/// memory written by one block and accessed by another; shared memory written by one thread and polled by another with
/// volatile or other strong accesses.
class RecordedReplay : public ReplaySource {
  public:
    RecordedReplay(const Recorded& recorded, const Rewritten& rewritten);
    ~RecordedReplay() override;

    [[nodiscard]] std::optional<std::uint64_t> next(std::uint32_t launch, BlockId block, std::uint32_t thread,
                                                    PtxLine line, std::uint64_t address) override;
    [[nodiscard]] std::uint64_t replayed() const { return replayed_; }
    /// Whether any read is replayed.
    [[nodiscard]] bool any() const;
    /// Whether a byte of global memory, by its address, is in such a word.
    [[nodiscard]] bool is_undetermined(std::uint64_t address) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    std::uint64_t replayed_ = 0;
};

}  // namespace lanescope::execute
