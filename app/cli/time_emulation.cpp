#include "cli/time_emulation.h"

#include "execute/emulator/emulator.h"
#include "session/algorithm_counts.h"

#include <algorithm>
#include <chrono>

namespace lanescope::cli {

session::Request TimeEmulation::request_for(const TimeJob& job, std::uint64_t n) const {
    session::Request request = options_.launch;
    request.program = program_;
    request.kernel = kernel_;
    request.n = n;
    request.block = job.block;
    // Whole numbers with small sums: a float's are exact in any order of additions.
    request.input = options_.input.empty() ? std::string(usual_input) : options_.input;
    request.view = options_.view;
    request.multiprocessors = multiprocessors_;
    request.check_all_blocks = true;
    request.anyway = options_.anyway;
    return request;
}

bool TimeEmulation::takes(const TimeJob& job, const session::Program& program) {
    return !program.recipe.host || job.n <= session::most_elements;
}

const TimeEmulation::Small& TimeEmulation::small_run(const TimeJob& job, const session::Program& program) {
    if (program.recipe.host) {
        whole_ = session::run(request_for(job, takes(job, program) ? job.n : session::most_small), progress_);
        return whole_;
    }
    if (const auto known = small_.find(job.block); known != small_.end()) {
        const Small& run = known->second;
        if (!run) return run;
        const bool has_blocks =
            (*run)->grid >= session::several_blocks || (*run)->n >= std::min(job.n, session::most_small);
        if (has_blocks && session::has_instance_for(**run, job.n)) return run;
    }
    Small run = session::small_run(request_for(job, job.n), progress_);
    return small_.insert_or_assign(job.block, std::move(run)).first->second;
}

std::shared_ptr<const trace::Trace> TimeEmulation::emulate(const session::Run& run, const session::GpuPlan& plan,
                                                           double longest_seconds) {
    if (run.program.recipe.host) return run.analysis->trace;
    const double expected = seconds_an_element_ * static_cast<double>(plan.n);
    if (plan.n > session::most_counted_elements || expected > longest_seconds) return nullptr;
    const auto begin = std::chrono::steady_clock::now();
    const auto trace =
        execute::emulate(run.module(), session::emulation_of(plan, run), {.record_blocks = 0}, progress_);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    seconds_an_element_ = spent.count() / static_cast<double>(plan.n);
    if (!trace || (*trace)->is_cut_short()) return nullptr;
    return *trace;
}

}  // namespace lanescope::cli
