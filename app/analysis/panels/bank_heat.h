// All accesses of shared memory in a pass, bank by bank, to show where the pass loses its wavefronts.
#pragma once

#include "analysis/block_view.h"
#include "analysis/panels/bank_picture.h"
#include "model/device_limits.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::analysis {

/// One warp's access.
struct BankHeatRow {
    std::size_t step = 0;  ///< number in BlockPasses::steps
    trace::EffectKind kind = trace::EffectKind::load;
    WarpId warp;
    std::uint32_t source_line = 0;  ///< 0: compiler-generated
    PtxLine line;
    std::vector<unsigned> degree;  ///< by bank: BankPicture::degree
    bool by_word = true;           ///< BankPicture::by_word
    std::size_t wavefronts = 0;
    bool conflict = false;  ///< more wavefronts than consecutive words would need
};

struct BankHeat {
    unsigned banks = model::usual_banks;
    std::vector<BankHeatRow> rows;  ///< by instruction in the order met, then by warp

    [[nodiscard]] unsigned most_degree() const;  ///< of any bank in any access; 0 without any
    /// The row of the block's step number `step`; nothing where it makes no access of the pass.
    [[nodiscard]] std::optional<std::size_t> row_of(std::size_t step) const;
};

/// Without `banks`, the trace's number of banks.
[[nodiscard]] BankHeat bank_heat(const BlockView& block, PassId pass, std::optional<model::BankModel> banks);

}  // namespace lanescope::analysis
