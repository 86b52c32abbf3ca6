#include "analysis/names.h"

#include "analysis/code.h"
#include "analysis/element_type.h"
#include "analysis/operator_text.h"

#include <fmt/format.h>

#include <vector>

namespace lanescope::analysis {
namespace {

/// What DWARF says of the shared array of that name.
const ptx::SourceArray* declared(const ptx::Module& module, const std::string& name) {
    for (const ptx::SourceArray& array : module.arrays) {
        if (array.name == name) return &array;
    }
    return nullptr;
}

/// "[1][3]" for element 35 of an array [..][32].
std::string subscript(std::uint64_t element, const ptx::SourceArray* array) {
    std::string text;
    if (array != nullptr) {
        for (std::size_t d = array->extents.size(); d-- > 1 && array->extents[d] > 0;) {
            text = fmt::format("[{}]{}", element % array->extents[d], text);
            element /= array->extents[d];
        }
    }
    return fmt::format("[{}]{}", element, text);
}

}  // namespace

std::string shared_name(const trace::Trace& trace, const ptx::Module& module, std::uint64_t address, unsigned bytes) {
    for (const trace::SharedArray& array : trace.shared_arrays) {
        if (address < array.offset || address - array.offset >= array.bytes) continue;
        const unsigned size = array.element ? trace::bytes_of(*array.element) : std::max(bytes, 1U);
        return array.name + subscript((address - array.offset) / size, declared(module, array.name));
    }
    return fmt::format("shared[{:#x}]", address);
}

std::string global_name(const trace::Trace& trace, std::uint64_t address) {
    const trace::Buffer* const buffer = trace.buffer_at(address);
    if (buffer == nullptr) return fmt::format("global[{:#x}]", address);
    return fmt::format("{}[{}]", buffer->name, (address - buffer->address) / trace::bytes_of(buffer->element));
}

std::string memory_name(const trace::Trace& trace, const ptx::Module& module, trace::Space space, std::uint64_t address,
                        unsigned bytes) {
    switch (space) {
        case trace::Space::shared: return shared_name(trace, module, address, bytes);
        case trace::Space::global: return global_name(trace, address);
        case trace::Space::local: return fmt::format("its local memory at {}", address);
        case trace::Space::param: return fmt::format("the parameters at {}", address);
        case trace::Space::constant: return fmt::format("constant memory at {}", address);
    }
    return {};
}

std::string number_of(const trace::Trace& trace, const Provenance& provenance, ValueId id) {
    const Value& value = provenance[id];
    if (value.bytes == 0) return value.bits != 0 ? "true" : "false";
    return trace::text_of(element_of(trace, provenance, id), value.bits);
}

std::string host_words(const Provenance& provenance, ValueId id) {
    const trace::HostWrite* const write = provenance.host_write(id);
    if (write == nullptr) return {};
    const std::string line = write->source_line != 0 ? fmt::format(" (line {})", write->source_line) : "";
    return fmt::format("after launch {}{}", write->launch, line);
}

std::optional<std::string> origin_of(const trace::Trace& trace, const ptx::Module& module, const Provenance& provenance,
                                     ValueId id) {
    for (bool first = true;; first = false) {
        const Value& value = provenance[id];
        const bool in_memory = value.is_given() || value.kind == Value::Kind::unwritten || value.is_cell();
        if (in_memory && !first) return memory_name(trace, module, value.space, value.address, value.bytes);
        const auto parents = provenance.parents(id);
        if (parents.size() != 1 || provenance[parents.front()].bits != value.bits || !value.step.valid()) return {};
        const CodeLine* const line = provenance.code().at(trace.step(value.step).line);
        if (line == nullptr) return {};
        const bool copies =
            line->flow != Flow::compute || operator_text(*line->instruction).form == OperatorText::Form::transparent;
        if (!copies) return {};
        id = parents.front();
    }
}

std::optional<std::string> lane_list(LaneMask lanes, unsigned first) {
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
