#include "model/device_limits.h"

#include "base/text.h"

namespace lanescope::model {

namespace {

constexpr std::uint64_t kib = 1024;

constexpr std::array rows{
    // Tesla: the G80 of the lectures. Rules of shared memory that still hold today came with 2.0.
    DeviceLimits{.capability = 10,
                 .threads_per_block = 512,
                 .block = {512, 512, 64},
                 .grid = {65535, 65535, 1},
                 .static_shared_bytes = 16 * kib,
                 .shared_bytes_per_block = 16 * kib,
                 .local_bytes_per_thread = 16 * kib,
                 .parameter_bytes = 256,
                 .registers_per_thread = 124,
                 .registers_per_block = 8 * kib,
                 .blocks = 8,
                 .warps = 24,
                 .shared_bytes = 16 * kib,
                 .reserved_shared_bytes = 0,
                 .registers = 8 * kib,
                 .schedulers = 1,
                 .banks = 16,
                 .bank_lanes = 16},
    DeviceLimits{.capability = least_capability,
                 .shared_bytes_per_block = 64 * kib,
                 .blocks = 16,
                 .warps = 32,
                 .shared_bytes = 64 * kib,
                 .reserved_shared_bytes = 0},
    DeviceLimits{
        .capability = 80, .shared_bytes_per_block = 163 * kib, .blocks = 32, .warps = 64, .shared_bytes = 164 * kib},
    DeviceLimits{
        .capability = 86, .shared_bytes_per_block = 99 * kib, .blocks = 16, .warps = 48, .shared_bytes = 100 * kib},
    DeviceLimits{
        .capability = 87, .shared_bytes_per_block = 163 * kib, .blocks = 16, .warps = 48, .shared_bytes = 164 * kib},
    DeviceLimits{
        .capability = 88, .shared_bytes_per_block = 99 * kib, .blocks = 16, .warps = 48, .shared_bytes = 100 * kib},
    DeviceLimits{
        .capability = 89, .shared_bytes_per_block = 99 * kib, .blocks = 24, .warps = 48, .shared_bytes = 100 * kib},
    DeviceLimits{
        .capability = 90, .shared_bytes_per_block = 227 * kib, .blocks = 32, .warps = 64, .shared_bytes = 228 * kib},
    DeviceLimits{
        .capability = 100, .shared_bytes_per_block = 227 * kib, .blocks = 32, .warps = 64, .shared_bytes = 228 * kib},
    DeviceLimits{
        .capability = 103, .shared_bytes_per_block = 227 * kib, .blocks = 32, .warps = 64, .shared_bytes = 228 * kib},
    DeviceLimits{
        .capability = 110, .shared_bytes_per_block = 227 * kib, .blocks = 24, .warps = 48, .shared_bytes = 228 * kib},
    DeviceLimits{
        .capability = 120, .shared_bytes_per_block = 99 * kib, .blocks = 24, .warps = 48, .shared_bytes = 100 * kib},
    DeviceLimits{
        .capability = 121, .shared_bytes_per_block = 99 * kib, .blocks = 24, .warps = 48, .shared_bytes = 100 * kib},
};

constinit const DeviceLimits* emulated = &*std::ranges::find(rows, 90U, &DeviceLimits::capability);

}  // namespace

std::span<const DeviceLimits> device_limits() { return rows; }

std::span<const GpuModel> gpu_models() {
    static constexpr std::array models{
        GpuModel{.name = "G80", .capability = 10, .multiprocessors = 16},
        GpuModel{.name = emulated_gpu, .capability = 90, .multiprocessors = emulated_multiprocessors},
        GpuModel{.name = "B200", .capability = 100, .multiprocessors = 148}};
    return models;
}

const GpuModel* gpu_model_of(std::string_view device) {
    const auto found = std::ranges::find_if(
        gpu_models(), [&](const GpuModel& gpu) { return find_word(device, gpu.name) != std::string_view::npos; });
    return found == gpu_models().end() ? nullptr : &*found;
}

bool is_emulated_gpu(std::string_view device) { return find_word(device, emulated_gpu) != std::string_view::npos; }

const DeviceLimits& limits_of(unsigned capability) {
    if (capability / 10 == 1) return rows.front();
    const DeviceLimits* found = &rows[1];
    for (const DeviceLimits& row : rows) {
        if (row.capability > 10 && row.capability <= capability) found = &row;
    }
    return *found;
}

unsigned half_warp_banks() { return limits_of(10).banks; }

const DeviceLimits& emulated_device() { return *emulated; }

EmulateDevice::EmulateDevice(const DeviceLimits& limits) : limits_(limits), before_(emulated) { emulated = &limits_; }
EmulateDevice::~EmulateDevice() { emulated = before_; }

}  // namespace lanescope::model
