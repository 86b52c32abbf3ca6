// The emulator in place of a GPU: it runs the rewritten PTX, and the log that the PTX wrote is read back. So the
// recorder is compared with the emulator's own trace without a GPU.
#pragma once

#include "execute/emulator/emulator.h"
#include "execute/emulator/placement.h"
#include "execute/emulator/rerun.h"
#include "execute/gpu/record.h"

#include <algorithm>
#include <cstring>

namespace lanescope::session {

class EmulatedMachine : public execute::RecordingMachine {
  public:
    EmulatedMachine(const trace::Trace& trace, const ptx::Module& module, const execute::Rewritten& rewritten)
        : trace_(trace), module_(*ptx::parse(rewritten.ptx)), program_(execute::rerun_of(trace, module)) {
        for (const ptx::Variable& variable : module.variables) {
            const auto same = std::ranges::find(module_.variables, variable.name, &ptx::Variable::name);
            same->initial = variable.initial;
        }
        buffers_ = program_.buffers.size();
        program_.variable_addresses.clear();  // elsewhere, as on a GPU: buffers of the recorder come first
    }

    Result<Room> make_room(std::uint64_t control_bytes, std::uint64_t log_bytes) override {
        program_.buffers.resize(buffers_);
        program_.buffers.push_back({.name = "control", .bytes = control_bytes});
        program_.buffers.push_back({.name = "log", .bytes = log_bytes});
        placed_ = program_.buffers;
        execute::GlobalMemory memory;
        for (trace::Buffer& buffer : placed_) {
            if (const auto placed = execute::place(buffer, memory); !placed) return std::unexpected(placed.error());
        }
        const auto variables = execute::place_variables(module_, memory, std::nullopt);
        if (!variables) return std::unexpected(variables.error());
        placed_.insert(placed_.end(), variables->buffers.begin(), variables->buffers.end());
        return Room{.control = placed_[buffers_].address, .log = placed_[buffers_ + 1].address};
    }

    Result<Ran> run(std::span<const std::byte> control, std::span<const execute::RecorderWords> words) override {
        execute::Program program = program_;
        program.buffers[buffers_].initial = SparseBytes(control);
        for (std::size_t launch = 0; launch < words.size(); ++launch) {
            std::vector<std::byte> bytes(sizeof words[launch]);
            std::memcpy(bytes.data(), &words[launch], bytes.size());
            program.launches[launch].writes.push_back({.buffer = recorder_variable(), .offset = 0, .bytes = bytes});
        }
        Progress progress;
        auto ran = execute::emulate(module_, std::move(program), {.record_blocks = 0}, progress);
        if (!ran) return std::unexpected(ran.error());
        const auto left = [&](std::size_t buffer) {
            const SparseBytes& bytes = (*ran)->buffers[buffer].final;
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        };
        Ran result{.control = left(buffers_), .log = left(buffers_ + 1), .buffers = {}};
        for (std::size_t i = 0; i < trace_.buffers.size(); ++i) result.buffers.push_back(left(place_of(i)));
        return result;
    }

    [[nodiscard]] std::uint64_t address_of(std::size_t buffer) const override {
        return placed_[place_of(buffer)].address;
    }
    [[nodiscard]] std::uint64_t most_log_bytes() const override { return std::uint64_t{1} << 28; }

  private:
    /// After the program's buffers: the control block, the log, the recorder's variable, then the module's own.
    [[nodiscard]] std::uint32_t recorder_variable() const { return static_cast<std::uint32_t>(buffers_ + 2); }
    [[nodiscard]] std::size_t place_of(std::size_t buffer) const { return buffer < buffers_ ? buffer : buffer + 3; }

    const trace::Trace& trace_;
    ptx::Module module_;
    execute::Program program_;
    std::size_t buffers_ = 0;
    std::vector<trace::Buffer> placed_;
};

}  // namespace lanescope::session
