#include "base/child_process.h"

#include "base/pipe.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

// POSIX leaves this declaration to the program; only some systems have it in <unistd.h>.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace lanescope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_of_errors = 4096;

struct SpawnSettings {
    SpawnSettings() {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

}  // namespace

std::string text_of(const Ending& ending) {
    switch (ending.how) {
        case Ending::How::exited: return fmt::format("it ended with exit status {}", ending.code);
        case Ending::How::signal:
            return fmt::format("it was ended by signal {} ({})", ending.code, strsignal(ending.code));
        case Ending::How::silent: return "it stopped responding and was terminated";
        case Ending::How::killed: break;
    }
    return "it was stopped";
}

Ending ending_of(int status) {
    if (WIFSIGNALED(status)) return {.how = Ending::How::signal, .code = WTERMSIG(status)};
    return {.how = Ending::How::exited, .code = WEXITSTATUS(status)};
}

struct ChildProcess::State {
    pid_t process = -1;
    Descriptor output, errors;       // the ends that this process reads
    std::string partial;             // the last line so far, without its line end
    std::vector<std::string> whole;  // lines that lines() has not returned yet
    std::string last_errors;
    std::chrono::milliseconds longest_silence{0};
    Clock::time_point last_line = Clock::now();
    std::optional<Ending::How> killed_as;
    std::optional<Ending> ended;

    void read_all() {
        read_into(partial, output);
        split();
        read_into(last_errors, errors);
        if (last_errors.size() > kept_of_errors) last_errors.erase(0, last_errors.size() - kept_of_errors);
    }

    static void read_into(std::string& text, Descriptor& from) {
        if (from.open() && !drain(from, [&](std::string_view piece) { text += piece; })) from.close();
    }

    void split() {
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = partial.find('\n', begin)) != std::string::npos; begin = end + 1)
            whole.push_back(partial.substr(begin, end - begin));
        partial.erase(0, begin);
        if (begin > 0) last_line = Clock::now();
    }

    void stop(Ending::How how) {
        if (ended || killed_as) return;
        killed_as = how;
        // posix_spawn() returns only after the group exists.
        ::kill(-process, SIGKILL);
    }

    void watch() {
        read_all();
        if (ended) return;
        int status = 0;
        const pid_t found = waitpid(process, &status, WNOHANG);
        if (found == process) {
            read_all();  // what the process wrote just before it ended
            if (!partial.empty()) whole.push_back(std::exchange(partial, {}));
            ::kill(-process, SIGKILL);  // processes that it started
            ended = killed_as ? Ending{.how = *killed_as, .code = SIGKILL} : ending_of(status);
        } else if (longest_silence.count() > 0 && Clock::now() - last_line > longest_silence) {
            stop(Ending::How::silent);
        }
    }
};

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

ChildProcess::~ChildProcess() {
    if (!state_ || state_->ended) return;
    state_->stop(Ending::How::killed);
    waitpid(state_->process, nullptr, 0);
}

Result<ChildProcess> ChildProcess::start(const Command& command) {
    auto state = std::make_unique<State>();
    state->longest_silence = command.longest_silence;
    const auto refused = [&](int error) {
        return fail(
            fmt::format("{} cannot be started: {}", command.program.string(), std::generic_category().message(error)));
    };
    auto output = make_pipe(PipeUse::read), errors = make_pipe(PipeUse::read);
    if (!output || !errors) return refused(errno);

    SpawnSettings settings;
    posix_spawn_file_actions_addopen(&settings.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&settings.actions, output->theirs.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&settings.actions, errors->theirs.number(), STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&settings.attributes, &none);
    // The window ignores this signal; a child process must not inherit that.
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    posix_spawnattr_setsigdefault(&settings.attributes, &broken_pipe);
    posix_spawnattr_setpgroup(&settings.attributes, 0);
    posix_spawnattr_setflags(&settings.attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    const std::string program = command.program.string();
    std::vector<char*> arguments{const_cast<char*>(program.c_str())};
    for (const std::string& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const int error = posix_spawnp(&state->process, program.c_str(), &settings.actions, &settings.attributes,
                                   arguments.data(), environ);
    if (error != 0) return refused(error);
    state->output = std::move(output->ours);
    state->errors = std::move(errors->ours);
    state->last_line = Clock::now();
    return ChildProcess(std::move(state));
}

std::vector<std::string> ChildProcess::lines() {
    state_->watch();
    return std::exchange(state_->whole, {});
}

void ChildProcess::wait(std::chrono::milliseconds longest) {
    state_->watch();
    if (state_->ended || !state_->whole.empty()) return;
    std::array<pollfd, 2> ends{};
    nfds_t count = 0;
    for (const Descriptor* end : {&state_->output, &state_->errors})
        if (end->open()) ends[count++] = {.fd = end->number(), .events = POLLIN, .revents = 0};
    // With both pipes closed, poll() does not report that the process ended: check again soon.
    constexpr std::chrono::milliseconds soon{5};
    poll(ends.data(), count, static_cast<int>((count == 0 ? std::min(longest, soon) : longest).count()));
    state_->watch();
}

std::optional<Ending> ChildProcess::ending() {
    state_->watch();
    if (!state_->whole.empty()) return std::nullopt;
    return state_->ended;
}

void ChildProcess::limit_silence(std::chrono::milliseconds longest) {
    state_->longest_silence = longest;
    state_->last_line = Clock::now();
}

const std::string& ChildProcess::errors() const { return state_->last_errors; }

void ChildProcess::kill() { state_->stop(Ending::How::killed); }

std::filesystem::path own_program() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

void end_with_parent() {
    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) raise(SIGKILL);  // the parent ended before prctl()
}

bool is_installed(std::string_view program) {
    const char* const path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? std::string_view() : std::string_view(path);
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        if (!folder.empty() && access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    }
    return false;
}

}  // namespace lanescope
