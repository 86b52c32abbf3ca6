// One NVIDIA GPU: its properties, its memory, modules and events. Each owner releases what it owns.
#pragma once

#include "execute/gpu/driver.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::execute {

struct GpuFacts {
    std::string name;    ///< "NVIDIA H200"
    std::string driver;  ///< "580.95.05"; empty if unknown
    int cuda = 0;        ///< newest CUDA version that the driver supports: 13000 for 13.0
    unsigned arch = 0;   ///< compute capability: 90
    std::uint64_t memory_bytes = 0, l2_bytes = 0;
    /// Accessing this many bytes evicts all earlier contents of the L2 cache.
    [[nodiscard]] std::uint64_t past_cache_bytes() const { return 2 * l2_bytes; }
    unsigned processors = 0;                ///< streaming multiprocessors
    unsigned clock_mhz = 0;                 ///< the highest of the processors
    unsigned bus_bits = 0, memory_mhz = 0;  ///< 0: unknown
    unsigned threads_per_processor = 0;     ///< at most, at once

    /// Bus width in bytes x clock x 2 transfers; 0: unknown.
    [[nodiscard]] double memory_gigabytes_per_second() const { return bus_bits / 8.0 * memory_mhz * 1e6 * 2 / 1e9; }
};

/// The first GPU, with its context current on the calling thread.
class Device {
  public:
    [[nodiscard]] static Result<std::unique_ptr<Device>> open(const Driver& driver);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] const GpuFacts& facts() const { return facts_; }
    [[nodiscard]] const Driver& driver() const { return driver_; }
    /// Fails if PTX for this compute capability (75 is 7.5) is too new for the device.
    [[nodiscard]] Result<void> takes(unsigned target) const;
    /// Waits until all launches are complete. Fails if a kernel failed: then no call works on this device until the
    /// process ends.
    [[nodiscard]] Result<void> finish() const;

  private:
    explicit Device(const Driver& driver) : driver_(driver) {}

    Driver driver_;
    DeviceNumber number_ = 0;
    bool retained_ = false;
    GpuFacts facts_;
};

/// Bytes of device memory.
class DeviceMemory {
  public:
    [[nodiscard]] static Result<DeviceMemory> allocate(const Device& device, std::size_t bytes);
    DeviceMemory(DeviceMemory&& other) noexcept;
    DeviceMemory& operator=(DeviceMemory&& other) noexcept;
    ~DeviceMemory();

    [[nodiscard]] DeviceAddress address() const { return address_; }
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes) const;
    /// Does not wait; later work on the device sees the filled bytes.
    [[nodiscard]] Result<void> fill(unsigned char value, std::size_t from, std::size_t bytes) const;
    [[nodiscard]] Result<std::vector<std::byte>> read(std::size_t bytes) const;

  private:
    explicit DeviceMemory(const Device& device) : device_(&device) {}

    const Device* device_;
    DeviceAddress address_ = 0;
};

/// PTX, compiled by the driver for the device.
class DeviceModule {
  public:
    /// The driver's compiler optimizes as usual, or keeps every access of the PTX.
    enum class Optimization : std::uint8_t { usual, none };
    /// Limits the registers of a thread if a number is given. Fails with the message of the driver's compiler.
    [[nodiscard]] static Result<DeviceModule> load(const Device& device, const std::string& ptx,
                                                   Optimization optimization = Optimization::usual,
                                                   std::optional<unsigned> most_registers = {});
    DeviceModule(DeviceModule&& other) noexcept;
    DeviceModule& operator=(DeviceModule&&) = delete;
    ~DeviceModule();

    /// The kernel, with its dynamic shared memory allowed.
    [[nodiscard]] Result<FunctionTag*> kernel(const std::string& name, std::uint64_t dynamic_shared_bytes) const;
    /// A __device__ or __constant__ variable; nothing if the compiler removed it.
    struct Variable {
        DeviceAddress address = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Variable variable(const std::string& name) const;

  private:
    explicit DeviceModule(const Device& device) : device_(&device) {}

    const Device* device_;
    ModuleTag* module_ = nullptr;
};

/// CUDA events in pairs: when something began on the device, and when it ended. Recorded without waiting and read when
/// all are done.
class Clock {
  public:
    [[nodiscard]] static Result<Clock> make(const Device& device, std::size_t pairs);
    Clock(Clock&& other) noexcept;
    Clock& operator=(Clock&&) = delete;
    ~Clock();

    void start(std::size_t pair) const;
    void stop(std::size_t pair) const;
    /// To be called after the device has finished.
    [[nodiscard]] Result<double> microseconds(std::size_t pair) const;

  private:
    explicit Clock(const Device& device) : device_(&device) {}
    const Device* device_;
    std::vector<EventTag*> events_;
};

}  // namespace lanescope::execute
