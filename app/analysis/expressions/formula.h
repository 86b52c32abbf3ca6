// Registers as the source would write them, "tid % 8", "blockIdx.x * blockDim.x + tid", and values as expressions of
// inputs.
#pragma once

#include "analysis/block_view.h"
#include "analysis/expressions/operator_text.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::analysis {

struct Formula {
    std::string names;       ///< "tid % (s * 2)", with names where there are some, numbers elsewhere
    std::string folded;      ///< "tid % 8": parts that all lanes agree on are evaluated, but plain names are kept
    std::string numbers;     ///< "5 % 8"
    std::string value;       ///< "5"
    bool has_names = false;  ///< else `names` and `numbers` are the same
    bool leaf = true;        ///< one name or number
    bool uniform = false;    ///< all active lanes hold the same
    bool own = false;        ///< a text has an element or a number that is not every active lane's
    bool loose = false;      ///< its operator binds no tighter than a comparison: "i & size", "a > b"
};

/// Finds formulas by going back through a block's steps. Built for one step of one lane at a time.
class FormulaFinder {
  public:
    static constexpr unsigned usual_depth = 3;  ///< tid % (2 * s)

    /// How to name an element of an array that only some of the active lanes access.
    enum class Elements : std::uint8_t {
        of_the_lane,  ///< "in[3]": of one lane
        by_index,     ///< "in[i]", as the source has it for all; where that is not known, as above
    };

    explicit FormulaFinder(const BlockView& block, Elements elements = Elements::of_the_lane)
        : block_(block), elements_(elements) {}

    /// The formula of `reg` (numbered as in the trace) just before the block's step number `index`, for `lane` of its
    /// warp. At most `depth` operators nest; deeper parts are numbers.
    [[nodiscard]] Formula of_register(RegisterId reg, std::size_t index, unsigned lane,
                                      unsigned depth = usual_depth) const;
    /// The operation of the step: its operator applied to its operands.
    [[nodiscard]] Formula of_result(std::size_t index, unsigned lane) const;
    /// Source operand `operand` of the step's instruction (counted as in Instruction::operands).
    [[nodiscard]] Formula of_operand(unsigned operand, std::size_t index, unsigned lane) const;

    /// The kernel's argument that the step reads, if it reads one.
    [[nodiscard]] const trace::Argument* argument_at(std::size_t index) const;

    /// The block's step, before number `index`, that last wrote `reg` for that lane of the warp of step `index`.
    [[nodiscard]] std::optional<std::size_t> definition(RegisterId reg, std::size_t index, unsigned lane) const;

  private:
    struct At {
        std::size_t index = 0;
        unsigned lane = 0;
        unsigned depth = 0;  ///< operators that may still nest
    };
    [[nodiscard]] const InstructionInfo* line_at(std::size_t index) const;
    [[nodiscard]] Formula of_register(RegisterId reg, At at) const;
    [[nodiscard]] Formula of_operand(const ptx::Operand& operand, const InstructionInfo& line, At at) const;
    [[nodiscard]] Formula of_instruction(const InstructionInfo& line, At at) const;
    [[nodiscard]] Formula of_load(std::size_t definition, At at, Formula value) const;
    [[nodiscard]] Formula of_selected_flag(const InstructionInfo& line, std::size_t definition, At at,
                                           Formula value) const;
    [[nodiscard]] Formula combined(const InstructionInfo& line, const OperatorText& op, At at) const;
    [[nodiscard]] const ptx::SourceVariable* variable_of(RegisterId reg, std::size_t index) const;
    [[nodiscard]] Formula written_value(RegisterId reg, std::size_t definition, std::size_t index, unsigned lane) const;

    BlockView block_;
    Elements elements_;
};

/// "((10 + 1) + (8 + -1)) + ...": the value as an expression of inputs, shortened to about `length` characters.
[[nodiscard]] std::string expression_of(const trace::Trace& trace, const Provenance& provenance, ValueId value,
                                        trace::Element element, std::size_t length = 120);

}  // namespace lanescope::analysis
