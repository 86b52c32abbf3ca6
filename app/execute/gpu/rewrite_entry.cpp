#include "execute/gpu/rewrite_entry.h"

#include <fmt/format.h>

namespace lanescope::execute {

using ptx::Operand;

namespace {

constexpr std::uint64_t address_mask = (std::uint64_t{1} << site_shift) - 1;

std::string at(const std::string& condition) { return condition.empty() ? "\t" : "\t@" + condition + " "; }

}  // namespace

std::string take(const ptx::Function& function, const Operand& operand) {
    if (operand.kind == Operand::Kind::immediate)
        return fmt::format("\tmov.u64 %lanescope_value, {};\n", operand.immediate);
    if (operand.kind != Operand::Kind::reg) return "\tmov.u64 %lanescope_value, 0;\n";
    const ptx::Register& reg = function.registers[operand.reg.index()];
    switch (reg.type) {
        case ptx::Type::pred: return fmt::format("\tselp.u64 %lanescope_value, 1, 0, {};\n", reg.name);
        case ptx::Type::f32:
        case ptx::Type::f16x2:
        case ptx::Type::bf16x2:
            return fmt::format("\tmov.b32 %lanescope_a, {};\n\tcvt.u64.u32 %lanescope_value, %lanescope_a;\n",
                               reg.name);
        case ptx::Type::f16:
        case ptx::Type::bf16:
            return fmt::format("\tmov.b16 %lanescope_h, {};\n\tcvt.u64.u16 %lanescope_value, %lanescope_h;\n",
                               reg.name);
        default: break;
    }
    switch (ptx::bytes_of(reg.type)) {
        case 8: return fmt::format("\tmov.b64 %lanescope_value, {};\n", reg.name);
        case 4: return fmt::format("\tcvt.u64.u32 %lanescope_value, {};\n", reg.name);
        case 2: return fmt::format("\tcvt.u64.u16 %lanescope_value, {};\n", reg.name);
        default: return fmt::format("\tcvt.u64.u8 %lanescope_value, {};\n", reg.name);
    }
}

std::string log(const std::string& condition, std::uint64_t step) {
    std::string entry = "%lanescope_entry";
    std::string text;
    if (step != 0) {
        text += fmt::format("\tadd.s64 %lanescope_x, %lanescope_entry, {};\n", step);
        entry = "%lanescope_x";
    }
    text += condition.empty()
                ? "\tsetp.lt.u64 %lanescope_go, %lanescope_cursor, %lanescope_end;\n"
                : fmt::format("\tsetp.lt.and.u64 %lanescope_go, %lanescope_cursor, %lanescope_end, {};\n", condition);
    text += fmt::format("\t@%lanescope_go st.global.v2.b64 [%lanescope_cursor], {{{}, %lanescope_value}};\n", entry);
    return text + fmt::format("{}add.s64 %lanescope_cursor, %lanescope_cursor, {};\n", at(condition), entry_stride);
}

std::string begin_entry(const SiteGroup& group) {
    return fmt::format("\tmov.u64 %lanescope_entry, {};\n", word(group.first));
}

std::string take_address(const ptx::Module& module, const ptx::Function& function, const Operand& operand) {
    if (operand.kind == Operand::Kind::memory && operand.reg.valid()) {
        const ptx::Register& reg = function.registers[operand.reg.index()];
        if (ptx::bytes_of(reg.type) == 8)
            return fmt::format("\tadd.s64 %lanescope_x, {}, {};\n", reg.name, operand.offset);
        return fmt::format("\tadd.s32 %lanescope_a, {}, {};\n\tcvt.u64.u32 %lanescope_x, %lanescope_a;\n", reg.name,
                           static_cast<std::int32_t>(operand.offset));
    }
    if (const ptx::Variable* variable = variable_of(module, function, operand))
        return fmt::format("\tmov.u64 %lanescope_x, {};\n\tadd.s64 %lanescope_x, %lanescope_x, {};\n", variable->name,
                           operand.offset);
    return fmt::format("\tmov.u64 %lanescope_x, {};\n", operand.offset);
}

std::string begin_access(const SiteGroup& group, const std::string& guard) {
    std::string text;
    if (group.by_address) {
        text += "\tisspacep.local %lanescope_is, %lanescope_x;\n";
        text += guard.empty()            ? std::string("\tnot.pred %lanescope_if, %lanescope_is;\n")
                : guard.starts_with('!') ? fmt::format(
                                               "\tor.pred %lanescope_if, %lanescope_is, {};\n"
                                               "\tnot.pred %lanescope_if, %lanescope_if;\n",
                                               guard.substr(1))
                                         : fmt::format(
                                               "\tnot.pred %lanescope_if, %lanescope_is;\n"
                                               "\tand.pred %lanescope_if, %lanescope_if, {};\n",
                                               guard);
        text +=
            "\tisspacep.shared %lanescope_is, %lanescope_x;\n"
            "\tcvta.to.shared.u64 %lanescope_y, %lanescope_x;\n"
            "\tselp.b64 %lanescope_x, %lanescope_y, %lanescope_x, %lanescope_is;\n";
        text += fmt::format("\tselp.b64 %lanescope_entry, {}, {}, %lanescope_is;\n",
                            word(std::uint64_t{group.first} + group.count), word(group.first));
    } else {
        text += begin_entry(group);
    }
    return text + fmt::format(
                      "\tand.b64 %lanescope_x, %lanescope_x, {};\n"
                      "\tor.b64 %lanescope_entry, %lanescope_entry, %lanescope_x;\n",
                      address_mask);
}

}  // namespace lanescope::execute
