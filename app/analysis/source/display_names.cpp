#include "analysis/source/display_names.h"

#include "analysis/dataflow/instruction_table.h"
#include "analysis/expressions/operator_text.h"
#include "analysis/source/element_type.h"
#include "analysis/source/members.h"
#include "base/demangle.h"
#include "base/grouped.h"
#include "model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lanescope::analysis {
namespace {

/// The source's declaration of the shared array of that name.
const ptx::SourceArray* declared(const ptx::Module& module, const std::string& name) {
    for (const ptx::SourceArray& array : module.arrays) {
        if (array.space == ptx::Space::shared && array.name == name) return &array;
    }
    return nullptr;
}

/// "[1][3]" for element 35 of an array [..][32].
std::string subscript(std::uint64_t element, const std::vector<std::uint64_t>& extents) {
    std::string text;
    for (std::size_t d = extents.size(); d-- > 1 && extents[d] > 0;) {
        text = fmt::format("[{}]{}", element % extents[d], text);
        element /= extents[d];
    }
    return fmt::format("[{}]{}", element, text);
}

/// ".y" where an access of `bytes` at `offset` of an element is to one member; nothing where it is to the whole
/// element.
std::string member_text(const Members& members, std::uint64_t offset, unsigned bytes) {
    const Member* const member = members.at(offset, bytes);
    return member != nullptr ? "." + member->name : std::string();
}

/// The name of a buffer's element: "in[1].y" for a `const float4* in`.
std::string buffer_element(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                           const trace::Buffer& buffer, std::uint64_t offset, unsigned bytes) {
    const std::string& name = trace.buffer_name(launch, buffer);
    if (const auto members = members_of(trace, module, buffer)) {
        return fmt::format("{}[{}]{}", name, offset / members->bytes,
                           member_text(*members, offset % members->bytes, bytes));
    }
    return fmt::format("{}[{}]", name, offset / trace::bytes_of(buffer.element));
}

}  // namespace

std::string shared_name(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                        std::uint64_t address, unsigned bytes) {
    for (const trace::SharedArray& array : trace.arrays_of(launch)) {
        if (address < array.offset || address - array.offset >= array.bytes) continue;
        const std::uint64_t offset = address - array.offset;
        const ptx::SourceArray* const source = declared(module, array.name);
        const unsigned number = array.element ? trace::bytes_of(*array.element) : std::max(bytes, 1U);
        const unsigned size = source != nullptr && source->element_bytes > 0 ? source->element_bytes : number;
        const std::vector<std::uint64_t> extents = source != nullptr ? source->extents : std::vector<std::uint64_t>();
        if (const auto members = members_of(module, array)) {
            const std::string element = extents.empty() ? std::string() : subscript(offset / size, extents);
            return array.name + element + member_text(*members, offset % size, bytes);
        }
        // Only the bytes of such structures are known; a structure variable has no index.
        if (size > number && extents.empty()) return fmt::format("{}[{}]", array.name, offset / number);
        const std::string name = array.name + subscript(offset / size, extents);
        return offset % size == 0 || size <= number ? name : fmt::format("{} from byte {} on", name, offset % size);
    }
    return fmt::format("shared[{}]", address_text(address));
}

std::string global_name(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                        std::uint64_t address, unsigned bytes) {
    const trace::Buffer* const buffer = trace.buffer_at(address);
    if (buffer == nullptr) return fmt::format("global[{}]", address_text(address));
    return buffer_element(trace, module, launch, *buffer, address - buffer->address, bytes);
}

std::string memory_name(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch, trace::Space space,
                        std::uint64_t address, unsigned bytes) {
    switch (space) {
        case trace::Space::shared: return shared_name(trace, module, launch, address, bytes);
        case trace::Space::global: return global_name(trace, module, launch, address, bytes);
        case trace::Space::local: return fmt::format("its local memory at {}", address);
        case trace::Space::param: return fmt::format("the parameters at {}", address);
        case trace::Space::constant: return fmt::format("constant memory at {}", address);
    }
    return {};
}

bool is_constant(const trace::Trace& trace, const ptx::Module& module, std::uint64_t address) {
    const trace::Buffer* const buffer = trace.buffer_at(address);
    if (buffer == nullptr) return false;
    const auto is_of = [&](const ptx::SourceArray& array) {
        return array.space == ptx::Space::constant && array.name == buffer->name;
    };
    return std::ranges::any_of(module.arrays, is_of) ||
           std::ranges::any_of(module.variables, [&](const ptx::Variable& variable) {
               return variable.space == ptx::Space::constant && variable_name_of(variable.name) == buffer->name;
           });
}

std::string bank_name(const trace::Trace& trace, std::uint64_t address) {
    const model::BankModel banks = model::BankModel::of(trace.origin.banks);
    const std::uint64_t word = address / banks.word_bytes;
    return fmt::format("{} = word {} mod {}", model::bank_of(address, banks), word, banks.banks);
}

std::string number_of(const trace::Trace& trace, const Provenance& provenance, ValueId id) {
    const TracedValue& value = provenance[id];
    if (value.bytes == 0) return value.bits != 0 ? "true" : "false";
    return trace::text_of(element_of(trace, provenance, id), value.bits);
}

std::string host_words(const Provenance& provenance, ValueId id) {
    const trace::HostWrite* const write = provenance.host_write(id);
    if (write == nullptr) return {};
    const std::string line = write->source_line != 0 ? fmt::format(" (line {})", write->source_line) : "";
    return fmt::format("before launch {}{}", write->launch, line);
}

namespace {

/// The element in memory that the value is a copy of, through registers; invalid where there is none.
ValueId copied_element(const trace::Trace& trace, const Provenance& provenance, ValueId id) {
    for (bool first = true;; first = false) {
        const TracedValue& value = provenance[id];
        const bool in_memory = value.is_given() || value.kind == TracedValue::Kind::uninitialized || value.is_cell();
        if (in_memory && !first) return id;
        const auto parents = provenance.parents(id);
        if (parents.size() != 1 || provenance[parents.front()].bits != value.bits || !value.step.valid()) return {};
        const InstructionInfo* const line = provenance.instructions().at(trace.step(value.step).line);
        if (line == nullptr) return {};
        const bool copies =
            line->flow != Flow::compute || operator_text(*line->instruction).form == OperatorText::Form::transparent;
        if (!copies) return {};
        id = parents.front();
    }
}

std::optional<std::string> element_name(const trace::Trace& trace, const ptx::Module& module,
                                        const Provenance& provenance, std::uint32_t launch, ValueId id) {
    if (!id.valid()) return {};
    const TracedValue& value = provenance[id];
    return memory_name(trace, module, launch, value.space, value.address, value.bytes);
}

}  // namespace

std::optional<std::string> origin_of(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                                     std::uint32_t launch, ValueId id) {
    return element_name(trace, module, provenance, launch, copied_element(trace, provenance, id));
}

std::optional<std::string> copied_input(const trace::Trace& trace, const ptx::Module& module,
                                        const Provenance& provenance, std::uint32_t launch, ValueId id) {
    while (id.valid() && !provenance[id].is_given()) id = copied_element(trace, provenance, id);
    return element_name(trace, module, provenance, launch, id);
}

std::optional<std::string> lanes_in_words(LaneMask lanes, unsigned first) {
    std::vector<unsigned> numbers;
    for (const unsigned lane : lanes) numbers.push_back(first + lane);
    if (numbers.empty()) return {};
    if (numbers.size() == 1) return fmt::format("{}", numbers[0]);
    if (numbers.size() == 2) return fmt::format("{} and {}", numbers[0], numbers[1]);
    const unsigned gap = numbers[1] - numbers[0];
    bool regular = true;
    for (std::size_t i = 1; i < numbers.size(); ++i) regular = regular && numbers[i] - numbers[i - 1] == gap;
    if (regular && gap == 1) return fmt::format("{} to {}", numbers.front(), numbers.back());
    if (numbers.size() == 3) return fmt::format("{}, {} and {}", numbers[0], numbers[1], numbers[2]);
    if (numbers.size() == 4) return fmt::format("{}, {}, {} and {}", numbers[0], numbers[1], numbers[2], numbers[3]);
    if (regular) return fmt::format("{}, {}, ... {}", numbers[0], numbers[1], numbers.back());
    return {};
}

}  // namespace lanescope::analysis
