// The condition of a breakpoint, `stride == 2 && lane < 4` -> whether it holds for a lane before a step of a block.
// Names are the source's variables, then lane, warp, thread, block, threadIdx.x and blockIdx.x (also .y and .z).
// The grammar is that of base/expression.h.
#pragma once

#include "analysis/panels/memory_table.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

struct StepCondition {
    enum class Operator : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };
    /// `name op number`
    struct Comparison {
        std::string name;
        Operator op = Operator::equal;
        long double number = 0;  ///< holds every integer of 64 bits
    };
    std::vector<Comparison> all;  ///< joined by &&; empty: always holds
};

/// Errors have the column in `text`, from 1. An empty text is the condition that always holds.
[[nodiscard]] Result<StepCondition> read_condition(std::string_view text);

/// Fails where a name is neither a scalar variable of the module's source nor one of the names above.
[[nodiscard]] Result<void> check_names(const StepCondition& condition, const ptx::Module& module);

enum class Holds : std::uint8_t {
    no,
    yes,
    unknown,  ///< the value of a variable is not known before this step
};
/// `index`: of a step of the table's block; moves the table there. The lane must be one of the step's warp.
[[nodiscard]] Holds holds(const StepCondition& condition, MemoryTable& table, std::size_t index, unsigned lane);

}  // namespace lanescope::analysis
