#include "unit/analysis/hand_made.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <stdexcept>

namespace lanescope::analysis {
namespace {

std::string kernel(const std::string& body) {
    return ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
           ".shared .align 8 .b8 s[64];\n.local .align 8 .b8 l[16];\n"
           ".reg .pred %p<10>;\n.reg .b32 %r<10>;\n.reg .f32 %f<10>;\n.reg .b64 %rd<10>;\n" +
           body + "\n}\n";
}

std::array<std::uint64_t, 32> padded(const Row& row) {
    std::array<std::uint64_t, 32> lanes{};
    std::copy(row.begin(), row.end(), lanes.begin());
    return lanes;
}

trace::Buffer ints(std::string name, std::uint64_t address, int first, int step, bool output) {
    trace::Buffer buffer;
    buffer.name = std::move(name);
    buffer.address = address;
    buffer.bytes = 64;
    buffer.output = output;
    buffer.initial.resize(64);
    std::byte* const initial = buffer.initial.writable();
    for (int i = 0; i < 16; ++i) {
        const int value = first + step * i;
        std::memcpy(initial + 4 * i, &value, 4);
    }
    buffer.final = buffer.initial;
    return buffer;
}

}  // namespace

HandMade::HandMade(const std::string& body, unsigned threads) : threads_(threads), writer_(trace::Origin{}) {
    auto module = ptx::parse(kernel(body));
    if (!module) throw std::runtime_error(module.error().message());
    module_ = std::make_shared<const ptx::Module>(std::move(*module));
    trace::Trace& trace = writer_.trace();
    for (const ptx::Register& reg : module_->find("k")->registers) {
        trace.registers.push_back(
            {reg.name, static_cast<std::uint8_t>(reg.type == ptx::Type::pred ? 0 : bytes_of(reg.type))});
    }
    trace.buffers = {ints("in", 0x1000, 100, 1, false), ints("out", 0x2000, 0, 0, true)};
    trace.shared_arrays = {{"s", 0, 64, {}}};
    begin_launch();
}

void HandMade::begin_launch() {
    trace::Launch launch;
    launch.kernel = "k";
    launch.block = {threads_, 1, 1};
    launch.static_shared_bytes = 64;
    launch.recorded = {BlockId(0)};
    writer_.begin_launch(launch);
}

HandMade& HandMade::read_by_host(std::uint32_t buffer) {
    trace::Trace& trace = writer_.trace();
    trace.host_steps.push_back({.kind = trace::HostStep::Kind::read,
                                .launch = static_cast<std::uint32_t>(trace.launches.size()),
                                .buffer = buffer,
                                .bytes = trace.buffers[buffer].bytes,
                                .text = {}});
    return *this;
}

HandMade& HandMade::launch_again(std::uint32_t buffer, std::uint64_t element, int value, std::uint32_t source_line) {
    writer_.end_launch();
    trace::HostWrite write{.launch = static_cast<std::uint32_t>(writer_.trace().launches.size()),
                           .buffer = buffer,
                           .offset = element * sizeof value,
                           .source_line = source_line,
                           .before = std::vector<std::byte>(sizeof value),
                           .after = std::vector<std::byte>(sizeof value)};
    std::memcpy(write.after.data(), &value, sizeof value);
    writer_.trace().host_writes.push_back(std::move(write));
    begin_launch();
    epoch_ = 0;
    return *this;
}

HandMade& HandMade::step(std::string_view text, LaneMask lanes) {
    const ptx::Function& function = *module_->find("k");
    for (const ptx::Instruction& instruction : function.instructions) {
        if (module_->text_line(instruction.line).find(text) == std::string_view::npos) continue;
        lanes_ = lanes;
        writer_.begin_step(BlockId(0), WarpId(0), instruction.line, epoch_, lanes, lanes);
        return *this;
    }
    throw std::runtime_error(fmt::format("no line holds '{}'", text));
}

RegisterId HandMade::reg_of(std::string_view name) const {
    const auto& registers = module_->find("k")->registers;
    for (std::uint32_t i = 0; i < registers.size(); ++i) {
        if (registers[i].name == name) return RegisterId(i);
    }
    throw std::runtime_error(fmt::format("no register {}", name));
}

HandMade& HandMade::write(std::string_view name, const Row& values) {
    const RegisterId reg = reg_of(name);
    const auto& type = module_->find("k")->registers[reg.index()].type;
    const auto after = padded(values);
    if (type == ptx::Type::pred) {
        LaneMask mask;
        for (unsigned lane = 0; lane < values.size(); ++lane) {
            if (values[lane] != 0) mask |= LaneMask::only(lane);
        }
        writer_.predicate_write(reg, lanes_, mask);
    } else {
        writer_.register_write(reg, bytes_of(type), lanes_, after);
    }
    return *this;
}

HandMade& HandMade::load(trace::Space space, unsigned bytes, const Row& addresses, const Row& values,
                         unsigned elements) {
    std::vector<std::uint64_t> packed(std::size_t{elements} * 32);
    for (std::size_t i = 0; i < values.size(); ++i) packed[i % elements * 32 + i / elements] = values[i];
    writer_.load(space, bytes, elements, lanes_, padded(addresses), packed);
    return *this;
}

HandMade& HandMade::store(trace::Space space, unsigned bytes, const Row& addresses, const Row& values,
                          unsigned elements) {
    std::vector<std::uint64_t> before(std::size_t{elements} * 32), after(before);
    for (std::size_t i = 0; i < values.size(); ++i) after[i % elements * 32 + i / elements] = values[i];
    writer_.store(space, bytes, elements, lanes_, padded(addresses), before, after);
    return *this;
}

HandMade& HandMade::atomic(trace::Space space, ptx::Atomic operation, const Row& addresses, const Row& before,
                           const Row& after) {
    writer_.atomic(space, 4, static_cast<std::uint32_t>(operation), lanes_, padded(addresses), padded(before),
                   padded(after));
    return *this;
}

HandMade& HandMade::shuffle(const Row& sources) {
    std::array<std::uint32_t, 32> lanes{};
    std::copy(sources.begin(), sources.end(), lanes.begin());
    writer_.shuffle(lanes_, lanes);
    return *this;
}

HandMade& HandMade::control(trace::EffectKind kind, LaneMask lanes) {
    writer_.control(kind, lanes);
    return *this;
}

HandMade& HandMade::barrier() {
    step("bar.sync");
    writer_.control(trace::EffectKind::barrier, lanes_);
    ++epoch_;
    return *this;
}

std::shared_ptr<const trace::Trace> HandMade::finish() {
    writer_.end_launch();
    return writer_.finish();
}

}  // namespace lanescope::analysis
