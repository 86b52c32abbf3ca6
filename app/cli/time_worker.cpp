// The part of `lanescope time` that uses the GPU, in a process of its own: its measurements go to standard output, line
// by line (timing/stream.h). A kernel that breaks the driver ends only this process.
#include "base/child_process.h"
#include "cli/commands.h"
#include "cli/gpu_commands.h"
#include "cli/time_emulation.h"
#include "cli/time_jobs.h"
#include "execute/gpu/block_runner.h"
#include "execute/gpu/ceilings.h"
#include "execute/gpu/cub_library.h"
#include "execute/gpu/timer.h"
#include "execute/simt/approximation.h"
#include "session/element_types.h"
#include "session/gpu_plan.h"
#include "session/input.h"
#include "session/last_writes.h"
#include "session/periodic_oracle.h"
#include "session/unmeasured.h"
#include "session/verdict.h"
#include "timing/stream.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr unsigned overhead_samples = 101;
constexpr double longest_emulation = 4;  // seconds

timing::Recording recording_of(const execute::Device& device, const std::string& command) {
    const execute::GpuFacts& facts = device.facts();
    timing::Recording recording{header_of(device)};
    recording.command = command;
    recording.l2_bytes = facts.l2_bytes;
    recording.peak = facts.memory_gigabytes_per_second();
    if (recording.peak > 0)
        recording.peak_formula = fmt::format("{}/8 x {:.3f} GHz x 2", facts.bus_bits, facts.memory_mhz / 1e3);
    recording.arch = facts.arch;
    recording.processors = facts.processors;
    recording.clock_mhz = facts.clock_mhz;
    recording.memory_bytes = facts.memory_bytes;
    return recording;
}

class Worker {
  public:
    Worker(const TimeOptions& options, Environment& environment, std::unique_ptr<execute::Device> device)
        : options_(options),
          environment_(environment),
          device_(std::move(device)),
          emulation_(options, options.programs.empty() ? std::string() : options.programs.front(), options.kernel,
                     device_->facts().processors, environment.progress) {}

    /// The device and its ceilings.
    int ceilings() {
        timing::Recording header = recording_of(*device_, options_.command);
        if (options_.view == trace::View::written)
            header.note = "The kernels are compiled as written (-G): without optimization.";
        send(timing::Started{std::move(header)});
        if (const auto overhead = execute::time_empty_launch(*device_, overhead_samples)) {
            send(timing::Overhead{timing::spread_of(*overhead)});
        } else {
            send(overhead.error());
            return request_wrong;
        }
        for (const std::uint64_t n : options_.n) {
            constexpr std::uint64_t vector = 16;
            const std::uint64_t bytes = (n * sizeof(std::int32_t) + vector - 1) / vector * vector;
            const unsigned samples = samples_for(bytes);
            if (const auto copy = execute::time_copy(*device_, bytes, samples)) {
                send(timing::Recording::Copy{.bytes = bytes, .time = timing::spread_of(*copy)});
            } else {
                omit({}, "the copy", n, 0, copy.error());
            }
            if (const auto sweep = execute::time_read_sweep(*device_, bytes, samples)) {
                send(timing::Recording::Sweep{
                    .bytes = bytes, .shape = sweep->shape, .time = timing::spread_of(sweep->microseconds)});
            } else {
                omit({}, "the read-only sweep", n, 0, sweep.error());
            }
            if (!device_->finish()) return device_lost;
        }
        if (options_.residency) resident_reads();
        return device_->finish() ? fine : device_lost;
    }

    int jobs() {
        announce(false);
        for (const std::string& text : options_.jobs) {
            const auto job = read_job(text);
            if (!job) {
                send(job.error());
                return request_wrong;
            }
            if (environment_.progress.cancelled()) return interrupted;
            const auto point = measure(*job);
            const bool lost = !point && !device_->finish();
            if (point)
                send(*point);
            else
                omit(name_, type(), job->n, job->block, point.error(), found_fault_ || lost);
            if (lost) return device_lost;
        }
        return fine;
    }

  private:
    void resident_reads() {
        constexpr std::uint64_t bytes = std::uint64_t{1} << 28U;
        constexpr unsigned samples = 11;
        const auto reads = execute::time_resident_reads(*device_, bytes, samples, environment_.progress);
        if (!reads) return omit({}, "reads by few warps", bytes / sizeof(std::int32_t), 0, reads.error());
        for (const execute::ResidentRead& read : *reads)
            send(timing::Recording::ResidentRead{.warps = read.warps,
                                                 .in_flight = read.in_flight,
                                                 .load_bytes = read.load_bytes,
                                                 .bytes = bytes,
                                                 .time = timing::spread_of(read.microseconds)});
    }

    void send(const timing::Event& event) {
        environment_.out << timing::to_line(event) << '\n' << std::flush;  // the parent process reads each line
    }

    void announce(bool begins) { environment_.out << gpu_use_line(begins) << '\n' << std::flush; }

    void omit(const std::string& kernel, const std::string& element, std::uint64_t n, std::uint32_t block,
              const Problem& problem, bool fault = false) {
        send(timing::Omission{.kernel = kernel,
                              .element = element,
                              .n = n,
                              .block = block,
                              .what = problem.what,
                              .remedy = problem.remedy,
                              .fault = fault});
    }

    [[nodiscard]] std::string type() const { return options_.types.empty() ? std::string() : options_.types.front(); }

    /// Fewer samples if each takes long.
    [[nodiscard]] unsigned samples_for(std::uint64_t bytes) const {
        constexpr std::uint64_t large = std::uint64_t{1} << 30;
        return bytes >= large ? std::min(options_.samples, 11U) : options_.samples;
    }

    Result<timing::Point> measure(const TimeJob& job) {
        found_fault_ = false;
        const auto program = session::find_requested(emulation_.request_for(job, job.n));
        if (!program) return std::unexpected(program.error().problem);
        name_ = program->name;
        const session::Variables variables{.n = job.n, .block = job.block, .grid = 1};
        if (const auto allowed = session::check_n(*program, variables); !allowed && !options_.anyway)
            return std::unexpected(allowed.error());
        const TimeEmulation::Small& small = emulation_.small_run(job, *program);
        if (!small) return std::unexpected(small.error().problem);
        if (const auto sound = is_sound((*small)->trace(), (*small)->verdict.ok); !sound)
            return std::unexpected(sound.error());
        const bool too_large = !TimeEmulation::takes(job, *program);
        const auto planned = too_large ? run_on_gpu(job) : Result<std::shared_ptr<const session::Run>>(*small);
        if (!planned) return std::unexpected(planned.error());
        const session::Run& run = **planned;
        session::GpuSize size{
            .n = job.n,
            .grid = job.grid > 0 ? std::optional(job.grid) : std::nullopt,
            .per_thread = job.per_thread > 0 ? std::optional(job.per_thread) : std::nullopt,
            .multiprocessors = device_->facts().processors,
            .resident_threads = std::uint64_t{device_->facts().processors} * device_->facts().threads_per_processor,
            .until_one = !options_.one_launch};
        auto plan = session::plan_for_gpu(run, size);
        if (!plan) return std::unexpected(plan.error());
        if (const auto taken = device_->takes(run.module().target); !taken) return std::unexpected(taken.error());
        const std::shared_ptr<const trace::Trace> emulated =
            too_large ? nullptr : emulation_.emulate(run, *plan, longest_emulation);
        if (emulated != nullptr) {
            if (const auto sound = is_sound(*emulated, {}); !sound) return std::unexpected(sound.error());
        }
        const auto cub = options_.cub_library.empty() ? std::nullopt : cub_work(*program, *plan);
        std::unique_ptr<execute::Contender> beside;
        if (cub) {
            auto loaded = execute::cub_contender(options_.cub_library, *cub);
            if (!loaded) return std::unexpected(loaded.error());
            beside = std::move(*loaded);
        }
        announce(true);
        const auto timed =
            execute::time_program(*device_, plan->work, {.samples = options_.samples, .longest = options_.spend * 1e3},
                                  environment_.progress, beside.get());
        announce(false);
        if (!timed) return std::unexpected(timed.error());
        if (timed->microseconds.empty()) return fail("cancelled");
        timing::Point point = point_of(*program, run, emulated.get(), *plan, *timed);
        if (cub && !timed->beside.empty())
            point.beside = timing::Beside{.name = cub->name(), .time = timing::spread_of(timed->beside)};
        return point;
    }

    /// The call of CUB with the same result: a sum of all elements, or an inclusive scan.
    static std::optional<execute::CubWork> cub_work(const session::Program& program, const session::GpuPlan& plan) {
        const std::string& oracle = program.recipe.host ? program.recipe.expected.oracle : plan.oracle;
        const std::string type(trace::name_of(plan.element));
        const bool scan = oracle == "inclusive-scan";
        if ((!scan && oracle != "sum") || !session::is_element_type(type) || plan.n > INT32_MAX) return std::nullopt;
        return execute::CubWork{.scan = scan, .type = type, .n = plan.n};
    }

    /// Runs the program's host code at a size that is too large for the emulator.
    Result<std::shared_ptr<const session::Run>> run_on_gpu(const TimeJob& job) {
        execute::GpuBlockRunner gpu(*device_, [&](bool begins) { announce(begins); });
        auto run = session::run_on_gpu(emulation_.request_for(job, job.n), gpu, environment_.progress);
        if (gpu.failed()) return std::unexpected(*gpu.failed());
        if (!run) return std::unexpected(run.error().problem);
        if ((*run)->verdict.ok == false && !options_.anyway)
            return fail("its result on the GPU differs from the CPU reference", {},
                        "--anyway measures the kernel in any case.");
        return *std::move(run);
    }

    Result<void> is_sound(const trace::Trace& trace, std::optional<bool> right) {
        const trace::Finding* const fault = session::first_fault(trace);
        if (options_.anyway || (fault == nullptr && right != false && !trace.is_cut_short())) return {};
        found_fault_ = true;
        const std::string remedy = "`lanescope trace` shows it; --anyway measures the kernel in any case.";
        if (fault == nullptr && trace.is_cut_short()) return fail(session::emulator_stopped, {}, remedy);
        if (fault == nullptr) return fail("its result on the emulator differs from the CPU reference", {}, remedy);
        return fail(session::emulator_found(*fault), {}, remedy);
    }

    /// Whether results may differ in their last bits: by float atomics, whose order varies between runs, or by
    /// approximate instructions.
    static bool rounds_otherwise(const ptx::Module& module) {
        return std::ranges::any_of(module.functions, [](const ptx::Function& function) {
            return std::ranges::any_of(function.instructions, [](const ptx::Instruction& instruction) {
                const ptx::Modifiers& modifiers = instruction.modifiers;
                return execute::is_approximate(instruction) ||
                       (instruction.action() == ptx::Action::atomic && modifiers.atomic == ptx::Atomic::add &&
                        ptx::is_float(modifiers.type));
            });
        });
    }

    /// Checks by the CPU reference, if a correct result may differ from the emulator's in its last bits or if host code
    /// computes. nullopt without a reference, or if the host writes the compared output.
    static std::optional<bool> judge_program(const session::Program& program, const session::Run& run,
                                             const session::GpuPlan& plan, const trace::Trace* emulated,
                                             const execute::Results& results) {
        const trace::Trace* const launched = emulated == nullptr && program.recipe.host ? &run.trace() : emulated;
        if (launched == nullptr || !run.verdict.ok || plan.until_one) return std::nullopt;
        if (!program.recipe.host && !rounds_otherwise(run.module())) return std::nullopt;
        const session::LastWrites last(*launched);
        trace::Trace machine = *launched;
        machine.origin.n = plan.n;
        for (std::size_t i = 0; i < results.size() && i < machine.buffers.size(); ++i) {
            if (results[i].empty()) continue;
            if (machine.buffers[i].name == run.verdict.output && last.reach(i)) return std::nullopt;
            machine.buffers[i].final = results[i];
        }
        std::vector<std::string> notes;
        return session::judge(program, run.arguments, machine, notes).ok;
    }

    /// `emulated`: null if n was too large for the emulator.
    static timing::Point point_of(const session::Program& program, const session::Run& run,
                                  const trace::Trace* emulated, const session::GpuPlan& plan,
                                  const execute::Timed& timed) {
        timing::Point point = session::untimed_point(program, plan);
        point.time = timing::spread_of(timed.microseconds);
        const auto oracle = plan.output ? session::judge_periodic(plan, timed.results[*plan.output]) : std::nullopt;
        if (emulated != nullptr) point.counts = session::counts_of(*emulated);
        if (emulated != nullptr && equal(*emulated, timed.results)) {
            point.agrees = !oracle || oracle->ok;
            point.check = "emulator";
        } else if (const auto right = judge_program(program, run, plan, emulated, timed.results)) {
            point.agrees = *right;
            point.check = session::is_float(run.verdict.element) ? "rounding" : "oracle";
        } else if (oracle) {
            point.agrees = oracle->ok;
            point.check = oracle->exact ? "oracle" : "rounding";
        } else {
            point.agrees = emulated == nullptr;
            point.check = emulated == nullptr ? "" : "emulator";
        }
        return point;
    }

    static bool equal(const trace::Trace& trace, const execute::Results& results) {
        const session::LastWrites last(trace);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i].empty()) continue;
            const auto& expected = trace.buffers[i].final;
            if (last.reach(i) ? last.after(i, results[i]) != expected : results[i] != expected) return false;
        }
        return true;
    }

    const TimeOptions& options_;
    Environment& environment_;
    std::unique_ptr<execute::Device> device_;
    TimeEmulation emulation_;
    std::string name_;          // of the program
    bool found_fault_ = false;  // the last measurement was left out for the kernel's own fault
};

}  // namespace

int time_worker(const TimeOptions& options, Environment& environment) {
    end_with_parent();
    auto device = open_gpu();
    if (!device) {
        environment.out << timing::to_line(device.error()) << std::endl;
        return request_wrong;
    }
    Worker worker(options, environment, std::move(*device));
    return options.programs.empty() ? worker.ceilings() : worker.jobs();
}

}  // namespace lanescope::cli
