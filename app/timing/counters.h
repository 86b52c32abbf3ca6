// A GPU's hardware counters for a kernel's launches, as Nsight Compute prints them and as Lanescope keeps them. No
// CUDA.
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

/// The counters of one launch, named as in trace::Counts where that has them.
struct Counters {
    std::uint64_t shared_load_wavefronts = 0;
    std::uint64_t shared_store_wavefronts = 0;
    std::uint64_t shared_atomic_wavefronts = 0;
    std::uint64_t global_load_sectors = 0;
    std::uint64_t global_store_sectors = 0;
    std::uint64_t global_atomic_sectors = 0;
    std::uint64_t warp_instructions = 0;           ///< of SASS
    std::uint64_t thread_instructions = 0;         ///< predicated-off lanes excluded
    std::uint64_t active_thread_instructions = 0;  ///< with predicated-off lanes
    /// Wavefronts beyond those that the same instructions need without a bank conflict; nothing where unknown:
    /// recordings and tables may lack them. Measured on an H200 (driver 580.159.04): for accesses of one word a lane,
    /// wavefronts minus instructions that at least one lane executes (1,520 - 400 = 1,120); 0 for loads that need
    /// several wavefronts for their width only.
    std::optional<std::uint64_t> shared_load_conflicts = {};
    std::optional<std::uint64_t> shared_store_conflicts = {};
    std::optional<std::uint64_t> shared_atomic_conflicts = {};
    friend bool operator==(const Counters&, const Counters&) = default;

    /// A sum has conflicts only if both summands have them.
    Counters& operator+=(const Counters& other);
    /// The minimum of both, counter by counter.
    void keep_least(const Counters& other);
};

/// A counter of Nsight Compute, and its field; several may share one.
struct Metric {
    std::string_view name;   ///< "smsp__inst_executed.sum"
    std::string_view field;  ///< "warp_instructions"
    std::uint64_t Counters::*place;
};
[[nodiscard]] const std::vector<Metric>& metrics();
/// The fields, each once, in the order of Counters.
[[nodiscard]] std::vector<Metric> counter_fields();

/// The same for an optional counter.
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
/// The launches, in order, in the output of `ncu --csv --metrics ...`; lines before the table are skipped. Fails where
/// there is no table, or where it lacks counters other than optional_metrics(), with the errors that Nsight Compute
/// reported.
[[nodiscard]] Result<std::vector<CountedLaunch>> read_ncu_csv(std::string_view text);
/// What Nsight Compute reported in lines "==ERROR== ...", each once, joined by "; "; empty where it reported nothing.
[[nodiscard]] std::string errors_of_ncu(std::string_view text);

/// One kernel as it was counted.
struct CountedKernel {
    std::string kernel;     ///< catalog name or file
    std::string view;       ///< "written", "compiled"
    bool optimized = true;  ///< false: the driver's compiler at -O0
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
