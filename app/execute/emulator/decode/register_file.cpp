#include "execute/emulator/decode/register_file.h"

#include "execute/emulator/decode/register_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace lanescope::execute {

namespace {

constexpr std::uint32_t row_alignment = 64;

}  // namespace

std::uint32_t bytes_of_row(Row row) {
    switch (row) {
        case Row::none: return 0;
        case Row::predicate: return 4;
        case Row::narrow: return narrow_row_bytes;
        case Row::wide: return wide_row_bytes;
    }
    return 0;
}

RegisterFile::RegisterFile(std::vector<const ptx::Function*> functions, bool with_stack)
    : functions_(std::move(functions)) {
    for (const ptx::Function* function : functions_) {
        first_register_.push_back(static_cast<std::uint32_t>(registers_.size()));
        for (const ptx::Register& declared : function->registers) {
            Destination place;
            place.reg = RegisterId(static_cast<std::uint32_t>(registers_.size()));
            place.row = row_of(declared.type);
            place.bytes =
                place.row == Row::predicate ? std::uint8_t{0} : static_cast<std::uint8_t>(ptx::bytes_of(declared.type));
            registers_.push_back(place);
        }
    }
    for (Destination& place : registers_) {
        if (place.row == Row::predicate) place.slot = take(4);
        place.input_dependent = place.row == Row::predicate ? scratch_word_slot : take(4);
    }
    end_ = (end_ + row_alignment - 1) / row_alignment * row_alignment;
    rows_begin_ = end_;
    for (Destination& place : registers_) {
        if (place.row == Row::narrow || place.row == Row::wide) place.slot = take(bytes_of_row(place.row));
    }
    if (with_stack) {
        for (std::size_t i = 0; i <= functions_.size(); ++i) hidden_rows_.push_back(take(wide_row_bytes));
    }
}

std::uint32_t RegisterFile::take(std::uint32_t bytes) {
    const std::uint32_t slot = end_;
    end_ += bytes;
    return slot;
}

std::uint32_t RegisterFile::number_of(const ptx::Function& function) const {
    const auto found = std::find(functions_.begin(), functions_.end(), &function);
    assert(found != functions_.end());
    return static_cast<std::uint32_t>(found - functions_.begin());
}

Destination RegisterFile::destination(std::uint32_t function, RegisterId reg) const {
    return registers_[first_register_[function] + reg.index()];
}

Value RegisterFile::value(std::uint32_t function, RegisterId reg) const {
    const Destination place = destination(function, reg);
    return {.row = place.row,
            .slot = place.slot,
            .input_dependent = place.row == Row::predicate ? input_independent_slot : place.input_dependent};
}

Value RegisterFile::constant(Row row, std::uint64_t bits) {
    if (row == Row::narrow) bits &= 0xFFFF'FFFFU;
    const auto [place, added] = constants_.try_emplace({row, bits}, end_);
    if (added) take(std::max(bytes_of_row(row), row_alignment));
    return {.row = row, .slot = place->second, .input_dependent = input_independent_slot};
}

Value RegisterFile::special(Row row, ptx::Special special) {
    const auto [place, added] = specials_.try_emplace({row, special}, end_);
    if (added) take(bytes_of_row(row));
    return {.row = row, .slot = place->second, .input_dependent = input_independent_slot};
}

Value RegisterFile::temporary(std::uint32_t number) {
    const auto [place, added] = temporaries_.try_emplace(number, end_);
    if (added) take(wide_row_bytes + row_alignment);
    return {.row = Row::wide, .slot = place->second, .input_dependent = place->second + wide_row_bytes};
}

void RegisterFile::finish(Code& code) const {
    for (std::size_t function = 0; function < functions_.size(); ++function) {
        std::unordered_map<std::string_view, unsigned> declared_before;
        for (const ptx::Register& declared : functions_[function]->registers) {
            const bool predicate = declared.type == ptx::Type::pred;
            const std::uint8_t bytes =
                predicate ? std::uint8_t{0} : static_cast<std::uint8_t>(ptx::bytes_of(declared.type));
            // The kernel's registers have their own names; those of the functions it calls name the function, too.
            std::string name = function == 0 ? declared.name : functions_[function]->name + ":" + declared.name;
            // Blocks in { } may each declare the name, as inline assembly that is unrolled does.
            if (const unsigned before = declared_before[declared.name]++; before > 0)
                name += fmt::format("#{}", before + 1);
            code.registers.push_back({std::move(name), bytes});
        }
    }
    for (const auto& [key, slot] : constants_) code.constants.push_back({slot, key.first, key.second});
    for (const auto& [key, slot] : specials_) code.specials.push_back({slot, key.first, key.second});
    code.registers_begin = registers_begin_;
    code.rows_begin = rows_begin_;
    // A function's registers keep their values from one call to the next: registers of called functions are all
    // cleared.
    for (std::size_t function = 0; function < functions_.size(); ++function) {
        const std::vector<bool> uninitialized = may_be_read_uninitialized(*functions_[function]);
        for (std::size_t reg = 0; reg < uninitialized.size(); ++reg) {
            const Destination& place = registers_[first_register_[function] + reg];
            const bool is_row = place.row == Row::narrow || place.row == Row::wide;
            if (is_row && (uninitialized[reg] || function > 0))
                code.cleared_rows.push_back({place.slot, bytes_of_row(place.row)});
        }
    }
    for (const std::uint32_t row : hidden_rows_) code.cleared_rows.push_back({row, wide_row_bytes});
    code.file_bytes = (end_ + row_alignment - 1) / row_alignment * row_alignment;
}

}  // namespace lanescope::execute
