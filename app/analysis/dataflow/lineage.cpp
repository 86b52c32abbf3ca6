#include "analysis/dataflow/lineage.h"

namespace lanescope::analysis {

bool is_zero_or_one(std::uint64_t bits, unsigned bytes) {
    constexpr std::uint64_t one_as_float = 0x3f800000, one_as_double = 0x3ff0000000000000;
    return bits <= 1 || (bytes == 4 && bits == one_as_float) || (bytes == 8 && bits == one_as_double);
}

Lineage& Lineages::change(ValueId id) {
    const std::size_t piece = id.index() / piece_size;
    if (piece >= pieces_.size()) pieces_.resize(piece + 1);
    if (pieces_[piece] == nullptr) pieces_[piece] = std::make_unique<Lineage[]>(piece_size);
    return pieces_[piece][id.index() % piece_size];
}

bool Lineages::is_data_condition(ValueId id) const {
    const Lineage& like = (*this)[id];
    return values_[id].input_dependent || like.flag || like.conditional;
}

bool Lineages::is_literal_flag(ValueId id) const {
    return (*this)[id].literal && is_zero_or_one(values_[id].bits, values_[id].bytes);
}

void Lineages::mark_conditional(ValueId id, ValueId test) {
    Lineage& like = change(id);
    like.conditional = true;
    if (!like.test.valid()) like.test = test;
}

void Lineages::mark_flag(ValueId id, ValueId test) {
    mark_conditional(id, test);
    change(id).flag = true;
}

void Lineages::mark_copy(ValueId id, ValueId from, const ByteHistory* loaded_from) {
    const Lineage like = (*this)[from];
    Lineage& own = change(id);
    own.root = root(from);
    if (!own.test.valid()) own.test = like.test;
    own.conditional = own.conditional || like.conditional;
    own.flag = own.flag || like.flag;
    own.literal = like.literal;
    own.loaded_from = loaded_from;
}

}  // namespace lanescope::analysis
