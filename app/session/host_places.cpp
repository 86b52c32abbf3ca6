// Where values of host code lie: variables, what pointers point to, members, elements of vectors; and how large they are.
#include "session/host_arithmetic.h"
#include "session/host_interpreter.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

/// `sizeof(T)`, `sizeof x`, behind the word.
std::int64_t HostInterpreter::size_of() {
    std::int64_t size = 0;
    const std::size_t begin = at_;
    if (next_is("(")) {
        const std::size_t past = compile::past_bracket(*code_, at_, end_);
        std::size_t inner = at_ + 1;
        if (const auto bytes = compile::bytes_of_type(compile::spelling(*code_, {inner, past - 1}))) {
            size = *bytes;
        } else if (const auto type = type_at(inner, past - 1)) {
            const bool starred = inner < past - 1 && is(inner, "*");
            size = starred ? 8 : type->kind == HostType::Kind::extent ? 12 : type->own().bytes();
        }
        if (size > 0) at_ = past;
    }
    if (size == 0) {
        at_ = begin;
        ++idle_;
        ++sizing_;
        const Operand operand = unary();
        --idle_;
        --sizing_;
        const HostVariable* variable = operand.variable;
        size = operand.cell.bytes();
        // A vector's elements lie elsewhere; an array's are the variable.
        if (variable != nullptr && variable->type.kind == HostType::Kind::vector && variable->value.memory)
            size = std::int64_t(memories_[*variable->value.memory].bytes.size());
    }
    if (size == 0) refuse("the size of this type is not known");
    return size;
}

/// What lies there, and that it does.
HostInterpreter::Operand HostInterpreter::at(std::uint32_t memory, std::int64_t offset, const HostCell& cell) {
    return {.value = load(memory, offset, cell), .memory = memory, .offset = offset, .cell = cell};
}

HostInterpreter::Operand HostInterpreter::of_variable(HostVariable& variable) {
    const bool points = variable.type.kind == HostType::Kind::pointer || variable.type.kind == HostType::Kind::vector;
    if (sizing_ > 0 && points)  // what it points to is asked for, and it may be about to begin
        return {.value = HostValue::to(variable.value.memory, 0, variable.type.cell),
                .variable = &variable,
                .cell = variable.type.own()};
    if (variable.home) return at(*variable.home, variable.home_offset, variable.type.own());
    return {.value = variable.value, .variable = &variable, .cell = variable.type.own()};
}

/// A number or pointer whose address is taken lives in memory from then on.
HostInterpreter::Operand HostInterpreter::housed(HostVariable& variable, std::string_view name) {
    const bool moves = variable.type.kind == HostType::Kind::number || variable.type.kind == HostType::Kind::pointer;
    if (variable.home || !moves || idle_ > 0) return of_variable(variable);
    const HostCell cell = variable.type.own();
    const std::uint32_t home = make_memory(std::string(name), cell.bytes(), false, cell);
    if (variable.value.kind != HostValue::Kind::unknown) {
        store(home, 0, cell, variable.value);
    } else {
        memories_[home].unknown = true;
    }
    variable.home = home;
    return of_variable(variable);
}

HostInterpreter::Operand HostInterpreter::dereference(const HostValue& pointer) {
    if (pointer.kind == HostValue::Kind::pointer && sizing_ > 0) {
        Operand operand{.value = {}, .cell = pointer.cell};
        const bool leads_on = !pointer.cell.extents.empty() || pointer.cell.pointers > 0;
        if (leads_on) operand.value = HostValue::to({}, 0, pointer.cell.item());
        return operand;
    }
    if (idle_ > 0 || (pointer.kind != HostValue::Kind::pointer && !pointer.wild)) return {};
    if (pointer.memory && pointer.cell.known() && addressing_ > 0) {  // only where it is, as in &d_data[n]
        const HostMemory& memory = memories_[*pointer.memory];
        const bool inside =
            pointer.offset >= 0 && pointer.offset <= std::int64_t(memory.bytes.size()) - pointer.cell.bytes();
        if (!inside || (memory.device && !memory.managed))
            return {.value = {}, .memory = pointer.memory, .offset = pointer.offset, .cell = pointer.cell};
    }
    if (reachable(pointer)) return at(*pointer.memory, pointer.offset, pointer.cell);
    Operand nothing{.value = {}, .cell = pointer.cell};
    if (pointer.cell.is_number()) nothing.value = in_type(HostValue::of(std::int64_t{0}), *pointer.cell.element);
    if (pointer.cell.pointers > 0) nothing.value = HostValue::to({}, 0, pointer.cell.item());
    return nothing;
}

/// Can the host read or write there? Where not, it is a fault.
bool HostInterpreter::reachable(const HostValue& pointer) {
    using Kind = trace::Finding::Kind;
    if (pointer.wild) {
        fault(Kind::null_access, "the host follows a pointer that was never set: nothing was allocated for it", "");
        return false;
    }
    if (!pointer.memory) {
        fault(Kind::null_access, "the host follows a null pointer", "");
        return false;
    }
    if (!pointer.cell.known()) refuse("this pointer points to nothing that is known");
    HostMemory& memory = memories_[*pointer.memory];
    const std::int64_t size = pointer.cell.bytes(), index = pointer.offset / size;
    const auto place = [&] { return fmt::format("{}[{}]", memory.name, index); };
    if (memory.freed_line != 0) {
        fault(Kind::use_after_free,
              fmt::format("the host reaches {}, and {} was freed in line {}", place(), memory.name, memory.freed_line),
              memory.name);
        return false;
    }
    if (memory.device && !memory.managed) {
        fault(Kind::out_of_bounds,
              fmt::format("the host reaches {}, and {} is device memory: cudaMemcpy brings it to the host", place(),
                          memory.name),
              memory.name);
        return false;
    }
    if (memory.unsynchronised) {
        fault(Kind::race,
              fmt::format("the host reaches {} while the kernel launched in line {} may still run: "
                          "cudaDeviceSynchronize() waits for it",
                          place(), run_.launches.empty() ? 0 : run_.launches.back().line),
              memory.name);
        memory.unsynchronised = false;  // once is enough
    }
    if (memory.managed) refresh();
    if (pointer.offset >= 0 && pointer.offset <= std::int64_t(memory.bytes.size()) - size) return true;
    fault(Kind::out_of_bounds,
          fmt::format("the host reaches {}, and {} has {} elements", place(), memory.name,
                      std::int64_t(memory.bytes.size()) / size),
          memory.name);
    return false;
}

/// `structure.name`: a field where it lies.
HostInterpreter::Operand HostInterpreter::member(const Operand& structure, const std::string& name) {
    const HostCell& cell = structure.value.kind == HostValue::Kind::structure ? structure.value.cell : structure.cell;
    if (cell.structure == nullptr) return {};
    const auto field = std::ranges::find(cell.structure->fields, name, &Structure::Field::name);
    if (field == cell.structure->fields.end()) return {};
    HostCell own = cell_of(*field);
    if (own.structure == nullptr && !own.element) own.structure = structure_named(field->type);  // Node* next
    if (structure.value.kind == HostValue::Kind::structure && structure.value.memory && sizing_ == 0)
        return at(*structure.value.memory, structure.value.offset + std::int64_t(field->offset), own);
    Operand operand{.value = {}, .cell = own};
    if (!own.extents.empty() || own.pointers > 0) operand.value = HostValue::to({}, 0, own.item());
    return operand;
}

/// Functions of std::vector and the like.
HostValue HostInterpreter::vector_call(const Operand& operand, const std::string& name,
                                       const std::vector<Range>& arguments) {
    const HostValue& all = operand.value;
    if (operand.variable != nullptr && operand.variable->type.kind == HostType::Kind::opaque) {
        std::vector<std::int64_t>& extents = operand.variable->type.cell.extents;
        if (name == "size" && !extents.empty()) return HostValue::of(extents.front(), trace::Element::u64);
        if (name != "data" && name != "begin" && name != "end") extents.clear();
    }
    if (name == "reset" && operand.variable != nullptr && operand.variable->type.kind == HostType::Kind::pointer) {
        if (idle_ == 0) assign(operand, arguments.empty() ? HostValue::to({}, 0, {}) : evaluate(arguments[0]));
        return {};
    }
    if (all.kind != HostValue::Kind::pointer || !all.memory || all.cell.bytes() == 0 || idle_ > 0) return {};
    const std::int64_t unit = all.cell.bytes();
    const auto size = std::int64_t(memories_[*all.memory].bytes.size());
    const auto moved = [&](std::int64_t offset) { return HostValue::to(all.memory, offset, all.cell); };
    if (name == "data" || name == "begin" || name == "get" || name == "release" || name == "cbegin") return all;
    if (name == "end" || name == "cend") return moved(size);
    if (name == "front") return moved(0);
    if (name == "back") return moved(size - unit);
    if (name == "size" || name == "length") return HostValue::of(size / unit, trace::Element::u64);
    if (name == "empty") return HostValue::of(std::int64_t{size == 0});
    if (name == "at" && arguments.size() == 1) return apply("+", all, evaluate(arguments[0]));
    const bool grows = name == "push_back" || name == "emplace_back";
    const bool sized = name == "resize" || name == "assign";
    if (grows && arguments.size() == 1) {
        const HostValue value = evaluate(arguments[0]);
        resize(*all.memory, size + unit);
        store(*all.memory, size, all.cell, value);
    } else if (sized && !arguments.empty()) {
        const HostValue count = evaluate(arguments[0]);
        if (count.kind != HostValue::Kind::whole || count.whole < 0 || count.whole > (std::int64_t{1} << 28))
            refuse("the size of this vector is not known");
        resize(*all.memory, count.whole * unit);
        const HostValue value = arguments.size() > 1 ? evaluate(arguments[1]) : HostValue();
        for (std::int64_t at = name == "assign" ? 0 : size; at < count.whole * unit && value.is_number(); at += unit)
            store(*all.memory, at, all.cell, value);
    } else if (name == "clear") {
        resize(*all.memory, 0);
    } else if (name != "reserve" && name != "shrink_to_fit") {
        note(fmt::format("what {} does to a vector is not known, and passed over", name));
    }
    return {};
}

void HostInterpreter::assign(const Operand& target, const HostValue& value) {
    if (target.memory) {
        if (value.kind == HostValue::Kind::unknown && after_) {
            memories_[*target.memory].unknown = true;
            return;
        }
        const bool is_known = value.kind != HostValue::Kind::unknown && value.kind != HostValue::Kind::extent;
        if (!is_known && target.cell.is_number()) refuse("this value is not known");
        if (!is_known) refuse("what is assigned here is not known");
        store(*target.memory, target.offset, target.cell, value);
        HostMemory& memory = memories_[*target.memory];
        if (memory.device) {
            const auto begin = memory.bytes.begin() + target.offset, end = begin + target.cell.bytes();
            if (run_.launches.empty()) {
                std::copy(begin, end, run_.buffers[*memory.buffer].initial.begin() + target.offset);
            } else {
                write_device(memory, target.offset, {begin, end});
            }
        }
    } else if (target.variable != nullptr && target.axis >= 0) {
        trace::Dim3& extent = target.variable->value.extent;
        (target.axis == 0   ? extent.x
         : target.axis == 1 ? extent.y
                            : extent.z) = static_cast<std::uint32_t>(whole_of(value));
    } else if (target.variable != nullptr) {
        target.variable->value = converted(value, target.variable->type);
    }
}

}  // namespace lanescope::session
