// The limits of a device of one compute capability: what it can launch and hold. Every check of a launch, every
// residency and every limit in a text comes from this table.
//
// CUDA C++ Programming Guide, "Compute Capabilities", "Technical Specifications per Compute Capability"; compute
// capability 1.0: CUDA C Programming Guide 4.2, appendix F.
#pragma once

#include "base/ids.h"
#include "model/launch_limits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::model {

/// The oldest compute capability that CUDA 13 compiles for. Kernels are compiled for it unless they need a newer one.
inline constexpr unsigned least_capability = 75;

/// Shared memory since compute capability 2.0: the number of banks, and the bytes of one that a wavefront reads.
inline constexpr unsigned usual_banks = 32, bank_bytes = 4;

/// Sizes are in bytes, registers have 32 bits; "multiprocessor" is a streaming multiprocessor (SM).
struct DeviceLimits {
    unsigned capability = 0;  ///< 90 for 9.0

    // --- Of a launch
    std::uint64_t threads_per_block = 1024;
    Extent block{1024, 1024, 64};
    Extent grid{0x7FFF'FFFF, 65535, 65535};
    std::uint64_t static_shared_bytes = 48 << 10;  ///< of a block, without opting in to more
    std::uint64_t shared_bytes_per_block = 0;      ///< static and dynamic, opted in
    std::uint64_t local_bytes_per_thread = 512 << 10;
    std::uint64_t constant_bytes = 64 << 10;
    std::uint64_t parameter_bytes = 32764;
    std::uint64_t stack_bytes_per_thread = 4 << 10;  ///< of calls; four times what CUDA sets at first
    std::uint64_t heap_bytes = 8 << 20;              ///< of malloc in kernels
    std::uint64_t printf_bytes = 1 << 20;            ///< of printf in kernels
    unsigned registers_per_thread = 255;
    unsigned registers_per_block = 64 << 10;

    // --- Of a multiprocessor
    unsigned blocks = 0;                            ///< resident
    unsigned warps = 0;                             ///< resident
    std::uint64_t shared_bytes = 0;                 ///< all
    std::uint64_t reserved_shared_bytes = 1 << 10;  ///< taken by the system for each block
    unsigned registers = 64 << 10;
    unsigned register_unit = 256;     ///< a warp's registers are allocated in multiples of it
    unsigned schedulers = 4;          ///< each issues one warp instruction a cycle
    unsigned banks = usual_banks;     ///< of shared memory
    unsigned bank_lanes = warp_size;  ///< lanes whose accesses are served together

    [[nodiscard]] constexpr unsigned threads() const { return warps * warp_size; }  ///< resident on a multiprocessor
    [[nodiscard]] constexpr MultiprocessorLimits multiprocessor() const {
        return {.blocks = blocks,
                .warps = warps,
                .shared_bytes = shared_bytes,
                .reserved_shared_bytes = reserved_shared_bytes};
    }
    /// Resident blocks of this many threads and this much shared memory each; at least one. Registers are not counted.
    [[nodiscard]] constexpr std::uint64_t resident_blocks(std::uint64_t threads_of_block,
                                                          std::uint64_t shared_bytes_of_block = 0) const {
        const BlockNeeds needs{.warps = (threads_of_block + warp_size - 1) / warp_size,
                               .shared_bytes = shared_bytes_of_block};
        return std::max<std::uint64_t>(model::resident_blocks(multiprocessor(), needs), 1);
    }
};

/// In ascending order of capability.
[[nodiscard]] std::span<const DeviceLimits> device_limits();

/// The limits of the capability, or of the nearest lower one in the table; the G80's for every 1.x, those of 7.5 for
/// older and unknown ones (0).
[[nodiscard]] const DeviceLimits& limits_of(unsigned capability);

/// Banks of a device whose shared memory serves one half-warp after the other: compute capability 1.x.
[[nodiscard]] unsigned half_warp_banks();

/// The device whose launches the emulator checks and runs, whichever capability the PTX is compiled for: an H200.
[[nodiscard]] const DeviceLimits& emulated_device();
inline constexpr std::uint64_t emulated_multiprocessors = 132;
inline constexpr std::string_view emulated_gpu = "H200";

/// The facts of a product beyond its compute capability, as a program queries them. For the emulated device, memory is
/// from NVIDIA's data sheet of the H200, the rest as its driver reports it.
struct ProductFacts {
    std::uint64_t memory_bytes = std::uint64_t{141} * 1'000'000'000;
    std::uint64_t l2_bytes = std::uint64_t{60} << 20;
    unsigned clock_khz = 1'980'000;
    unsigned memory_clock_khz = 3'201'000;
    unsigned memory_bus_bits = 6144;
};
inline constexpr ProductFacts emulated_product;

/// A GPU that launches can be placed on.
struct GpuModel {
    std::string_view name;  ///< "G80"
    unsigned capability = 0;
    unsigned multiprocessors = 0;
};
/// The G80 of the lectures (GeForce 8800 GTX), H200 and B200, from their data sheets.
[[nodiscard]] std::span<const GpuModel> gpu_models();

/// The model whose name the device's contains as a word; null if there is none: "NVIDIA GH200" is no H200.
[[nodiscard]] const GpuModel* gpu_model_of(std::string_view device);
/// Whether the device, "NVIDIA H200", is the one that is emulated.
[[nodiscard]] bool is_emulated_gpu(std::string_view device);

/// Replaces the emulated device until this object is destroyed. For tests, while nothing runs.
class EmulateDevice {
  public:
    explicit EmulateDevice(const DeviceLimits& limits);
    ~EmulateDevice();
    EmulateDevice(const EmulateDevice&) = delete;
    EmulateDevice& operator=(const EmulateDevice&) = delete;

  private:
    DeviceLimits limits_;
    const DeviceLimits* before_;
};

}  // namespace lanescope::model
