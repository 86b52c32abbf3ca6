// Compares two records of one program, thread by thread and entry by entry, up to the first difference. Also holds the
// values of a GPU's record that the emulator replays: reads whose order is not determined, and the results of
// approximate instructions, which PTX determines only to a stated error.
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
    bool at_early_test = false;     ///< a test of an mbarrier that came before the phase's end on one side or both
};

struct RecordComparison {
    std::uint64_t entries = 0;  ///< compared, of all threads
    std::uint64_t differing_threads = 0;
    std::uint64_t early_tests = 0;  ///< repeated tests of mbarriers, of both sides: not compared
    std::optional<RecordDifference> first;
};

[[nodiscard]] RecordComparison compare(const std::vector<ExpectedLaunch>& expected, const Recorded& recorded,
                                       const Rewritten& rewritten, const ptx::Module& module);

/// The results of one kind of approximate instruction on a GPU, compared with the emulator's from the same operands.
struct Approximation {
    std::string instruction;      ///< "ex2.approx.ftz.f32"
    std::uint64_t results = 0;    ///< compared
    std::uint64_t differing = 0;  ///< that differ from the emulator's, within the stated error or where none is stated
    std::uint64_t unstated = 0;   ///< differing results for which the PTX ISA states no error
    double largest_relative = 0;  ///< the largest difference of those that differ
};

/// "37 of 512 results of ex2.approx.ftz.f32 differ from the emulator's by at most 1.2e-07 (relative), within the error
/// that the PTX ISA states".
[[nodiscard]] std::string text_of(const Approximation& approximation);

/// Replays in the recorded blocks the results of approximate instructions, except for those that differ by more than
/// the PTX ISA states, and the reads of words of memory whose order of accesses is not determined: accessed by an
/// atomic; global memory written by one block and accessed by another; shared memory written by one thread and polled
/// by another with volatile or other strong accesses.
class RecordedReplay : public ReplaySource {
  public:
    RecordedReplay(const Recorded& recorded, const Rewritten& rewritten);
    ~RecordedReplay() override;

    [[nodiscard]] std::optional<std::uint64_t> next(std::uint32_t launch, BlockId block, std::uint32_t thread,
                                                    PtxLine line, std::uint64_t address) override;
    [[nodiscard]] std::optional<std::uint64_t> approximate(std::uint32_t launch, BlockId block, std::uint32_t thread,
                                                           PtxLine line, const ApproximateResult& own) override;
    /// The number of reads; results of approximate instructions are not counted.
    [[nodiscard]] std::uint64_t replayed() const { return replayed_; }
    /// Whether any read is replayed.
    [[nodiscard]] bool any() const;
    /// By instruction, in the order of their names.
    [[nodiscard]] std::vector<Approximation> approximations() const;
    /// Whether a byte of global memory, by its address, is in such a word.
    [[nodiscard]] bool is_undetermined(std::uint64_t address) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    std::uint64_t replayed_ = 0;
};

}  // namespace lanescope::execute
