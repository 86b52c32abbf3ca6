// A run with a race -> a schedule under which the race makes the result wrong: the two accesses that the finding names
// happen in the other order, or one of them is seen late. Without a race, strong stores are seen late, one at a time: a
// message through them that lacks a fence arrives too early. Deterministic: the same run gives the same schedule.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "session/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// The error under a schedule.
struct Spoiled {
    std::string schedule;  ///< execute::read_schedule: Request::placement
    /// Index in Trace::findings of the run: the race that the schedule aims at; none: it aims at none of several.
    std::optional<std::size_t> finding;
    // The first element that is wrong. Empty where the kernel no longer ends, or faults: then `fault` says how.
    std::string buffer;
    std::uint64_t element = 0, address = 0;
    std::string expected, found;
    bool by_reference = false;  ///< `expected` is the CPU reference's; else the run's own value
    std::string fault;          ///< the message of a finding that the run does not have
    /// There is no reference, and the result may depend on the order of threads without any race, by atomic operations,
    /// volatile accesses, the active mask or a clock: it is not known whether the race changes it.
    bool open = false;
};

struct ScheduleSearch {
    std::size_t races = 0;  ///< findings of the run that were looked at
    /// Schedules that delay a volatile, relaxed or releasing store to global memory, where there is no race: two such
    /// accesses do not race, but without a fence other threads may see them out of order.
    std::size_t strong_stores = 0;
    std::size_t tried = 0;       ///< schedules
    std::size_t unknown = 0;     ///< of these, runs not ended within the budget, or ended early as the run itself
    bool ends_early = false;     ///< the run itself stopped before its end
    bool wrong_already = false;  ///< the result of the run itself is wrong: nothing was tried
    bool cancelled = false;
    std::optional<Spoiled> found;
};

/// Schedules to try, at most.
inline constexpr std::size_t usual_tries = 96, most_tries = 100'000;

/// Whether the finding is about the order of two known accesses: a race, or a missing fence.
[[nodiscard]] bool may_spoil(const trace::Finding& finding);

/// Schedules under which other threads see strong stores to global memory late, in the order in which they are tried.
[[nodiscard]] std::vector<std::string> schedules_for_strong_stores(const trace::Trace& trace,
                                                                   const ptx::Module& module);

/// `only`: index in Trace::findings of the race to look at; all races otherwise. Fails where the run cannot be
/// repeated.
[[nodiscard]] Result<ScheduleSearch> search_schedule(const Run& run, std::optional<std::size_t> only, std::size_t tries,
                                                     Progress& progress);

/// The wrong result under that schedule; nothing where the result is the same, or the run does not end.
[[nodiscard]] Result<std::optional<Spoiled>> spoiled_under(const Run& run, const std::string& schedule,
                                                           Progress& progress);

/// The outcome in sentences: "Under the schedule “hold 0:1:3 at 57” out[0] is 24; the CPU reference gives 41."
[[nodiscard]] std::string text_of(const ScheduleSearch& search);

/// The schedules that are tried for a race, in this order.
[[nodiscard]] std::vector<std::string> schedules_for(const trace::Trace& trace, const ptx::Module& module,
                                                     const trace::Finding& race);

}  // namespace lanescope::session
