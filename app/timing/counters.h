// What a GPU's own counters say of a kernel's launches, as Nsight Compute prints it and as it is kept. No CUDA.
#pragma once

#include "base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// Of one launch. Names as trace::Counts has them, where it has them.
struct Counters {
    std::uint64_t shared_load_wavefronts = 0;
    std::uint64_t shared_store_wavefronts = 0;
    std::uint64_t shared_atomic_wavefronts = 0;
    std::uint64_t global_load_sectors = 0;
    std::uint64_t global_store_sectors = 0;
    std::uint64_t global_atomic_sectors = 0;
    std::uint64_t warp_instructions = 0;           ///< of the machine's code
    std::uint64_t thread_instructions = 0;         ///< predicated-off lanes excluded
    std::uint64_t active_thread_instructions = 0;  ///< included
    friend bool operator==(const Counters&, const Counters&) = default;

    Counters& operator+=(const Counters& other);
};

/// A counter of Nsight Compute, and where it goes; several may go to one place.
struct Metric {
    std::string_view name;   ///< "smsp__inst_executed.sum"
    std::string_view field;  ///< "warp_instructions"
    std::uint64_t Counters::*place;
};
[[nodiscard]] const std::vector<Metric>& metrics();
/// The places, each once, in the order of Counters.
[[nodiscard]] std::vector<Metric> counter_fields();

struct CountedLaunch {
    std::string kernel;  ///< as Nsight Compute prints it, "reduce"
    Counters counters;
};
/// The launches, in order, of what `ncu --csv --metrics ...` writes; lines before the table are passed over. Fails where there is
/// no table, or where it lacks counters.
[[nodiscard]] Result<std::vector<CountedLaunch>> read_ncu_csv(std::string_view text);

/// One kernel as it was counted.
struct CountedKernel {
    std::string kernel;     ///< catalog name or file
    std::string view;       ///< "written", "compiled"
    bool optimised = true;  ///< false: the driver's compiler at -O0
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string input;
    std::vector<Counters> launches;
    friend bool operator==(const CountedKernel&, const CountedKernel&) = default;
};

struct CounterRecording {
    std::string device, driver, toolkit, date, command;
    std::vector<CountedKernel> kernels;
    friend bool operator==(const CounterRecording&, const CounterRecording&) = default;
};
[[nodiscard]] std::string to_json(const CounterRecording& recording);
[[nodiscard]] Result<CounterRecording> counters_from_json(const std::string& text);

}  // namespace lanescope::timing
