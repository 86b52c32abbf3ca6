// The page of supported instructions is correct: every form that the opcode table accepts has an operator.
#include "harness.h"

#include "execute/emulator/code.h"
#include "ptx/forms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::execute {
namespace {

using ptx::Form;
using ptx::Shape;

/// The suffixes of a form: every choice of those it requires, with none and with each one of those it may leave out.
class Spellings {
  public:
    explicit Spellings(const Form& form) : form_(form) {
        spell(0, "", none);
        for (std::size_t item = 0; item < form.items.size(); ++item) {
            if (form.items[item].optional) spell(0, "", item);
        }
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return all_; }

  private:
    static constexpr std::size_t none = ~std::size_t{0};

    void spell(std::size_t at, const std::string& before, std::size_t given) {
        if (at == form_.items.size()) {
            all_.push_back(before);
            return;
        }
        const Form::Item& item = form_.items[at];
        if (item.optional && at != given) return spell(at + 1, before, given);
        for (const std::bitset<256>& accepted : item.accepted) {
            for (std::size_t word = 0; word < accepted.size(); ++word) {
                if (!accepted.test(word)) continue;
                spell(at + 1, fmt::format("{}.{}", before, ptx::known_suffix(static_cast<std::uint8_t>(word))), given);
            }
        }
    }

    const Form& form_;
    std::vector<std::string> all_;
};

std::string register_for(ptx::Type type) {
    if (type == ptx::Type::pred) return "%p0";
    switch (ptx::bytes_of(type)) {
        case 1:
        case 2: return "%h0";
        case 8: return "%d0";
        default: return "%r0";
    }
}

std::string operand_for(const Shape& shape, const ptx::Modifiers& modifiers) {
    switch (shape.kind) {
        case Shape::Kind::memory: return "[%d1]";
        case Shape::Kind::texel: {
            const std::string coordinate = register_for(shape.type(modifiers));
            const unsigned coordinates = modifiers.dimensions == 3 ? 4 : modifiers.dimensions;
            return fmt::format("[%d1, {{{}}}]", fmt::join(std::vector(coordinates, coordinate), ", "));
        }
        case Shape::Kind::constant: return "16";
        case Shape::Kind::label: return "HERE";
        case Shape::Kind::labels: return "TABLE";
        case Shape::Kind::call: return "callee, ()";
        case Shape::Kind::destination_pair: return register_for(shape.type(modifiers)) + "|%p1";
        case Shape::Kind::predicates: return "%p0|%p1";
        case Shape::Kind::loaded:
        case Shape::Kind::stored: {
            const std::string one = register_for(shape.type(modifiers));
            const std::vector<std::string> all(modifiers.vector, one);
            return modifiers.vector == 1 ? one : fmt::format("{{{}}}", fmt::join(all, ", "));
        }
        default: return register_for(shape.type(modifiers));
    }
}

std::string instruction_of(const Form& form, const std::string& mnemonic, std::size_t operands) {
    const auto decoded = ptx::decode(mnemonic);
    if (!decoded) return decoded.error().what;
    std::vector<std::string> written;
    for (std::size_t i = 0; i < operands; ++i) written.push_back(operand_for(form.shapes[i], decoded->modifiers));
    return fmt::format("{} {};", mnemonic, fmt::join(written, ", "));
}

/// Why the instruction has no operator; empty if it has one.
std::string refusal_of(const std::string& instruction) {
    const std::string text = R"(.version 9.0
.target sm_90
.address_size 64
.func callee() { ret; }
.visible .entry test()
{
.reg .pred %p<2>;
.reg .b16 %h<2>;
.reg .b32 %r<2>;
.reg .b64 %d<2>;
HERE:
TABLE: .branchtargets HERE;
)" + instruction + "\nret;\n}\n";
    const Result<ptx::Module> module = ptx::parse(text);
    if (!module) return module.error().what;
    const Result<Code> code = decode(*module, *module->find("test"), {});
    return code ? "" : code.error().what;
}

TEST(SupportedInstructions, HaveAnOperatorEach) {
    std::size_t tried = 0;
    for (const ptx::OpcodeInfo& row : ptx::opcode_table()) {
        for (const Form& form : ptx::forms_of(row.opcode)) {
            const Spellings spellings(form);
            for (const std::string& suffixes : spellings.all()) {
                for (std::size_t operands = form.fewest(); operands <= form.most(); ++operands) {
                    const std::string instruction = instruction_of(form, std::string(row.name) + suffixes, operands);
                    EXPECT_EQ(refusal_of(instruction), "") << instruction;
                    ++tried;
                }
            }
        }
    }
    EXPECT_GT(tried, 3000U);
}

}  // namespace
}  // namespace lanescope::execute
