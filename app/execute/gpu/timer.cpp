#include "execute/gpu/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

namespace lanescope::execute {

namespace {

constexpr unsigned most_copies = 64;

/// Start and end of each run, recorded without waiting and read when all are done.
class Clock {
  public:
    static Result<Clock> make(const Device& device, unsigned runs) {
        Clock clock(device);
        for (unsigned i = 0; i < 2 * runs; ++i) {
            EventTag* event = nullptr;
            if (const Status status = device.driver().create_event(&event, 0); status != 0)
                return std::unexpected(device.driver().problem("the GPU's clock cannot be used", status));
            clock.events_.push_back(event);
        }
        return clock;
    }
    Clock(Clock&& other) noexcept : device_(other.device_), events_(std::exchange(other.events_, {})) {}
    Clock& operator=(Clock&&) = delete;
    ~Clock() {
        for (EventTag* event : events_) device_->driver().destroy_event(event);
    }
    void start(unsigned run) const { device_->driver().record_event(events_[2 * std::size_t{run}], nullptr); }
    void stop(unsigned run) const { device_->driver().record_event(events_[2 * std::size_t{run} + 1], nullptr); }
    [[nodiscard]] Result<double> microseconds(unsigned run) const {
        float milliseconds = 0;
        const Status status =
            device_->driver().elapsed(&milliseconds, events_[2 * std::size_t{run}], events_[2 * std::size_t{run} + 1]);
        if (status != 0) return std::unexpected(device_->driver().problem("the GPU's clock cannot be read", status));
        return double{milliseconds} * 1e3;
    }

  private:
    explicit Clock(const Device& device) : device_(&device) {}
    const Device* device_;
    std::vector<EventTag*> events_;
};

Result<void> finish(const Device& device) {
    if (const Status status = device.driver().synchronize(); status != 0)
        return std::unexpected(device.driver().problem("the kernel did not end as it should", status));
    return {};
}

/// The program on the device: its module, and copies of its buffers.
class Prepared {
  public:
    static Result<Prepared> make(const Device& device, const trace::Trace& trace, const ptx::Module& module) {
        if (std::ranges::any_of(trace.host_writes, [](const trace::HostWrite& write) { return write.launch > 0; })) {
            return fail("the host's code takes part between the launches", {},
                        "Only what runs on the GPU alone can be timed.");
        }
        auto loaded = DeviceModule::load(device, trace.origin.ptx);
        if (!loaded) return std::unexpected(loaded.error());
        Prepared prepared(device, trace, std::move(*loaded));
        for (const trace::Launch& launch : trace.launches) {
            const auto function = prepared.module_.kernel(launch.kernel, launch.dynamic_shared_bytes);
            if (!function) return std::unexpected(function.error());
            prepared.functions_.push_back(*function);
            for (const trace::Argument& argument : launch.arguments)
                if (argument.buffer) prepared.used_.insert(*argument.buffer);
        }
        // The grid's barrier needs a launch of its own kind (CUDA C++ Programming Guide, "Grid Synchronization").
        prepared.cooperates_ = trace.origin.ptx.find("%envreg") != std::string::npos;
        if (const auto done = prepared.keep_variables(module); !done) return std::unexpected(done.error());
        if (const auto done = prepared.make_copies(); !done) return std::unexpected(done.error());
        return prepared;
    }

    [[nodiscard]] unsigned copies() const { return static_cast<unsigned>(copies_.size()); }

    /// Written buffers and variables hold again what they held at the start.
    void restore(unsigned copy) const {
        for (const std::uint32_t buffer : used_) {
            if (written(buffer))
                device_->driver().copy(copies_[copy][buffer].address(), pristine_[buffer].address(),
                                       trace_->buffers[buffer].bytes, nullptr);
        }
        restore_variables();
    }
    void restore_variables() const {
        for (const Kept& variable : variables_)
            device_->driver().copy(variable.at, variable.pristine.address(), variable.bytes, nullptr);
    }

    [[nodiscard]] Result<void> launch(unsigned copy) const {
        for (std::size_t index = 0; index < trace_->launches.size(); ++index) {
            const trace::Launch& launch = trace_->launches[index];
            std::vector<std::vector<std::byte>> values;
            std::vector<void*> pointers;
            for (const trace::Argument& argument : launch.arguments) {
                values.push_back(argument.value);
                if (argument.buffer) {
                    std::uint64_t address = 0;
                    std::memcpy(&address, argument.value.data(), sizeof address);
                    address += copies_[copy][*argument.buffer].address() - trace_->buffers[*argument.buffer].address;
                    std::memcpy(values.back().data(), &address, sizeof address);
                }
            }
            for (std::vector<std::byte>& value : values) pointers.push_back(value.data());
            const auto shared = static_cast<unsigned>(launch.dynamic_shared_bytes);
            const Driver& driver = device_->driver();
            const Status status =
                cooperates_
                    ? driver.launch_cooperative(functions_[index], launch.grid.x, launch.grid.y, launch.grid.z,
                                                launch.block.x, launch.block.y, launch.block.z, shared, nullptr,
                                                pointers.data())
                    : driver.launch(functions_[index], launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                                    launch.block.y, launch.block.z, shared, nullptr, pointers.data(), nullptr);
            if (status != 0) return std::unexpected(driver.problem("the GPU refuses the launch", status));
        }
        return {};
    }

    /// The first buffer of a copy that is not as the emulator left it; empty: all are.
    [[nodiscard]] Result<std::string> first_difference(unsigned copy) const {
        for (const std::uint32_t buffer : used_) {
            const trace::Buffer& wanted = trace_->buffers[buffer];
            const auto found = copies_[copy][buffer].read(wanted.bytes);
            if (!found) return std::unexpected(found.error());
            if (*found != wanted.final) return wanted.name;
        }
        return std::string();
    }

  private:
    Prepared(const Device& device, const trace::Trace& trace, DeviceModule module)
        : device_(&device), trace_(&trace), module_(std::move(module)) {}

    [[nodiscard]] bool written(std::uint32_t buffer) const {
        return trace_->buffers[buffer].initial != trace_->buffers[buffer].final;
    }

    /// __device__ variables keep what a run leaves in them, and __constant__ ones hold what the host put there.
    Result<void> keep_variables(const ptx::Module& module) {
        for (const ptx::Variable& variable : module.variables) {
            if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
            const DeviceModule::Variable found = module_.variable(variable.name);
            if (found.address == 0 || !variable.relocations.empty()) continue;
            auto pristine = DeviceMemory::allocate(*device_, found.bytes);
            if (!pristine) return std::unexpected(pristine.error());
            std::vector<std::byte> bytes = variable.initial;
            bytes.resize(found.bytes);
            if (const auto done = pristine->write(bytes); !done) return done;
            variables_.push_back({found.address, found.bytes, std::move(*pristine)});
        }
        return {};
    }

    Result<void> make_copies() {
        std::uint64_t bytes = 0;
        for (const std::uint32_t buffer : used_) bytes += trace_->buffers[buffer].bytes;
        const std::uint64_t past_cache = 2 * device_->facts().l2_bytes / std::max<std::uint64_t>(bytes, 1) + 1;
        const std::uint64_t room = device_->facts().memory_bytes / 2 / std::max<std::uint64_t>(bytes, 1);
        const std::uint64_t wanted = std::clamp<std::uint64_t>(std::min(past_cache, room), 1, most_copies);
        const auto whole = [&](std::vector<DeviceMemory>& into) -> Result<void> {
            for (std::uint32_t buffer = 0; buffer < trace_->buffers.size(); ++buffer) {
                const bool used = used_.contains(buffer);
                auto memory = DeviceMemory::allocate(*device_, used ? trace_->buffers[buffer].bytes : 1);
                if (!memory) return std::unexpected(memory.error());
                if (used) {
                    if (const auto done = memory->write(trace_->buffers[buffer].initial); !done) return done;
                }
                into.push_back(std::move(*memory));
            }
            return {};
        };
        if (const auto done = whole(pristine_); !done) return done;
        copies_.resize(wanted);
        for (std::vector<DeviceMemory>& copy : copies_)
            if (const auto done = whole(copy); !done) return done;
        return {};
    }

    struct Kept {
        DeviceAddress at = 0;
        std::size_t bytes = 0;
        DeviceMemory pristine;
    };

    const Device* device_;
    const trace::Trace* trace_;
    DeviceModule module_;
    std::vector<FunctionTag*> functions_;  // by launch
    std::set<std::uint32_t> used_;         // buffers that some launch is given
    std::vector<DeviceMemory> pristine_;   // by buffer
    std::vector<std::vector<DeviceMemory>> copies_;
    std::vector<Kept> variables_;
    bool cooperates_ = false;
};

}  // namespace

Result<Timed> time_program(const Device& device, const trace::Trace& trace, const ptx::Module& module,
                           const TimerOptions& options, Progress& progress) {
    const auto prepared = Prepared::make(device, trace, module);
    if (!prepared) return std::unexpected(prepared.error());
    Timed timed;
    timed.copies = prepared->copies();

    const auto run_once = [&](unsigned copy) -> Result<void> {
        prepared->restore(copy);
        if (const auto launched = prepared->launch(copy); !launched) return launched;
        return finish(device);
    };
    for (unsigned i = 0; i < std::max(options.warm_ups, 1U); ++i) {
        if (const auto done = run_once(i % timed.copies); !done) return std::unexpected(done.error());
        if (i > 0) continue;
        auto difference = prepared->first_difference(0);
        if (!difference) return std::unexpected(difference.error());
        timed.differs = std::move(*difference);
    }

    const auto clock = Clock::make(device, timed.copies);
    if (!clock) return std::unexpected(clock.error());
    while (timed.microseconds.size() < options.samples && !progress.cancelled()) {
        for (unsigned copy = 0; copy < timed.copies; ++copy) prepared->restore(copy);
        const auto left = static_cast<unsigned>(options.samples - timed.microseconds.size());
        const unsigned runs = std::min(timed.copies, left);
        for (unsigned run = 0; run < runs; ++run) {
            prepared->restore_variables();
            clock->start(run);
            if (const auto launched = prepared->launch(run); !launched) return std::unexpected(launched.error());
            clock->stop(run);
        }
        if (const auto done = finish(device); !done) return std::unexpected(done.error());
        for (unsigned run = 0; run < runs; ++run) {
            const auto time = clock->microseconds(run);
            if (!time) return std::unexpected(time.error());
            timed.microseconds.push_back(*time);
        }
    }
    return timed;
}

namespace {

/// `act` timed again and again, after a few times for nothing.
Result<std::vector<double>> time_action(const Device& device, unsigned samples,
                                        const std::function<Status(unsigned)>& act) {
    constexpr unsigned warm_ups = 5;
    const auto clock = Clock::make(device, samples);
    if (!clock) return std::unexpected(clock.error());
    for (unsigned run = 0; run < warm_ups + samples; ++run) {
        if (run >= warm_ups) clock->start(run - warm_ups);
        if (const Status status = act(run); status != 0)
            return std::unexpected(device.driver().problem("the GPU refuses", status));
        if (run >= warm_ups) clock->stop(run - warm_ups);
    }
    if (const auto done = finish(device); !done) return std::unexpected(done.error());
    std::vector<double> times;
    for (unsigned run = 0; run < samples; ++run) {
        const auto time = clock->microseconds(run);
        if (!time) return std::unexpected(time.error());
        times.push_back(*time);
    }
    return times;
}

}  // namespace

Result<std::vector<double>> time_copy(const Device& device, std::uint64_t bytes, unsigned samples) {
    // Regions in turn, so that none is still in the cache.
    const std::uint64_t regions = std::clamp<std::uint64_t>(2 * device.facts().l2_bytes / bytes + 1, 2, 1024);
    const auto from = DeviceMemory::allocate(device, bytes * regions);
    const auto to = DeviceMemory::allocate(device, bytes * regions);
    if (!from) return std::unexpected(from.error());
    if (!to) return std::unexpected(to.error());
    return time_action(device, samples, [&](unsigned run) {
        const std::uint64_t offset = run % regions * bytes;
        return device.driver().copy(to->address() + offset, from->address() + offset, bytes, nullptr);
    });
}

Result<std::vector<double>> time_empty_launch(const Device& device, unsigned samples) {
    const auto module = DeviceModule::load(device,
                                           ".version 6.3\n.target sm_50\n.address_size 64\n"
                                           ".visible .entry nothing()\n{\n\tret;\n}\n");
    if (!module) return std::unexpected(module.error());
    const auto kernel = module->kernel("nothing", 0);
    if (!kernel) return std::unexpected(kernel.error());
    return time_action(device, samples, [&](unsigned) {
        return device.driver().launch(*kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
    });
}

}  // namespace lanescope::execute
