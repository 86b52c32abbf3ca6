#include "execute/gpu/device.h"

#include "base/grouped.h"
#include "model/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>

namespace lanescope::execute {

namespace {

// CUdevice_attribute, CUfunction_attribute and CUjit_option: the values used here, which are part of the ABI.
enum Attribute : int {
    clock_rate = 13,
    processor_count = 16,
    memory_clock = 36,
    bus_width = 37,
    l2_size = 38,
    processor_threads = 39,
    arch_major = 75,
    arch_minor = 76
};
constexpr Status no_device = 100;
constexpr int most_dynamic_shared = 8;
constexpr int max_registers = 0, error_log = 5, error_log_size = 6, optimization_level = 7;

/// "580.95.05" of "NVRM version: NVIDIA UNIX ... 580.95.05  Release Build ...".
std::string driver_release() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        const bool numbers = word.find_first_not_of("0123456789.") == std::string::npos;
        if (numbers && word.find('.') != std::string::npos) return word;
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<Device>> Device::open(const Driver& driver) {
    std::unique_ptr<Device> device(new Device(driver));
    int count = 0;
    if (const Status status = driver.device_count(&count); status != 0 && status != no_device)
        return std::unexpected(driver.problem("the NVIDIA driver does not list its GPUs", status));
    if (count == 0) {
        return fail("the NVIDIA driver finds no GPU", {}, works_without_gpu);
    }
    ContextTag* context = nullptr;
    Status status = driver.device(&device->number_, 0);
    if (status == 0) status = driver.retain_context(&context, device->number_);
    if (status != 0) return std::unexpected(driver.problem("the GPU cannot be used", status));
    device->retained_ = true;
    if (status = driver.use_context(context); status != 0)
        return std::unexpected(driver.problem("the GPU cannot be used", status));

    GpuFacts& facts = device->facts_;
    std::array<char, 256> name{};
    driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device->number_);
    facts.name = name.data();
    facts.driver = driver_release();
    driver.version(&facts.cuda);
    std::size_t memory = 0;
    driver.device_memory(&memory, device->number_);
    facts.memory_bytes = memory;
    const auto attribute = [&](Attribute which) {
        int value = 0;
        return driver.device_attribute(&value, which, device->number_) == 0 ? value : 0;
    };
    facts.arch = static_cast<unsigned>(attribute(arch_major) * 10 + attribute(arch_minor));
    facts.l2_bytes = static_cast<std::uint64_t>(attribute(l2_size));
    facts.processors = static_cast<unsigned>(attribute(processor_count));
    facts.clock_mhz = static_cast<unsigned>(attribute(clock_rate) / 1000);
    facts.bus_bits = static_cast<unsigned>(attribute(bus_width));
    facts.memory_mhz = static_cast<unsigned>(attribute(memory_clock) / 1000);
    facts.threads_per_processor = static_cast<unsigned>(attribute(processor_threads));
    return device;
}

Result<void> Device::takes(unsigned target) const {
    if (target <= facts_.arch) return {};
    return fail(fmt::format("the PTX needs compute capability {}.{}, and this GPU has {}.{}", target / 10, target % 10,
                            facts_.arch / 10, facts_.arch % 10),
                {}, "The emulator runs it in any case.");
}

Result<void> Device::finish() const {
    if (const Status status = driver_.synchronize(); status != 0)
        return std::unexpected(driver_.problem("the kernel failed", status));
    return {};
}

Device::~Device() {
    if (retained_) driver_.release_context(number_);
}

// --- memory -----------------------------------------------------------------------------------------------------

Result<DeviceMemory> DeviceMemory::allocate(const Device& device, std::size_t bytes) {
    DeviceMemory memory(device);
    if (const Status status = device.driver().allocate(&memory.address_, std::max<std::size_t>(bytes, 1));
        status != 0) {
        memory.address_ = 0;
        return std::unexpected(
            device.driver().problem(fmt::format("the GPU cannot allocate {}", counted(bytes, "byte")), status));
    }
    return memory;
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : device_(other.device_), address_(std::exchange(other.address_, 0)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(address_, other.address_);
    return *this;
}

DeviceMemory::~DeviceMemory() {
    if (address_ != 0) device_->driver().release(address_);
}

Result<void> DeviceMemory::write(std::span<const std::byte> bytes) const {
    const Status status = device_->driver().to_device(address_, bytes.data(), bytes.size());
    if (status != 0) return std::unexpected(device_->driver().problem("copying to the GPU failed", status));
    return {};
}

Result<void> DeviceMemory::fill(unsigned char value, std::size_t from, std::size_t bytes) const {
    const Status status = device_->driver().fill(address_ + from, value, bytes, nullptr);
    if (status != 0) return std::unexpected(device_->driver().problem("the GPU's memory cannot be filled", status));
    return {};
}

Result<std::vector<std::byte>> DeviceMemory::read(std::size_t bytes) const {
    std::vector<std::byte> result(bytes);
    const Status status = device_->driver().to_host(result.data(), address_, bytes);
    if (status != 0) return std::unexpected(device_->driver().problem("copying from the GPU failed", status));
    return result;
}

// --- modules ----------------------------------------------------------------------------------------------------

Result<DeviceModule> DeviceModule::load(const Device& device, const std::string& ptx, Optimization optimization,
                                        std::optional<unsigned> most_registers) {
    DeviceModule module(device);
    std::array<char, 4096> log{};
    std::vector<int> names{error_log, error_log_size};
    // The driver takes numbers as pointers.
    const auto number = [](std::uintptr_t value) { return reinterpret_cast<void*>(value); };
    std::vector<void*> values{log.data(), number(log.size() - 1)};
    if (optimization == Optimization::none) names.push_back(optimization_level), values.push_back(number(0));
    if (most_registers) names.push_back(max_registers), values.push_back(number(*most_registers));
    const auto options = static_cast<unsigned>(names.size());
    const Status status =
        device.driver().load_module(&module.module_, ptx.c_str(), options, names.data(), values.data());
    if (status != 0) {
        module.module_ = nullptr;
        Problem problem = device.driver().problem("the driver rejects the PTX", status);
        if (log.front() != '\0') problem.what += fmt::format(": {}", log.data());
        return std::unexpected(problem);
    }
    return module;
}

DeviceModule::DeviceModule(DeviceModule&& other) noexcept
    : device_(other.device_), module_(std::exchange(other.module_, nullptr)) {}

DeviceModule::~DeviceModule() {
    if (module_ != nullptr) device_->driver().unload_module(module_);
}

Result<FunctionTag*> DeviceModule::kernel(const std::string& name, std::uint64_t dynamic_shared_bytes) const {
    FunctionTag* function = nullptr;
    Status status = device_->driver().function(&function, module_, name.c_str());
    if (status != 0) return std::unexpected(device_->driver().problem(fmt::format("no kernel {}", name), status));
    // Without it, dynamic shared memory is limited to what static arrays leave of the default size.
    if (dynamic_shared_bytes > 0) {
        status = device_->driver().set_function_attribute(function, most_dynamic_shared,
                                                          static_cast<int>(dynamic_shared_bytes));
        if (status != 0) {
            return std::unexpected(device_->driver().problem(
                fmt::format("the GPU cannot give a block {} of shared memory", counted(dynamic_shared_bytes, "byte")),
                status));
        }
    }
    return function;
}

DeviceModule::Variable DeviceModule::variable(const std::string& name) const {
    Variable found;
    if (device_->driver().variable(&found.address, &found.bytes, module_, name.c_str()) != 0) return {};
    return found;
}

Result<Clock> Clock::make(const Device& device, std::size_t pairs) {
    Clock clock(device);
    for (std::size_t i = 0; i < 2 * pairs; ++i) {
        EventTag* event = nullptr;
        if (const Status status = device.driver().create_event(&event, 0); status != 0)
            return std::unexpected(device.driver().problem("the GPU's clock cannot be used", status));
        clock.events_.push_back(event);
    }
    return clock;
}

Clock::Clock(Clock&& other) noexcept : device_(other.device_), events_(std::exchange(other.events_, {})) {}

Clock::~Clock() {
    for (EventTag* event : events_) device_->driver().destroy_event(event);
}

// An error is reported when the pair is read.
void Clock::start(std::size_t pair) const { device_->driver().record_event(events_[2 * pair], nullptr); }
void Clock::stop(std::size_t pair) const { device_->driver().record_event(events_[2 * pair + 1], nullptr); }

Result<double> Clock::microseconds(std::size_t pair) const {
    float milliseconds = 0;
    const Status status = device_->driver().elapsed(&milliseconds, events_[2 * pair], events_[2 * pair + 1]);
    if (status != 0) return std::unexpected(device_->driver().problem("the GPU's clock cannot be read", status));
    return double{milliseconds} * 1e3;
}

}  // namespace lanescope::execute
