// The memory of the emulated device: one file in memory, mapped by Lanescope and by the program. Addresses are those
// that kernels see (host/protocol.h); untouched pages take no memory.
#pragma once

#include "base/result.h"
#include "base/sparse_bytes.h"
#include "host/protocol.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::host {

class DeviceMemory {
  public:
    [[nodiscard]] static Result<DeviceMemory> create();
    DeviceMemory(DeviceMemory&& other) noexcept;
    DeviceMemory& operator=(DeviceMemory&& other) noexcept;
    ~DeviceMemory();

    /// The descriptor that the program inherits.
    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] static bool holds(std::uint64_t address, std::uint64_t bytes) {
        const std::uint64_t offset = address - device_base;
        return offset < device_bytes && bytes <= device_bytes - offset;
    }
    /// The bytes at an address. Requires holds(address, bytes).
    [[nodiscard]] std::span<std::byte> at(std::uint64_t address, std::uint64_t bytes) const {
        return {mapping_ + (address - device_base), static_cast<std::size_t>(bytes)};
    }
    /// The parts of [address, address + bytes) whose pages were touched, ascending, as offsets from `address`. Reading
    /// an untouched page would allocate it.
    [[nodiscard]] std::vector<ByteRun> filled(std::uint64_t address, std::uint64_t bytes) const;
    /// Bytes of its allocated pages.
    [[nodiscard]] std::uint64_t taken() const;
    /// Sets the bytes to zero and returns their pages to the system.
    void discard(std::uint64_t address, std::uint64_t bytes) const;

  private:
    DeviceMemory(int descriptor, std::byte* mapping) : descriptor_(descriptor), mapping_(mapping) {}
    int descriptor_ = -1;
    std::byte* mapping_ = nullptr;
};

}  // namespace lanescope::host
