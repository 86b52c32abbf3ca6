// The GPU that a program is recorded on.
#include "execute/gpu/record.h"

#include "execute/gpu/prepared.h"

#include <algorithm>
#include <optional>

namespace lanescope::execute {

namespace {

GpuProgram rewritten_program(const trace::Trace& trace, const ptx::Module& module, const Rewritten& rewritten) {
    GpuProgram program = gpu_program(trace, module);
    program.ptx = rewritten.ptx;
    program.instrumented = true;
    // The GPU may write buffers that the emulator did not write; and it runs several times.
    for (GpuBuffer& buffer : program.buffers) buffer.written = true;
    return program;
}

class DeviceMachine : public RecordingMachine {
  public:
    DeviceMachine(const Device& device, const trace::Trace& trace, const ptx::Module& module,
                  const Rewritten& rewritten)
        : device_(device), trace_(trace), module_(module), program_(rewritten_program(trace, module, rewritten)) {}

    Result<void> prepare() {
        auto prepared = Prepared::make(device_, program_, Prepared::Copies::one);
        if (!prepared) return std::unexpected(prepared.error());
        prepared_.emplace(std::move(*prepared));
        // The module's variables come after the program's own buffers.
        std::vector<const ptx::Variable*> variables;
        for (const ptx::Variable& variable : module_.variables) {
            if (variable.in_global_memory()) variables.push_back(&variable);
        }
        const std::size_t own = trace_.buffers.size() - variables.size();
        for (std::uint32_t i = 0; i < own; ++i) {
            const DeviceAddress address = prepared_->uses(i) ? prepared_->address_of(i, 0) : 0;
            places_.push_back({address, trace_.buffers[i].bytes});
        }
        for (const ptx::Variable* variable : variables) places_.push_back(prepared_->variable(variable->name));
        recorder_ = prepared_->variable(recorder_variable).address;
        if (recorder_ == 0) return fail("the driver's compiler removed the variable that holds the log's address");
        return {};
    }

    Result<Room> make_room(std::uint64_t control_bytes, std::uint64_t log_bytes) override {
        control_.reset();
        log_.reset();
        auto control = DeviceMemory::allocate(device_, control_bytes);
        if (!control) return std::unexpected(control.error());
        auto log = DeviceMemory::allocate(device_, log_bytes);
        if (!log) return std::unexpected(log.error());
        const Room room{.control = control->address(), .log = log->address()};
        control_.emplace(std::move(*control));
        log_.emplace(std::move(*log));
        log_bytes_ = log_bytes;
        return room;
    }

    Result<Ran> run(std::span<const std::byte> control, std::span<const RecorderWords> words) override {
        const Driver& driver = device_.driver();
        Result<void> done = control_->write(control);
        if (done) done = prepared_->restore(0);
        if (!done) return std::unexpected(done.error());
        // An entry that reads back as zeros was never written.
        if (log_bytes_ > 0) done = log_->fill(0, 0, log_bytes_);
        if (!done) return std::unexpected(done.error());
        for (std::size_t launch = 0; launch < words.size(); ++launch) {
            if (done = prepared_->write(launch, 0); !done) return std::unexpected(done.error());
            const Status status = driver.to_device(recorder_, &words[launch], sizeof words[launch]);
            if (status != 0) return std::unexpected(driver.problem("copying to the GPU failed", status));
            done = prepared_->launch(launch, 0);
            if (done) done = device_.finish();
            if (!done) return std::unexpected(done.error());
        }
        return read_back(control.size());
    }

    [[nodiscard]] std::uint64_t address_of(std::size_t buffer) const override { return places_[buffer].address; }
    [[nodiscard]] std::uint64_t most_log_bytes() const override {
        constexpr std::uint64_t most = std::uint64_t{4} << 30U;  // the host has a copy, too
        return std::min(most, device_.facts().memory_bytes / 4);
    }

  private:
    Result<Ran> read_back(std::size_t control_bytes) const {
        auto control = control_->read(control_bytes);
        if (!control) return std::unexpected(control.error());
        auto log = log_->read(log_bytes_);
        if (!log) return std::unexpected(log.error());
        Ran ran{.control = std::move(*control), .log = std::move(*log), .buffers = {}};
        for (std::size_t i = 0; i < places_.size(); ++i) {
            // A variable that the compiler removed has no contents.
            std::vector<std::byte> bytes(places_[i].address != 0 ? trace_.buffers[i].bytes : 0);
            const Status status =
                bytes.empty() ? 0 : device_.driver().to_host(bytes.data(), places_[i].address, bytes.size());
            if (status != 0) return std::unexpected(device_.driver().problem("copying from the GPU failed", status));
            ran.buffers.push_back(std::move(bytes));
        }
        return ran;
    }

    const Device& device_;
    const trace::Trace& trace_;
    const ptx::Module& module_;
    GpuProgram program_;
    std::optional<Prepared> prepared_;
    std::vector<DeviceModule::Variable> places_;  // by buffer of the trace
    DeviceAddress recorder_ = 0;
    std::optional<DeviceMemory> control_, log_;
    std::uint64_t log_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<RecordingMachine>> recording_device(const Device& device, const trace::Trace& trace,
                                                           const ptx::Module& module, const Rewritten& rewritten) {
    if (const auto taken = device.takes(module.target); !taken) return std::unexpected(taken.error());
    auto machine = std::make_unique<DeviceMachine>(device, trace, module, rewritten);
    if (const auto done = machine->prepare(); !done) return std::unexpected(done.error());
    return machine;
}

}  // namespace lanescope::execute
