// What a GPU's own counters say of a kernel's launches, as Nsight Compute prints it and as it is kept. No CUDA.
#pragma once

#include "base/result.h"
#include "timing/recording_header.h"

#include <array>
#include <cstdint>
#include <optional>
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
    /// Wavefronts beyond those that the same instructions need without a bank conflict; nothing where they are not
    /// known: recordings and tables may lack them. Measured on an H200 (driver 580.159.04): of accesses to a word a
    /// lane, wavefronts less instructions with a lane on (1,520 - 400 = 1,120); 0 of loads that need several wavefronts
    /// for their width only.
    std::optional<std::uint64_t> shared_load_conflicts = {};
    std::optional<std::uint64_t> shared_store_conflicts = {};
    std::optional<std::uint64_t> shared_atomic_conflicts = {};
    friend bool operator==(const Counters&, const Counters&) = default;

    /// Conflicts are known of a sum where they are of both.
    Counters& operator+=(const Counters& other);
    /// The less of both, counter by counter.
    void keep_least(const Counters& other);
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

/// The same of a counter that need not be there.
struct OptionalMetric {
    std::string_view name;   ///< "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
    std::string_view field;  ///< "shared_load_conflicts"
    std::optional<std::uint64_t> Counters::*place;
};
[[nodiscard]] const std::vector<OptionalMetric>& optional_metrics();

struct CountedLaunch {
    std::string kernel;  ///< as Nsight Compute prints it, "reduce"
    Counters counters;
};
/// The launches, in order, of what `ncu --csv --metrics ...` writes; lines before the table are passed over. Fails
/// where there is no table, or where it lacks counters other than optional_metrics().
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

struct CounterRecording : RecordingHeader {
    std::vector<CountedKernel> kernels;
    friend bool operator==(const CounterRecording&, const CounterRecording&) = default;
};
[[nodiscard]] std::string to_json(const CounterRecording& recording);
[[nodiscard]] Result<CounterRecording> counters_from_json(const std::string& text);

}  // namespace lanescope::timing
