// The Machine of a whole program: its PTX is parsed once, each launch is emulated on the program's own device memory
// when the program makes it, and all of it becomes one trace.
#pragma once

#include "analysis/panels/program_lines.h"
#include "base/progress.h"
#include "base/sparse_bytes.h"
#include "base/zeroed_array.h"
#include "execute/emulator/emulation.h"
#include "host/program.h"
#include "model/device_limits.h"
#include "ptx/module.h"
#include "session/host_story.h"
#include "session/nvrtc_sources.h"
#include "trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

class HostFunctionRuns;
class LiveSteps;

class EmulatorMachine : public host::Machine {
  public:
    struct Setup {
        trace::Origin origin;  ///< without the PTX, which the program brings
        std::string ptx_name;  ///< what messages call it
        std::string source;    ///< path of the program's source
        /// Folders of sources, which the names in a trace leave out.
        std::vector<std::filesystem::path> folders = {};
        std::filesystem::path program_folder = {};  ///< whose sources are kept, too; empty: those of the first folder
        execute::Limits limits;
        unsigned banks = model::usual_banks;
        std::optional<std::uint64_t> record_launch = {};  ///< Request::record_launch
        /// The use of the first allocations, where it is known beforehand: name, element, whether they are outputs.
        std::vector<trace::Buffer> first_allocations;
        /// The program's PTX as written, which has names and types of parameters and arrays; asked for once, where that
        /// of the view has none.
        std::function<std::string()> as_written = {};
        /// Receives the record of the first launch while the rest runs.
        std::function<void(std::shared_ptr<const trace::Trace>, std::shared_ptr<const ptx::Module>)> recorded = {};
        LiveSteps* live = nullptr;                   ///< receives each step as it comes; null: none
        HostFunctionRuns* host_functions = nullptr;  ///< that run what host code calls; null: nothing is reported
    };
    EmulatorMachine(Setup setup, Progress& progress) : setup_(std::move(setup)), progress_(progress) {
        if (!setup_.folders.empty()) source_folders_ = {setup_.folders.front()};
        if (!setup_.program_folder.empty()) source_folders_.push_back(setup_.program_folder);
    }

    host::DeviceFacts device() override;
    Result<void> load(std::string_view ptx) override;
    void source(std::string_view path, std::string_view text) override;
    void as_written(std::string_view ptx) override;
    std::optional<Function> function(std::string_view name) override;
    std::optional<host::VariableFacts> variable(std::string_view name, const host::DeviceMemory& memory) override;
    std::optional<host::VariableFacts> variable_of(std::uint32_t unit, std::string_view name,
                                                   const host::DeviceMemory& memory) override;
    bool allocate(std::uint64_t address, std::uint64_t bytes) override;
    void begin(const std::shared_ptr<const host::DeviceMemory>& memory) override { memory_ = memory; }
    std::uint64_t free_bytes() override;
    void overwrite(std::uint64_t address, std::uint64_t bytes) override;
    void use(std::uint64_t address) override;
    Outcome launch(const host::KernelLaunch& launch, const host::DeviceMemory& memory) override;
    std::optional<std::uint64_t> host_call(const host::HostCall& call) override;
    void host_ranges(const std::vector<host::HostRange>& ranges) override;
    std::optional<std::uint64_t> host_memory(host::HostMemory&& memory) override;
    void host_return(std::uint32_t function, std::uint64_t general, std::uint64_t vector) override;
    /// Each step of the program, as it comes.
    void see(const host::ProgramStep& step);

    /// Why launches could not be made: of the kernels whose code is not supported, and of the module.
    [[nodiscard]] const std::vector<Problem>& refused() const { return refused_; }

    /// Seconds that the launches have taken.
    [[nodiscard]] double seconds() const { return seconds_; }

    /// The program's run, with the steps of its host code and their lines. Null where it launched nothing.
    struct Traced {
        std::shared_ptr<const trace::Trace> trace;
        std::shared_ptr<const ptx::Module> module;
    };
    [[nodiscard]] Traced finish(const host::ProgramRun& run);
    /// The trace of a program without a launch: its host steps and its findings, among them each launch that was
    /// refused.
    [[nodiscard]] trace::Trace without_launch(const host::ProgramRun& run);

  private:
    /// An allocation that lives or has lived, or a variable.
    struct Allocation {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        host::MemoryKind kind = host::MemoryKind::device;
        trace::Buffer known = {};  ///< name, element, that it is an output: as far as it is known
        enum class TypedBy : std::uint8_t { nothing, host, kernel };
        TypedBy typed = TypedBy::nothing;          ///< what determines its element type
        bool typed_otherwise = false;              ///< a kernel accesses it as another type, which is noted
        std::string variable = {};                 ///< the variable of the host code that it was assigned to
        bool named_by_parameter = false;           ///< its name is that of a kernel's parameter
        std::optional<std::uint32_t> buffer = {};  ///< in the trace, once a launch has found it
        bool read = false;                         ///< by the host
        bool freed = false;
        std::vector<execute::Emulation::WrittenByHost> written = {};  ///< before that
        /// Managed and pinned memory: its contents after the last launch, to detect host writes.
        ZeroedArray<std::byte> seen = {};
    };

    /// Shows the step in LiveSteps.
    void show_live(const host::ProgramStep& step);
    [[nodiscard]] analysis::ProgramLine live_launch(const host::KernelLaunch& launch) const;
    /// The module, parsed at the first launch, when all translation units have been registered. False: it cannot be
    /// used.
    bool ready(const host::DeviceMemory* memory);
    void refuse(const Problem& problem);
    [[nodiscard]] std::optional<host::VariableFacts> variable_at(std::optional<std::uint32_t> index);
    [[nodiscard]] Allocation* allocation_at(std::uint64_t address);
    /// Makes its buffer in the trace.
    void place(Allocation& allocation, const host::DeviceMemory& memory);
    void place_buffers(const host::DeviceMemory& memory);
    [[nodiscard]] static execute::OwnedMemory owned_at(std::uint64_t address, const host::DeviceMemory& memory);
    [[nodiscard]] std::uint64_t taken_bytes() const;
    [[nodiscard]] static std::vector<ByteRun> changed_since(const Allocation& allocation,
                                                            const host::DeviceMemory& memory, std::uint64_t offset,
                                                            std::uint64_t bytes);
    void keep(Allocation& allocation, std::uint64_t offset, std::uint64_t bytes);
    /// The name, with a number where another buffer has it; empty stays empty.
    [[nodiscard]] std::string unused_name(const std::string& wanted);
    /// The host's writes to managed and pinned memory since the last launch.
    void find_host_writes(const host::DeviceMemory& memory);
    /// Pinned memory after each launch, managed memory when the host has synchronized: until then it is inaccessible.
    void keep_host_memory(host::MemoryKind kind);
    [[nodiscard]] std::vector<trace::Argument> arguments_of(const ptx::Function& kernel,
                                                            const host::KernelLaunch& launch);
    /// The module as written; null where the view is that one, or where it does not compile.
    const ptx::Module* as_written();
    /// The kernel's parameters as the source names them: all of them, or none.
    [[nodiscard]] std::vector<ptx::SourceVariable> source_parameters(const ptx::Function& kernel);
    void describe(const trace::Argument& argument);
    [[nodiscard]] bool is_ambiguous(const Allocation& allocation) const;
    [[nodiscard]] int error_of(std::size_t first_finding) const;
    /// Whether a launch that was stopped ended at an access out of bounds: of a surface, by its boundary mode.
    [[nodiscard]] bool ended_by_access(std::size_t first_finding) const;
    bool forgives_wait_for_others(bool may_overlap);
    [[nodiscard]] std::vector<host::AccessedSpan> accessed_by_launch(const ptx::Function& kernel);
    void show_first_launch();
    void set_problem_size(trace::Trace& trace) const;
    void find_unknown_types(trace::Trace& trace) const;
    /// How much of the next launch is recorded.
    [[nodiscard]] execute::Emulation::Recording recording() const;
    void keep_sources_of(trace::Trace& trace, const host::ProgramRun& run) const;
    [[nodiscard]] HostStory::Input story_input(const host::ProgramRun& run);
    void forget(const Allocation& allocation);
    void take_type(Allocation& allocation, trace::Buffer& buffer, trace::Element element, bool whole,
                   const std::string& type);
    [[nodiscard]] bool is_unwritten(const Allocation& from, std::uint64_t address, const host::Rows& rows) const;
    void write_rows(const host::ProgramStep& step, const Allocation& to, const Allocation* from,
                    std::span<const std::byte> before);

    Setup setup_;
    std::vector<std::filesystem::path> source_folders_;  ///< the user's own
    Progress& progress_;
    std::string ptx_;
    std::shared_ptr<const ptx::Module> module_;
    std::map<std::string, Problem> left_out_;  ///< functions of the module
    std::optional<ptx::Module> written_;       ///< Setup::as_written, and what the program compiles by NVRTC
    NvrtcSources by_nvrtc_;
    std::unique_ptr<execute::Emulation> emulation_;
    std::map<std::uint64_t, Allocation> allocations_;              ///< by address
    std::map<std::uint64_t, std::vector<std::byte>> overwritten_;  ///< by address: what the next writes overwrite
    execute::OutOfReach out_of_reach_;
    std::uint64_t allocated_ = 0;          ///< bytes of allocations that are not freed
    std::vector<std::uint64_t> unplaced_;  ///< allocations since the last launch
    std::shared_ptr<const host::DeviceMemory> memory_;
    bool host_reaches_managed_ = true;         ///< the host has synchronized since the last launch
    std::vector<StepPlace> places_;            ///< of each step of the program
    std::size_t launched_ = 0;                 ///< launches that have a step
    std::map<std::string, unsigned> numbers_;  ///< the last that unused_name() gave
    std::size_t named_ = 0;                    ///< of Setup::first_allocations
    double seconds_ = 0;
    bool printing_ = false;            ///< the last step is a print
    std::size_t printed_of_step_ = 0;  ///< bytes of that print so far
    bool failed_ = false;
    std::vector<Problem> refused_;
};

}  // namespace lanescope::session
