#include "host/program.h"

#include "base/child_process.h"
#include "base/demangle.h"
#include "base/pipe.h"
#include "host/cuda_error.h"
#include "host/exit_status.h"
#include "host/libraries.h"
#include "host/process_tree.h"
#include "host/source_lines.h"
#include "host/variable_names.h"
#include "host/working_folder.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace lanescope::host {

namespace {

constexpr std::uint32_t most_payload = 256U << 20U;
constexpr std::size_t most_printed = std::size_t{16} << 20;

std::optional<Ends> make_socket() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
    // A program that stops in the middle of a message must not stop Lanescope.
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return Ends{Descriptor(ends[0]), Descriptor(ends[1])};
}

bool receive(int socket, void* data, std::size_t bytes) {
    auto* at = static_cast<std::byte*>(data);
    while (bytes > 0) {
        const ssize_t count = recv(socket, at, bytes, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        bytes -= static_cast<std::size_t>(count);
    }
    return true;
}

bool send_all(int socket, const void* data, std::size_t bytes) {
    const auto* at = static_cast<const std::byte*>(data);
    while (bytes > 0) {
        const ssize_t count = ::send(socket, at, bytes, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        bytes -= static_cast<std::size_t>(count);
    }
    return true;
}

/// A folder that is removed with all that is in it.
class ScratchFolder {
  public:
    static std::optional<ScratchFolder> make() {
        std::error_code error;
        std::string path = (std::filesystem::temp_directory_path(error) / "lanescope-run-XXXXXX").string();
        if (error || mkdtemp(path.data()) == nullptr) return std::nullopt;
        return ScratchFolder(path);
    }
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder() {
        std::error_code error;
        if (!path_.empty()) std::filesystem::remove_all(path_, error);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

/// As CUDA C++ names them, by ChannelType.
constexpr std::array<const char*, 9> channel_types{
    "", "signed char", "short", "int", "unsigned char", "unsigned short", "unsigned int", "half", "float"};

/// For the runtime: where each function begins and ends.
std::string entries_of(const std::vector<HostFunction>& functions) {
    std::string text = fmt::format("{}=", functions_variable);
    for (const HostFunction& function : functions)
        text += fmt::format("{:x}-{:x},", function.address, function.address + function.bytes);
    return text;
}

/// Reads `rows` from a payload. False unless they span exactly `bytes`, from the first row to the end of the last.
bool take_rows(std::span<const std::byte> payload, std::uint64_t bytes, Rows& rows) {
    if (payload.size() != sizeof rows) return false;
    std::memcpy(&rows, payload.data(), sizeof rows);
    return rows.height > 1 && rows.width > 0 && rows.width <= rows.pitch && rows.pitch <= bytes &&
           (rows.height - 1) <= bytes / rows.pitch && (rows.height - 1) * rows.pitch + rows.width == bytes &&
           (rows.from_pitch == 0 || rows.from_pitch >= rows.width);
}

std::string text_at(std::span<const std::byte> payload) {
    return {reinterpret_cast<const char*>(payload.data()), payload.size()};
}

/// One run of a program, from its first request to its end.
class Session {
  public:
    Session(Machine& machine, std::shared_ptr<const DeviceMemory> memory, VariableNames names, SourceLines lines,
            const std::function<void(const ProgramStep&)>& came)
        : machine_(machine),
          shared_memory_(std::move(memory)),
          memory_(*shared_memory_),
          names_(std::move(names)),
          lines_(std::move(lines)),
          came_(came) {
        machine_.begin(shared_memory_);
    }

    [[nodiscard]] const std::shared_ptr<const DeviceMemory>& memory() const { return shared_memory_; }
    [[nodiscard]] std::vector<ProgramStep>& steps() { return steps_; }
    [[nodiscard]] std::string& printed() { return printed_; }
    /// Set when a launch ends the program.
    [[nodiscard]] const std::optional<ProgramEnd::How>& ends() const { return ends_; }
    [[nodiscard]] std::vector<std::uint64_t>& host_calls() { return host_calls_; }

    /// Replies to one question of the program. False: the message is malformed, or the program is gone.
    bool answer(int socket) {
        Header header;
        if (!receive(socket, &header, sizeof header)) return false;
        understands_ = header.payload <= most_payload && header.callers <= most_callers;
        if (!understands_) return false;
        std::vector<std::byte> payload(header.payload);
        if (!receive(socket, payload.data(), payload.size())) return false;
        Answer answer;
        std::vector<std::byte> answer_payload;
        understands_ = handle(header, payload, answer, answer_payload) || ends_;
        if (!understands_ || ends_) return false;
        answer.step = std::max<std::size_t>(steps_.size(), 1) - 1;
        answer.payload = static_cast<std::uint32_t>(answer_payload.size());
        return send_all(socket, &answer, sizeof answer) &&
               send_all(socket, answer_payload.data(), answer_payload.size());
    }

    void print(std::string_view text) {
        if (text.empty() || printed_.size() >= most_printed) return;
        printed_.append(text.substr(0, most_printed - printed_.size()));
        if (steps_.empty() || steps_.back().kind != ProgramStep::Kind::print) {
            ProgramStep step;
            step.kind = ProgramStep::Kind::print;
            steps_.push_back(std::move(step));
        }
        steps_.back().what += text;
        if (came_) came_(steps_.back());
    }

    /// For a program that exited: reports a kernel's output that was never flushed.
    void note_lost_output() {
        if (device_output_.empty()) return;
        ProgramStep& step = add(ProgramStep::Kind::fault, printing_launch_);
        step.fault = FaultKind::unsynchronized;
        step.what = "the output of the kernel's printf is lost: the program ends without waiting for the kernel";
        noted(step);
    }

    void note_closed_connection() {
        ProgramStep& step = add(ProgramStep::Kind::remark, {});
        step.what =
            understands_
                ? "the program has closed its connection to Lanescope and ends at its next CUDA call: it closes file "
                  "descriptors that it has not opened"
                : "the program is terminated: its connection to Lanescope carried an invalid message; it may write to "
                  "file descriptors that it has not opened";
        noted(step);
    }

  private:
    ProgramStep& add(ProgramStep::Kind kind, const Header& header) {
        ProgramStep& step = steps_.emplace_back();
        step.kind = kind;
        step.address = header.a;
        step.bytes = header.b;
        step.stream = header.stream;
        step.callers.assign(header.caller, header.caller + header.callers);
        return step;
    }

    template <class Facts>
    static void append(std::vector<std::byte>& bytes, const Facts& facts) {
        const auto* from = reinterpret_cast<const std::byte*>(&facts);
        bytes.insert(bytes.end(), from, from + sizeof facts);
    }

    bool handle(const Header& header, std::span<const std::byte> payload, Answer& answer,
                std::vector<std::byte>& answer_payload) {
        switch (header.call) {
            case Call::device: append(answer_payload, machine_.device()); return true;
            case Call::free_memory: answer.value = machine_.free_bytes(); return true;
            case Call::module: {
                const auto loaded = machine_.load(text_at(payload));
                if (loaded) return true;
                answer.error = cuda_error("cudaErrorNoKernelImageForDevice");
                ProgramStep& step = add(ProgramStep::Kind::remark, header);
                step.what = loaded.error().message();
                return noted(step);
            }
            case Call::source: {
                const std::string text = text_at(payload);
                const std::size_t zero = text.find('\0');
                if (zero == std::string::npos) return false;
                machine_.source(std::string_view(text).substr(0, zero), std::string_view(text).substr(zero + 1));
                return true;
            }
            case Call::as_written: machine_.as_written(text_at(payload)); return true;
            case Call::function: {
                Machine::Function found = machine_.function(text_at(payload)).value_or(Machine::Function{});
                found.facts.parameters = static_cast<std::uint32_t>(found.parameters.size());
                append(answer_payload, found.facts);
                for (const ParameterFacts& parameter : found.parameters) append(answer_payload, parameter);
                return true;
            }
            case Call::variable:
                append(answer_payload,
                       machine_.variable_of(static_cast<std::uint32_t>(header.a), text_at(payload), memory_)
                           .value_or(VariableFacts{}));
                return true;
            case Call::allocate: {
                if (!DeviceMemory::holds(header.a, header.b) || header.b == 0) return false;
                const std::uint64_t kind = header.c & 0xFFFF'FFFFU, channel = header.c >> 32U;
                if (kind > static_cast<std::uint64_t>(MemoryKind::object) || channel >= channel_types.size())
                    return false;
                if (!machine_.allocate(header.a, header.b)) {
                    answer.error = cuda_error("cudaErrorMemoryAllocation");
                    return true;
                }
                ProgramStep& step = add(ProgramStep::Kind::allocate, header);
                step.memory = static_cast<MemoryKind>(kind);
                name(step, header, payload);
                if (channel != 0) step.type = channel_types[channel];
                if (step.memory == MemoryKind::object) step.what = "texture or surface object";
                return noted(step);
            }
            case Call::release: machine_.release(header.a); return noted(add(ProgramStep::Kind::release, header));
            case Call::write: {
                if (!DeviceMemory::holds(header.a, header.b)) return false;
                ProgramStep& step = add(ProgramStep::Kind::write, header);
                step.written = static_cast<WriteKind>(header.c);
                step.from = header.d;
                if (step.written == WriteKind::by_library) {
                    step.what = text_at(payload);
                } else if (!payload.empty() && !take_rows(payload, header.b, step.rows)) {
                    return false;
                }
                if (header.b <= kept_content - kept_) {
                    kept_ += header.b;
                    const auto bytes = memory_.at(header.a, header.b);
                    step.content.assign(bytes.begin(), bytes.end());
                }
                return noted(step);
            }
            case Call::overwrite:
                if (!DeviceMemory::holds(header.a, header.b)) return false;
                machine_.overwrite(header.a, header.b);
                return true;
            case Call::read: {
                ProgramStep& step = add(ProgramStep::Kind::read, header);
                if (static_cast<WriteKind>(header.c) == WriteKind::by_library)
                    step.what = text_at(payload);
                else if (!payload.empty() && !take_rows(payload, header.b, step.rows))
                    return false;
                return noted(step);
            }
            case Call::use: machine_.use(header.a); return true;
            case Call::launch: return launch(header, payload, answer, answer_payload);
            case Call::host_call: {
                HostCall call;
                if (payload.size() != sizeof call.facts) return false;
                std::memcpy(&call.facts, payload.data(), sizeof call.facts);
                ProgramStep& step = add(ProgramStep::Kind::call, header);
                step.host_function = call.facts.function;
                call.callers = step.callers;
                noted(step);
                want(machine_.host_call(call), header, answer_payload);
                return true;
            }
            case Call::host_memory: {
                HostMemory memory{.address = header.a, .bytes = {payload.begin(), payload.end()}, .name = {}};
                if (!payload.empty() && header.a == wanted_.variable) memory.name = wanted_name_;
                want(machine_.host_memory(std::move(memory)), header, answer_payload);
                return true;
            }
            case Call::host_return:
                machine_.host_return(static_cast<std::uint32_t>(header.a), header.b, header.c);
                return true;
            case Call::host_ranges: {
                std::vector<HostRange> ranges(payload.size() / sizeof(HostRange));
                std::memcpy(ranges.data(), payload.data(), ranges.size() * sizeof(HostRange));
                machine_.host_ranges(ranges);
                return true;
            }
            case Call::host_counts:
                host_calls_.resize(payload.size() / sizeof(std::uint64_t));
                std::memcpy(host_calls_.data(), payload.data(), host_calls_.size() * sizeof(std::uint64_t));
                return true;
            case Call::synchronize:
                noted(add(ProgramStep::Kind::synchronize, header));
                flush_device_output();
                return true;
            case Call::error: {
                const std::string text = with_source_names(text_at(payload));
                ProgramStep& step = add(ProgramStep::Kind::error, header);
                step.error = static_cast<int>(header.a);
                const std::size_t end = std::min(text.find('\0'), text.size());
                step.call = text.substr(0, end);
                step.what = end < text.size() ? text.substr(end + 1) : std::string();
                return noted(step);
            }
            case Call::fault: {
                ProgramStep& step = add(ProgramStep::Kind::fault, header);
                step.fault = static_cast<FaultKind>(header.a);
                step.address = header.b;
                step.bytes = header.c;
                if (step.fault == FaultKind::unordered) {
                    if (payload.size() != sizeof step.unordered) return false;
                    std::memcpy(&step.unordered, payload.data(), sizeof step.unordered);
                } else {
                    step.what = with_source_names(text_at(payload));
                }
                if (step.fault == FaultKind::leak) step.callers = callers_of_allocation(step.address);
                return noted(step);
            }
            case Call::remark: {
                ProgramStep& step = add(ProgramStep::Kind::remark, header);
                step.what = with_source_names(text_at(payload));
                return noted(step);
            }
        }
        return false;
    }

    bool launch(const Header& header, std::span<const std::byte> payload, Answer& answer,
                std::vector<std::byte>& answer_payload) {
        LaunchFacts facts;
        if (payload.size() < sizeof facts) return false;
        std::memcpy(&facts, payload.data(), sizeof facts);
        payload = payload.subspan(sizeof facts);
        if (facts.function > payload.size()) return false;
        KernelLaunch launch;
        launch.function = text_at(payload.first(facts.function));
        launch.dynamic_shared_bytes = facts.dynamic_shared;
        launch.cooperative = facts.cooperative != 0;
        launch.stack_bytes = facts.stack_bytes;
        launch.wants_accesses = facts.wants_accesses != 0;
        launch.may_overlap = facts.may_overlap != 0;
        std::ranges::copy(facts.grid, launch.grid);
        std::ranges::copy(facts.block, launch.block);
        const auto parameters = payload.subspan(facts.function);
        launch.parameters.assign(parameters.begin(), parameters.end());
        flush_device_output();
        ProgramStep made;
        made.callers.assign(header.caller, header.caller + header.callers);
        lines_.find(made);
        launch.where = std::move(made.where);
        Machine::Outcome outcome = machine_.launch(launch, memory_);
        for (const AccessedSpan& span : outcome.accessed) append(answer_payload, span);
        device_output_ = std::move(outcome.printed);
        ends_ = outcome.ends;
        printing_launch_ = header;
        answer.error = outcome.error;
        answer.value = static_cast<std::uint64_t>(outcome.nanoseconds);
        ProgramStep& step = add(ProgramStep::Kind::launch, header);
        step.error = outcome.error;
        step.launch = std::move(launch);
        return noted(step);
    }

    /// Appends the address to the answer, with the variable that contains it, if one is known.
    void want(std::optional<std::uint64_t> address, const Header& header, std::vector<std::byte>& answer) {
        wanted_ = {};
        wanted_name_.clear();
        if (!address) return;
        wanted_.address = *address;
        const Stack stack{.callers = {header.caller, header.callers},
                          .frames = {header.frame, header.callers},
                          .begin = 0,
                          .bytes = {}};
        if (auto found = names_.holding(*address, stack)) {
            wanted_.variable = found->address;
            wanted_.variable_bytes = found->bytes;
            wanted_name_ = std::move(found->name);
        }
        append(answer, wanted_);
    }

    /// A kernel's printf output stays in a device buffer until the host synchronizes or launches the next kernel (CUDA
    /// C++ Programming Guide, "Formatted Output"). At the program's end it is lost.
    void flush_device_output() { print(std::exchange(device_output_, {})); }

    /// A leak is reported where the memory was allocated.
    [[nodiscard]] std::vector<std::uint64_t> callers_of_allocation(std::uint64_t address) const {
        for (const ProgramStep& step : steps_)
            if (step.kind == ProgramStep::Kind::allocate && step.address == address) return step.callers;
        return {};
    }

    /// Names an allocation after the variable that receives the pointer.
    void name(ProgramStep& step, const Header& header, std::span<const std::byte> payload) {
        StackBytes facts;
        if (payload.size() < sizeof facts) return;
        std::memcpy(&facts, payload.data(), sizeof facts);
        const Stack stack{.callers = {header.caller, header.callers},
                          .frames = {header.frame, header.callers},
                          .begin = facts.begin,
                          .bytes = payload.subspan(sizeof facts)};
        if (auto found = names_.at(header.d, stack)) {
            step.variable = std::move(found->name);
            step.type = std::move(found->type);
        }
    }

    bool noted(ProgramStep& step) {
        lines_.find(step);
        if (came_) came_(step);
        return true;
    }

    Machine& machine_;
    std::shared_ptr<const DeviceMemory> shared_memory_;
    const DeviceMemory& memory_;
    VariableNames names_;
    SourceLines lines_;
    const std::function<void(const ProgramStep&)>& came_;
    std::vector<ProgramStep> steps_;
    std::uint64_t kept_ = 0;  ///< bytes of the steps' contents
    std::vector<std::uint64_t> host_calls_;
    HostMemoryWanted wanted_;
    std::string wanted_name_;  ///< of the variable
    std::string printed_;
    std::optional<ProgramEnd::How> ends_;
    bool understands_ = true;    ///< the newest message was well-formed
    std::string device_output_;  ///< printf output of the last kernel, until the host waits for it
    Header printing_launch_;     ///< the launch of that kernel
};

/// Reports how long host code has run without a CUDA call: an infinite loop would otherwise be silent until the limit.
class HostCodeWatch {
  public:
    HostCodeWatch(Progress& progress, std::chrono::seconds cpu) : progress_(progress), cpu_(cpu) {}

    /// `asked`: the program called the runtime, and was answered.
    void round(bool asked) {
        const auto now = std::chrono::steady_clock::now();
        if (asked) {
            since_ = now;
            if (std::exchange(said_, std::chrono::seconds(0)) != std::chrono::seconds(0))
                progress_.say("running the host code");
            return;
        }
        constexpr std::chrono::seconds patience(2);
        const auto alone = std::chrono::duration_cast<std::chrono::seconds>(now - since_);
        if (alone < patience || alone == said_) return;
        said_ = alone;
        progress_.say(
            fmt::format("host code has run for {} s without a CUDA call; it is terminated after {} s of CPU "
                        "time (--time-limit), or when you cancel the run",
                        alone.count(), cpu_.count()));
    }

  private:
    Progress& progress_;
    std::chrono::seconds cpu_;
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
    std::chrono::seconds said_{0};  ///< the time last reported; 0: none
};

/// Whether all processes of a program together exceed its limits; the operating system checks each process alone.
class TreeWatch {
  public:
    TreeWatch(pid_t process, const SandboxLimits& limits, int device_memory)
        : process_(process), limits_(limits), device_memory_(device_memory) {}

    /// How the program ends, if it has to.
    std::optional<ProgramEnd> round() {
        const auto now = std::chrono::steady_clock::now();
        constexpr std::chrono::milliseconds often(250), at_most(10);  // a program may ask far more often
        if (now - glanced_ < at_most) return std::nullopt;
        glanced_ = now;
        // Within 250 ms a fork bomb reaches thousands of processes: they are stopped while they are counted.
        const std::uint64_t threads = threads_of_machine();
        const bool suspicious = threads > threads_ + limits_.processes / 2;
        if (now - looked_ < often && !suspicious) return std::nullopt;
        looked_ = now;
        threads_ = threads;
        if (suspicious) ::kill(-process_, SIGSTOP);
        const TreeUse use = use_of_tree(process_);
        if (use.processes > limits_.processes) return ProgramEnd{.how = ProgramEnd::How::too_many, .code = SIGKILL};
        if (suspicious) ::kill(-process_, SIGCONT);
        // Device memory is accounted separately, and each process may have touched all of it.
        struct stat file {};
        constexpr std::uint64_t block = 512;  // bytes, stat(2)
        std::uint64_t of_device = fstat(device_memory_, &file) == 0 ? static_cast<std::uint64_t>(file.st_blocks) : 0;
        of_device *= block * use.processes;
        const std::uint64_t bytes = use.own_bytes + use.shared_bytes - std::min(use.shared_bytes, of_device);
        if (bytes > limits_.memory_bytes) return ProgramEnd{.how = ProgramEnd::How::too_large, .code = SIGKILL};
        // A single process gets SIGXCPU first, and the runtime then reports the line that it is at.
        constexpr std::chrono::seconds to_say_where(2);
        if (use.cpu > limits_.cpu + to_say_where) return ProgramEnd{.how = ProgramEnd::How::too_long, .code = SIGXCPU};
        return std::nullopt;
    }

  private:
    pid_t process_;
    SandboxLimits limits_;
    int device_memory_;
    std::uint64_t threads_ = threads_of_machine();  ///< at the last count
    std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now(), glanced_ = looked_;
};

}  // namespace

Result<ProgramRun> run_program(const ProgramStart& start, Machine& machine, Progress& progress,
                               const std::function<void(const ProgramStep&)>& came) {
    ProgramRun run;
    run.confinement = start.confinement ? *start.confinement : confinement();
    if (run.confinement == Confinement::none) return std::unexpected(no_confinement());
    auto memory = DeviceMemory::create();
    if (!memory) return std::unexpected(std::move(memory.error()));
    auto scratch = ScratchFolder::make();
    auto socket = make_socket();
    auto output = make_pipe(PipeUse::read), input = make_pipe(PipeUse::write);
    if (!scratch || !socket || !output || !input)
        return fail(fmt::format("the program cannot be started: {}", std::generic_category().message(errno)));

    Session session(machine, std::make_shared<const DeviceMemory>(std::move(*memory)),
                    VariableNames(start.program, start.sources), SourceLines(start.program, start.sources), came);
    const int socket_number = socket->theirs.number(), memory_number = session.memory()->descriptor();
    const std::string scratch_text = scratch->path().string();
    SandboxLimits limits = start.limits;
    std::string sanitizer_options = "ASAN_OPTIONS=detect_leaks=0:color=never:print_legend=0";
    if (start.sanitized) {
        sanitizer_options += fmt::format(":hard_rss_limit_mb={}", limits.memory_bytes >> 20U);
        limits.memory_bytes = RLIM_INFINITY;
    }
    std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin",
                                         "LANG=C.UTF-8",
                                         "HOME=" + scratch_text,
                                         "TMPDIR=" + scratch_text,
                                         sanitizer_options,
                                         fmt::format("{}={}", socket_variable, socket_number),
                                         fmt::format("{}={}", memory_variable, memory_number)};
    if (!start.name.empty()) environment.push_back(fmt::format("{}={}", name_variable, start.name));
    std::ranges::move(library_environment(), std::back_inserter(environment));
    if (!start.nvrtc_option.empty()) environment.push_back(fmt::format("{}={}", nvrtc_variable, start.nvrtc_option));
    if (!start.functions.empty()) environment.push_back(entries_of(start.functions));
    const Confined confined{
        .program = start.program,
        .arguments = start.arguments,
        .folder = start.folder.empty() ? scratch->path() : working_folder(start.folder, scratch->path()),
        .scratch = scratch->path(),
        .environment = std::move(environment),
        .input = input->theirs.number(),
        .output = output->theirs.number(),
        .errors = output->theirs.number(),
        .inherited = {socket_number, memory_number},
        .limits = limits};
    const FilesBefore files(scratch->path());
    const pid_t process = start_confined(confined, run.confinement);
    if (process < 0)
        return fail(fmt::format("the program cannot be started: {}", std::generic_category().message(errno)));
    socket->theirs.close();
    output->theirs.close();
    input->theirs.close();

    std::string_view unsent = start.input;
    const auto print = [&session](std::string_view text) { session.print(text); };
    bool stopped = false, socket_open = true, prints = true;
    std::optional<int> status;
    HostCodeWatch watch(progress, limits.cpu);
    TreeWatch tree(process, start.limits, memory_number);
    std::optional<ProgramEnd> past_limits;
    while (true) {
        if (!past_limits && !status) past_limits = tree.round();
        if ((progress.cancelled() || session.ends() || past_limits) && !stopped) {
            // A request that has already arrived is not answered, so that no launch follows.
            stopped = true;
            socket_open = false;
            ::kill(-process, SIGKILL);
        }
        if (!status) {
            int now = 0;
            if (waitpid(process, &now, WNOHANG) == process) status = now;
        }
        if (unsent.empty()) input->ours.close();
        std::array<pollfd, 3> ends{};
        nfds_t count = 0;
        if (socket_open) ends[count++] = {.fd = socket->ours.number(), .events = POLLIN, .revents = 0};
        if (prints) ends[count++] = {.fd = output->ours.number(), .events = POLLIN, .revents = 0};
        if (input->ours.open()) ends[count++] = {.fd = input->ours.number(), .events = POLLOUT, .revents = 0};
        constexpr int often_ms = 20;
        poll(ends.data(), count, status ? 0 : often_ms);
        // Output that the program wrote before a request precedes it.
        if (prints) prints = drain(output->ours, print);
        bool asked = false;
        for (nfds_t i = 0; i < count; ++i) {
            if (ends[i].revents == 0) continue;
            if (ends[i].fd == socket->ours.number()) {
                asked = true;
                socket_open = session.answer(socket->ours.number());
                // An open socket would let the program wait for an answer. A program that a launch has ended is killed.
                if (!socket_open && !session.ends()) socket->ours.close();
            } else if (input->ours.open() && ends[i].fd == input->ours.number()) {
                const ssize_t sent = write(input->ours.number(), unsent.data(), unsent.size());
                if (sent > 0)
                    unsent.remove_prefix(static_cast<std::size_t>(sent));
                else if (sent < 0 && errno != EAGAIN && errno != EINTR)
                    input->ours.close();
            }
        }
        if (status && !asked) break;
        watch.round(asked);
    }
    if (prints) static_cast<void>(drain(output->ours, print));
    ::kill(-process, SIGKILL);  // processes that it left running

    const Ending ending = ending_of(*status);
    run.end.code = ending.code;
    // bubblewrap and a shell report a program that a signal ended by the exit status 128 + signal.
    constexpr int of_signal = 128;
    constexpr std::array signals{SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTRAP, SIGXCPU, SIGKILL};
    const bool by_status =
        ending.how == Ending::How::exited && std::ranges::find(signals, ending.code - of_signal) != signals.end();
    if (by_status) run.end.code -= of_signal;
    if (past_limits)
        run.end = *past_limits;
    else if (stopped)
        run.end.how = session.ends().value_or(ProgramEnd::How::cancelled);
    else if (by_status || ending.how == Ending::How::signal)
        run.end.how =
            run.end.code == SIGXCPU || run.end.code == SIGKILL ? ProgramEnd::How::too_long : ProgramEnd::How::signal;
    run.written = files.written_since(confined.folder);
    if (run.end.how == ProgramEnd::How::exited && run.end.code == exit_without_lanescope)
        session.note_closed_connection();
    else if (run.end.how == ProgramEnd::How::exited)
        session.note_lost_output();
    run.steps = std::move(session.steps());
    run.printed = std::move(session.printed());
    run.host_calls = std::move(session.host_calls());
    run.memory = session.memory();
    return run;
}

}  // namespace lanescope::host
