// A value stands for another that it is a copy of, for the outcome of a comparison, or for a flag.
#pragma once

#include "analysis/dataflow/value_graph.h"

#include <algorithm>
#include <cstdint>
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
        return id.index() < lineages_.size() ? lineages_[id.index()] : itself;
    }
    /// Valid until the lineage of another value changes.
    [[nodiscard]] Lineage& change(ValueId id);

    /// The value as it was first made.
    [[nodiscard]] ValueId root(ValueId id) const {
        const ValueId found = (*this)[id].root;
        return found.valid() ? found : id;
    }
    /// Does comparing it, or branching on it, ask for the data?
    [[nodiscard]] bool is_data_condition(ValueId id) const;
    /// Is it 0 or 1 because the code says so? An index may be 0 or 1 as well, but is no flag.
    [[nodiscard]] bool is_literal_flag(ValueId id) const;

    /// A condition on the data decides the value: the comparison `test`, where it is one of two values.
    void mark_conditional(ValueId id, ValueId test);
    void mark_flag(ValueId id, ValueId test);
    /// `id` is a copy of `from`, and lay in `loaded_from` before; null: in no memory, or in an unknown one.
    void mark_copy(ValueId id, ValueId from, const ByteHistory* loaded_from);

    /// Calls visit(ValueId id, ValueId test) for each value that the comparison `test` let stay.
    template <class Visit>
    void for_each_kept(Visit&& visit) const {
        for (std::size_t i = 0; i < std::min(lineages_.size(), values_.size()); ++i)
            if (lineages_[i].kept_by.valid()) visit(ValueId(static_cast<std::uint32_t>(i)), lineages_[i].kept_by);
    }

  private:
    const ValueGraph& values_;
    std::vector<Lineage> lineages_;  ///< by value; those beyond the end have none yet
};

}  // namespace lanescope::analysis
