#include "session/view_difference.h"

#include "session/input.h"

#include <algorithm>
#include <cmath>

namespace lanescope::session {

namespace {

/// Some thousand roundings in the type's own precision.
double tolerance_of(trace::Element element) {
    switch (element) {
        case trace::Element::f64: return 1e-12;
        case trace::Element::f32: return 1e-4;
        case trace::Element::f16: return 1e-2;
        case trace::Element::bf16: return 1e-1;
        default: return 0;
    }
}

bool alike(trace::Element element, std::uint64_t a, std::uint64_t b) {
    if (a == b || !is_float(element)) return a == b;
    const double x = decode(element, a), y = decode(element, b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (std::isinf(x) || std::isinf(y)) return x == y;
    return std::abs(x - y) <= tolerance_of(element) * std::max({std::abs(x), std::abs(y), 1.0});
}

}  // namespace

std::vector<trace::Buffer> outputs_of(const trace::Trace& trace) {
    std::vector<trace::Buffer> outputs;
    for (const trace::Buffer& buffer : trace.buffers) {
        if (!buffer.output) continue;
        trace::Buffer& output = outputs.emplace_back();
        output.name = buffer.name;
        output.element = buffer.element;
        output.bytes = buffer.bytes;
        output.final = buffer.final;
    }
    return outputs;
}

std::optional<ViewDifference> difference_of_views(const std::vector<trace::Buffer>& written,
                                                  const std::vector<trace::Buffer>& compiled) {
    for (const trace::Buffer& one : written) {
        const auto other = std::ranges::find(compiled, one.name, &trace::Buffer::name);
        if (other == compiled.end()) continue;
        const std::size_t count = std::min(one.final.size(), other->final.size()) / trace::bytes_of(one.element);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t a = trace::bits_at(one.element, one.final, i);
            const std::uint64_t b = trace::bits_at(one.element, other->final, i);
            if (alike(one.element, a, b)) continue;
            return ViewDifference{.buffer = one.name,
                                  .element = i,
                                  .written = trace::text_of(one.element, a),
                                  .compiled = trace::text_of(one.element, b)};
        }
    }
    return std::nullopt;
}

bool rounds_products(const ptx::Module& module, const std::vector<trace::Launch>& launches) {
    const auto adds_a_product = [&](const ptx::Function& function) {
        if (function.entry && std::ranges::find(launches, function.name, &trace::Launch::kernel) == launches.end())
            return false;
        std::vector<bool> product(function.registers.size());
        for (const ptx::Instruction& instruction : function.instructions) {
            const ptx::Operand& result = instruction.operands.front();
            const bool copies = instruction.opcode == ptx::Opcode::mov;
            const bool fusible = ptx::may_be_fused(instruction);
            const bool multiplies = fusible && instruction.opcode == ptx::Opcode::mul;
            const bool adds =
                fusible && (instruction.opcode == ptx::Opcode::add || instruction.opcode == ptx::Opcode::sub);
            bool of_product = false;
            for (std::size_t i = instruction.destination_count; i < instruction.operand_count; ++i) {
                const ptx::Operand& operand = instruction.operands[i];
                of_product = of_product || (operand.kind == ptx::Operand::Kind::reg && product[operand.reg.value]);
            }
            if (adds && of_product) return true;
            if (instruction.destination_count == 1 && result.kind == ptx::Operand::Kind::reg)
                product[result.reg.value] = multiplies || (copies && of_product);
        }
        return false;
    };
    return std::ranges::any_of(module.functions, adds_a_product);
}

}  // namespace lanescope::session
