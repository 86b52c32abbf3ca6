// One access of shared memory by banks: the 32-bit words that the lanes access, the bank of each, and the wavefront
// that serves it. The Banks panel draws it.
#pragma once

#include "analysis/block_view.h"
#include "model/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// A word of shared memory that the access touches.
struct BankWord {
    std::uint64_t word = 0;  ///< byte offset in the block's shared memory / bank_bytes
    unsigned bank = 0;       ///< word mod banks
    std::uint64_t row = 0;   ///< word / banks
    LaneMask lanes;          ///< that access it
    unsigned wavefront = 0;  ///< the first that serves it, from 0
};

struct BankPicture {
    StepId step;
    trace::EffectKind kind = trace::EffectKind::load;  ///< load, store or atomic
    unsigned bytes = 4;                                ///< a lane moves, all elements together
    LaneMask lanes;
    bool by_word = true;  ///< a bank serves words one after the other; false: lanes, as for most atomics
    unsigned banks = model::usual_banks;
    std::vector<BankWord> words;   ///< distinct, ascending
    std::vector<unsigned> degree;  ///< by bank: accesses that it serves one after the other for lanes served together
    std::vector<model::Wavefront> wavefronts;  ///< in the order served
    std::uint64_t memory_rows = 0;             ///< rows that the block's shared memory has
    std::string array;                         ///< name of the array touched; empty where several are
    std::string access;                        ///< as in the source, "sdata[index + s]" (access_text()); or empty
    std::string arithmetic;                    ///< a sentence without its full stop: the banks of the words, and why
    unsigned groups =
        0;  ///< of lanes that are served separately: halves or quarters of the warp; rounds of an atomic's loop
    [[nodiscard]] bool begins_group(std::size_t wavefront) const {
        return wavefront == 0 || wavefronts[wavefront].group != wavefronts[wavefront - 1].group;
    }
    /// The access takes one turn for each wavefront.
    [[nodiscard]] std::size_t turns() const { return wavefronts.size(); }
    [[nodiscard]] LaneMask lanes_of_turn(std::size_t turn) const { return wavefronts[turn].lanes; }
    /// The lanes that wait while the wavefront is served.
    [[nodiscard]] LaneMask waiting_in(std::size_t wavefront) const;
    /// The rows of shared memory that the access touches, ascending.
    [[nodiscard]] std::vector<std::uint64_t> touched_rows() const;
    [[nodiscard]] bool conflict() const { return wavefronts.size() > least; }
    std::size_t least = 1;  ///< wavefronts that the same lanes would need without any conflict
};

/// The access of shared memory of step `index`; nothing where it makes none. Without `banks`, the trace's number of
/// banks.
[[nodiscard]] std::optional<BankPicture> bank_picture(const BlockView& block, std::size_t index,
                                                      std::optional<model::BankModel> banks = {});

/// The same for the block's step number `index`, with the access as in the source.
[[nodiscard]] std::optional<BankPicture> named_bank_picture(const BlockView& block, std::size_t index);

}  // namespace lanescope::analysis
