// A value stands for another that it is a copy of, for the outcome of a comparison, or for a flag.
#pragma once

#include "analysis/dataflow/value_graph.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::analysis {

class ByteHistory;

struct Lineage {
    ValueId root;       ///< the value that it is a copy of; invalid: itself
    ValueId test;       ///< of a predicate or a flag: the comparison of two values whose outcome it is
    ValueId chosen_by;  ///< of an address: the comparison that chose it
    ValueId kept_by;    ///< the comparison that decided that it stays
    const ByteHistory* loaded_from = nullptr;
    bool literal = false;      ///< a number that the code names
    bool conditional = false;  ///< a predicate or a flag: a condition on the data decides it
    bool flag = false;         ///< 0 or 1 by a condition on the data, or a sum of such
};

/// 0 or 1, as an integer or a float of that many bytes.
[[nodiscard]] bool is_zero_or_one(std::uint64_t bits, unsigned bytes);

/// The lineage of each value of a graph that has one; all others stand for themselves.
class Lineages {
  public:
    /// `values` must outlive it.
    explicit Lineages(const ValueGraph& values) : values_(values) {}

    [[nodiscard]] const Lineage& operator[](ValueId id) const {
        static const Lineage itself;
        const std::size_t piece = id.index() / piece_size;
        const bool has_none = piece >= pieces_.size() || pieces_[piece] == nullptr;
        return has_none ? itself : pieces_[piece][id.index() % piece_size];
    }
    /// Valid as long as this.
    [[nodiscard]] Lineage& change(ValueId id);

    /// The value as it was first made.
    [[nodiscard]] ValueId root(ValueId id) const {
        const ValueId found = (*this)[id].root;
        return found.valid() ? found : id;
    }
    /// Does a comparison with the value, or a branch on it, depend on the data?
    [[nodiscard]] bool is_data_condition(ValueId id) const;
    /// Is it a 0 or 1 that the code names? An index may be 0 or 1 as well, but is no flag.
    [[nodiscard]] bool is_literal_flag(ValueId id) const;

    /// A condition on the data decides the value: the comparison `test`, where it is one of two values.
    void mark_conditional(ValueId id, ValueId test);
    void mark_flag(ValueId id, ValueId test);
    /// `id` is a copy of `from`, which was loaded from `loaded_from`; null: from no memory, or from an unknown one.
    void mark_copy(ValueId id, ValueId from, const ByteHistory* loaded_from);

    /// Calls visit(ValueId id, ValueId test) for each value that the comparison `test` let stay.
    template <class Visit>
    void for_each_kept(Visit&& visit) const {
        const auto past_last =
            static_cast<std::uint32_t>(std::min<std::size_t>(pieces_.size() * piece_size, values_.size()));
        for (std::uint32_t i = 0; i < past_last; ++i)
            if (const ValueId test = (*this)[ValueId(i)].kept_by; test.valid()) visit(ValueId(i), test);
    }

  private:
    static constexpr std::size_t piece_size = 4096;

    const ValueGraph& values_;
    /// By value, in pieces that never move, because there are millions; null where no value of the piece has a lineage.
    std::vector<std::unique_ptr<Lineage[]>> pieces_;
};

}  // namespace lanescope::analysis
