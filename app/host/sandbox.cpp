#include "host/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace lanescope::host {

namespace {

constexpr int cannot_confine = 126;

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// --- In the child, between fork and exec: system calls alone, for other threads may hold any lock ------------------

void limit(int resource, std::uint64_t most, std::uint64_t more = 0) {
    const rlimit both{.rlim_cur = most, .rlim_max = most + more};
    setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Reading and executing anywhere, all else below the scratch folder. Everything that the kernel's version of Landlock
/// handles is refused elsewhere.
bool landlock(const char* scratch) {
    const auto version =
        static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
    if (version < 1) return false;
    constexpr std::uint64_t reads =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    constexpr std::uint64_t first_version_rights = (std::uint64_t{LANDLOCK_ACCESS_FS_MAKE_SYM} << 1U) - 1;
    std::uint64_t all = first_version_rights;
    if (version >= 2) all |= std::uint64_t{1} << 13U;  // LANDLOCK_ACCESS_FS_REFER
    if (version >= 3) all |= std::uint64_t{1} << 14U;  // LANDLOCK_ACCESS_FS_TRUNCATE
    landlock_ruleset_attr ruleset{};
    ruleset.handled_access_fs = all;
    const auto rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0));
    if (rules < 0) return false;
    const auto allow = [&](const char* path, std::uint64_t rights) {
        landlock_path_beneath_attr rule{};
        rule.allowed_access = rights;
        rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
        if (rule.parent_fd < 0) return false;
        const bool done = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
        close(rule.parent_fd);
        return done;
    };
    constexpr std::uint64_t writes_device = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    const bool allowed = allow("/", reads) && allow(scratch, all) && allow("/dev/null", writes_device);
    const bool done = allowed && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

/// No sockets but Unix ones that are there already, no other process touched, no new privileges by name spaces.
bool filter_system_calls() {
    constexpr auto load = [](std::uint32_t offset) {
        return sock_filter{.code = BPF_LD | BPF_W | BPF_ABS, .jt = 0, .jf = 0, .k = offset};
    };
    constexpr auto equal = [](std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
        return sock_filter{.code = BPF_JMP | BPF_JEQ | BPF_K, .jt = yes, .jf = no, .k = value};
    };
    constexpr auto answer = [](std::uint32_t value) {
        return sock_filter{.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = value};
    };
    constexpr std::array refused{SYS_socket,
                                 SYS_socketpair,
                                 SYS_connect,
                                 SYS_bind,
                                 SYS_ptrace,
                                 SYS_process_vm_readv,
                                 SYS_process_vm_writev,
                                 SYS_kill,
                                 SYS_tkill,
                                 SYS_mount,
                                 SYS_umount2,
                                 SYS_unshare,
                                 SYS_setns,
                                 SYS_keyctl,
                                 SYS_add_key,
                                 SYS_bpf,
                                 SYS_perf_event_open,
                                 SYS_io_uring_setup,
                                 SYS_init_module,
                                 SYS_finit_module,
                                 SYS_pidfd_open,
                                 SYS_pidfd_getfd,
                                 SYS_shmget,
                                 SYS_msgget,
                                 SYS_semget,
                                 SYS_mq_open,
                                 SYS_userfaultfd};
    std::array<sock_filter, 6 + 2 * refused.size()> program{};
    std::size_t at = 0;
    program[at++] = load(offsetof(seccomp_data, arch));
    program[at++] = equal(AUDIT_ARCH_X86_64, 1, 0);
    program[at++] = answer(SECCOMP_RET_KILL_PROCESS);
    program[at++] = load(offsetof(seccomp_data, nr));
    for (const long call : refused) {
        program[at++] = equal(static_cast<std::uint32_t>(call), 0, 1);
        program[at++] = answer(SECCOMP_RET_ERRNO | EPERM);
    }
    program[at++] = answer(SECCOMP_RET_ALLOW);
    const sock_fprog filter{.len = static_cast<unsigned short>(at), .filter = program.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

void take(int descriptor, int as) {
    if (descriptor < 0) descriptor = open("/dev/null", O_RDWR);
    if (descriptor == as)
        fcntl(descriptor, F_SETFD, 0);
    else
        dup2(descriptor, as);
}

[[noreturn]] void become(const Confined& what, Confinement how, const char* folder, const char* scratch,
                         char* const* arguments, char* const* environment) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    take(what.input, STDIN_FILENO);
    take(what.output, STDOUT_FILENO);
    take(what.errors, STDERR_FILENO);
    for (const int descriptor : what.inherited) fcntl(descriptor, F_SETFD, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_DATA, what.limits.memory_bytes);
    limit(RLIMIT_FSIZE, what.limits.file_bytes);
    constexpr std::uint64_t to_say_where = 5;  // seconds
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(what.limits.cpu.count()), to_say_where);
    // Device memory lies at an address that must be free, and pictures shall not depend on chance.
    personality(ADDR_NO_RANDOMIZE);
    if (how == Confinement::landlock) {
        if (chdir(folder) != 0 && chdir(scratch) != 0) _exit(cannot_confine);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !landlock(scratch) || !filter_system_calls())
            _exit(cannot_confine);
    }
    execve(arguments[0], arguments, environment);
    _exit(cannot_confine);
}

// ---------------------------------------------------------------------------------------------------------------------

std::vector<std::string> bubblewrapped(const Confined& what, const std::string& bwrap) {
    const std::string scratch = what.scratch.string();
    std::vector<std::string> command{bwrap,
                                     "--unshare-all",
                                     "--die-with-parent",
                                     "--new-session",
                                     "--ro-bind",
                                     "/",
                                     "/",
                                     "--dev",
                                     "/dev",
                                     "--proc",
                                     "/proc",
                                     "--bind",
                                     scratch,
                                     scratch,
                                     "--chdir",
                                     what.folder.string(),
                                     what.program.string()};
    command.insert(command.end(), what.arguments.begin(), what.arguments.end());
    return command;
}

std::string find_bwrap() {
    for (const char* path : {"/usr/bin/bwrap", "/usr/local/bin/bwrap"})
        if (access(path, X_OK) == 0) return path;
    return {};
}

/// Does a program start so, and end by itself?
bool works(Confinement how) {
    std::error_code error;
    const Confined trial{.program = "/bin/true",
                         .arguments = {},
                         .folder = "/",
                         .scratch = std::filesystem::temp_directory_path(error),
                         .environment = {},
                         .inherited = {},
                         .limits = {}};
    if (how == Confinement::bubblewrap && find_bwrap().empty()) return false;
    const int process = start_confined(trial, how);
    int status = 1;
    return process > 0 && waitpid(process, &status, 0) == process && status == 0;
}

}  // namespace

std::string_view name_of(Confinement confinement) {
    switch (confinement) {
        case Confinement::bubblewrap: return "bubblewrap";
        case Confinement::landlock: return "Landlock and seccomp";
        case Confinement::none: break;
    }
    return "nothing";
}

Problem no_confinement() {
    return {.what = "host code cannot run: this system has no sandbox",
            .where = {},
            .remedy = "Install bubblewrap, or use a kernel with Landlock (5.13 or later)."};
}

std::vector<Confinement> confinements() {
    std::vector<Confinement> working;
    for (const Confinement how : {Confinement::bubblewrap, Confinement::landlock})
        if (works(how)) working.push_back(how);
    return working;
}

Confinement confinement() {
    static const Confinement found = [] {
        const char* wanted = std::getenv("LANESCOPE_SANDBOX");
        if (wanted != nullptr && std::strcmp(wanted, "landlock") == 0)
            return works(Confinement::landlock) ? Confinement::landlock : Confinement::none;
        if (works(Confinement::bubblewrap)) return Confinement::bubblewrap;
        if (wanted != nullptr && std::strcmp(wanted, "bubblewrap") == 0) return Confinement::none;
        return works(Confinement::landlock) ? Confinement::landlock : Confinement::none;
    }();
    return found;
}

int start_confined(const Confined& what, Confinement how) {
    std::vector<std::string> command{what.program.string()};
    command.insert(command.end(), what.arguments.begin(), what.arguments.end());
    if (how == Confinement::bubblewrap) command = bubblewrapped(what, find_bwrap());
    const std::string folder = what.folder.string(), scratch = what.scratch.string();
    const std::vector<char*> arguments = pointers_to(command);
    const std::vector<char*> environment = pointers_to(what.environment);
    if (how == Confinement::none) {
        errno = ENOTSUP;
        return -1;
    }
    const pid_t process = fork();
    if (process == 0) become(what, how, folder.c_str(), scratch.c_str(), arguments.data(), environment.data());
    if (process > 0) setpgid(process, process);  // whichever of the two is first
    return process;
}

}  // namespace lanescope::host
