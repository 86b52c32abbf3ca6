#include "host/sandbox.h"

#include "host/process_tree.h"

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>

#include <asm/ioctls.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
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
#include <span>

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

// --- In the child, between fork and exec: only system calls, because other threads may hold any lock ---------------

void limit(int resource, std::uint64_t most, std::uint64_t more = 0) {
    const rlimit both{.rlim_cur = most, .rlim_max = most + more};
    setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Allows reading and executing everywhere, and all other rights that the kernel's version of Landlock handles only in
/// the scratch folder.
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
    constexpr std::uint64_t devices = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;
    const bool allowed = allow("/", reads) && allow(scratch, all & ~devices) && allow("/dev/null", writes_device);
    const bool done = allowed && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

/// Drops root's capabilities, also those that execve() would restore: the process can do what the owner of root's files
/// can do.
bool drop_capabilities() {
    // These calls may fail for a user, who has no capabilities to drop: the result of the last one counts.
    for (int right = 0; right <= CAP_LAST_CAP; ++right) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> nothing{};
    return syscall(SYS_capset, &header, nothing.data()) == 0;
}

/// A seccomp filter, as a BPF program, for the system calls of a confined program. Does not allocate.
class SystemCallFilter {
  public:
    SystemCallFilter() {
        add(load(offsetof(seccomp_data, arch)));
        add(equal(AUDIT_ARCH_X86_64, 1, 0));
        add(answer(SECCOMP_RET_KILL_PROCESS));
        add(load(offsetof(seccomp_data, nr)));
        // The x32 ABI has the same calls under other numbers.
        constexpr std::uint32_t first_of_x32 = 0x40000000;
        add({.code = BPF_JMP | BPF_JGE | BPF_K, .jt = 0, .jf = 1, .k = first_of_x32});
        add(answer(refusal));
    }
    void refuse(std::span<const int> calls) {
        for (const int call : calls) {
            add(equal(static_cast<std::uint32_t>(call), 0, 1));
            add(answer(refusal));
        }
    }
    /// Allows the call only if its first argument is this process: its id, or 0.
    void of_itself_alone(int call, pid_t self) {
        add(equal(static_cast<std::uint32_t>(call), 0, 5));
        add(load(offsetof(seccomp_data, args)));
        add(equal(0, 2, 0));
        add(equal(static_cast<std::uint32_t>(self), 1, 0));
        add(answer(refusal));
        add(answer(SECCOMP_RET_ALLOW));
    }
    /// Refuses the call if the lower half of the argument has any of these bits.
    void refuse_with_bits(int call, std::size_t argument, std::uint32_t bits) {
        add(equal(static_cast<std::uint32_t>(call), 0, 4));
        add(load(lower_half_of(argument)));
        add({.code = BPF_JMP | BPF_JSET | BPF_K, .jt = 0, .jf = 1, .k = bits});
        add(answer(refusal));
        add(answer(SECCOMP_RET_ALLOW));
    }
    /// Allows the call only with these values of its second argument.
    void with_second_argument_alone(int call, std::span<const std::uint32_t> values) {
        const auto count = static_cast<std::uint8_t>(values.size());
        add(equal(static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(count + 3)));
        add(load(lower_half_of(1)));
        for (std::uint8_t i = 0; i < count; ++i) add(equal(values[i], static_cast<std::uint8_t>(count - i), 0));
        add(answer(refusal));
        add(answer(SECCOMP_RET_ALLOW));
    }
    /// Returns ENOSYS, as a kernel without the call.
    void deny_existence(int call) {
        add(equal(static_cast<std::uint32_t>(call), 0, 1));
        add(answer(SECCOMP_RET_ERRNO | ENOSYS));
    }
    /// Empty if the filter is too long: the program then does not start.
    [[nodiscard]] std::span<const sock_filter> finish() {
        add(answer(SECCOMP_RET_ALLOW));
        return std::span(program_).first(whole_ ? size_ : 0);
    }

  private:
    static constexpr std::uint32_t refusal = SECCOMP_RET_ERRNO | EPERM;
    static sock_filter load(std::uint32_t offset) {
        return {.code = BPF_LD | BPF_W | BPF_ABS, .jt = 0, .jf = 0, .k = offset};
    }
    static sock_filter equal(std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
        return {.code = BPF_JMP | BPF_JEQ | BPF_K, .jt = yes, .jf = no, .k = value};
    }
    static sock_filter answer(std::uint32_t value) { return {.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = value}; }
    /// On this little-endian processor the lower half of an argument comes first.
    static constexpr std::uint32_t lower_half_of(std::size_t argument) {
        return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    }
    void add(const sock_filter& line) {
        whole_ = whole_ && size_ < program_.size();
        if (whole_) program_[size_++] = line;
    }

    std::array<sock_filter, 512> program_{};
    std::size_t size_ = 0;
    bool whole_ = true;
};

/// Refused with either means of confinement: sockets, which reach the display, services and the network; ptrace, which
/// stops processes, even the one that waits for the program; new namespaces, which give privileges; mounts; calls for
/// root, in case a capability is left; and memory that no process has mapped, because only mapped memory is counted.
constexpr std::array refused_everywhere{SYS_socket,
                                        SYS_connect,
                                        SYS_bind,
                                        SYS_ptrace,
                                        SYS_process_vm_readv,
                                        SYS_process_vm_writev,
                                        SYS_process_madvise,
                                        SYS_mount,
                                        SYS_umount2,
                                        SYS_pivot_root,
                                        SYS_chroot,
                                        428 /* open_tree */,
                                        429 /* move_mount */,
                                        430 /* fsopen */,
                                        431 /* fsconfig */,
                                        432 /* fsmount */,
                                        433 /* fspick */,
                                        442 /* mount_setattr */,
                                        467 /* open_tree_attr */,
                                        SYS_open_by_handle_at,
                                        SYS_settimeofday,
                                        SYS_clock_settime,
                                        SYS_adjtimex,
                                        SYS_clock_adjtime,
                                        SYS_sethostname,
                                        SYS_setdomainname,
                                        SYS_reboot,
                                        SYS_kexec_load,
                                        SYS_kexec_file_load,
                                        SYS_swapon,
                                        SYS_swapoff,
                                        SYS_acct,
                                        SYS_quotactl,
                                        443 /* quotactl_fd */,
                                        SYS_syslog,
                                        SYS_ioperm,
                                        SYS_iopl,
                                        SYS_vhangup,
                                        SYS_fanotify_init,
                                        SYS_memfd_create,
                                        447 /* memfd_secret */,
                                        SYS_shmget,
                                        SYS_unshare,
                                        SYS_setns,
                                        SYS_keyctl,
                                        SYS_add_key,
                                        SYS_request_key,
                                        SYS_bpf,
                                        SYS_perf_event_open,
                                        SYS_io_uring_setup,
                                        SYS_io_uring_enter,
                                        SYS_io_uring_register,
                                        SYS_init_module,
                                        SYS_finit_module,
                                        SYS_delete_module,
                                        SYS_pidfd_open,
                                        SYS_pidfd_getfd,
                                        SYS_userfaultfd};
/// Refused when the program has no namespaces of its own, and so can reach its user's processes and files. Landlock
/// does not handle modes, owners, times and attributes of files; a process that leaves the process group would outlive
/// the run.
constexpr std::array refused_without_name_spaces{SYS_socketpair,
                                                 SYS_kill,
                                                 SYS_tkill,
                                                 SYS_rt_sigqueueinfo,
                                                 SYS_rt_tgsigqueueinfo,
                                                 SYS_setpriority,
                                                 SYS_ioprio_set,
                                                 SYS_sched_setparam,
                                                 SYS_sched_setscheduler,
                                                 SYS_sched_setattr,
                                                 SYS_move_pages,
                                                 SYS_migrate_pages,
                                                 SYS_msgget,
                                                 SYS_semget,
                                                 SYS_mq_open,
                                                 SYS_setsid,
                                                 SYS_setpgid,
                                                 SYS_chmod,
                                                 SYS_fchmod,
                                                 SYS_fchmodat,
                                                 SYS_chown,
                                                 SYS_lchown,
                                                 SYS_fchown,
                                                 SYS_fchownat,
                                                 SYS_utime,
                                                 SYS_utimes,
                                                 SYS_futimesat,
                                                 SYS_utimensat,
                                                 SYS_setxattr,
                                                 SYS_lsetxattr,
                                                 SYS_fsetxattr,
                                                 SYS_removexattr,
                                                 SYS_lremovexattr,
                                                 SYS_fremovexattr,
                                                 SYS_pidfd_send_signal,
                                                 452 /* fchmodat2 */,
                                                 463 /* setxattrat */,
                                                 466 /* removexattrat */,
                                                 469 /* file_setattr */};
/// The ioctl requests of terminals and of any file descriptor. Others set a file's flags (FS_IOC_SETFLAGS), type into
/// the terminal (TIOCSTI), or control a device.
constexpr std::array<std::uint32_t, 8> allowed_controls{TCGETS,  TIOCGWINSZ, TIOCGPGRP, FIONREAD,
                                                        FIONBIO, FIOCLEX,    FIONCLEX,  FIOQSIZE};

void refuse_what_all_are_refused(SystemCallFilter& filter) {
    filter.refuse(refused_everywhere);
    filter.with_second_argument_alone(SYS_ioctl, allowed_controls);
    constexpr std::uint32_t name_spaces =
        CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;
    filter.refuse_with_bits(SYS_clone, 0, name_spaces);
    // The flags of clone3() are in memory, which a filter cannot read; glibc falls back to clone().
    filter.deny_existence(SYS_clone3);
}

/// The filter as a file for bubblewrap, which installs it; the file is closed when the program starts.
int filter_file() {
    SystemCallFilter filter;
    refuse_what_all_are_refused(filter);
    const std::span<const sock_filter> lines = filter.finish();
    if (lines.empty()) return -1;
    const int file = memfd_create("system calls", MFD_CLOEXEC);
    if (file < 0) return -1;
    const auto bytes = static_cast<ssize_t>(lines.size_bytes());
    if (write(file, lines.data(), lines.size_bytes()) == bytes && lseek(file, 0, SEEK_SET) == 0) return file;
    close(file);
    return -1;
}

bool filter_system_calls() {
    SystemCallFilter filter;
    refuse_what_all_are_refused(filter);
    filter.refuse(refused_without_name_spaces);
    for (const int call : {SYS_tgkill, SYS_prlimit64, SYS_sched_setaffinity}) filter.of_itself_alone(call, getpid());
    const std::span<const sock_filter> lines = filter.finish();
    const sock_fprog program{.len = static_cast<unsigned short>(lines.size()),
                             .filter = const_cast<sock_filter*>(lines.data())};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void take(int descriptor, int as) {
    if (descriptor < 0) descriptor = open("/dev/null", O_RDWR);
    if (descriptor == as)
        fcntl(descriptor, F_SETFD, 0);
    else
        dup2(descriptor, as);
}

[[noreturn]] void become(const Confined& what, Confinement how, int filter, const char* folder, const char* scratch,
                         char* const* arguments, char* const* environment, int ready, std::uint64_t most_threads) {
    // The scheduler groups processes by session, so that Lanescope gets CPU time however many processes this one has.
    setsid();
    close(ready);
    limit(RLIMIT_NPROC, most_threads);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    take(what.input, STDIN_FILENO);
    take(what.output, STDOUT_FILENO);
    take(what.errors, STDERR_FILENO);
    for (const int descriptor : what.inherited) fcntl(descriptor, F_SETFD, 0);
    if (filter >= 0) fcntl(filter, F_SETFD, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_DATA, what.limits.memory_bytes);
    limit(RLIMIT_FSIZE, what.limits.file_bytes);
    constexpr std::uint64_t to_say_where = 5;  // seconds
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(what.limits.cpu.count()), to_say_where);
    // Device memory is mapped at a fixed address, which must be free; and pictures must be reproducible.
    personality(ADDR_NO_RANDOMIZE);
    if (how == Confinement::landlock) {
        if (chdir(folder) != 0 && chdir(scratch) != 0) _exit(cannot_confine);
        if (!drop_capabilities() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !landlock(scratch) ||
            !filter_system_calls())
            _exit(cannot_confine);
    }
    execve(arguments[0], arguments, environment);
    _exit(cannot_confine);
}

// ---------------------------------------------------------------------------------------------------------------------

std::vector<std::string> bubblewrapped(const Confined& what, const std::string& bwrap, int filter) {
    const std::string scratch = what.scratch.string();
    std::vector<std::string> command{bwrap, "--unshare-all", "--die-with-parent",
                                     // Run by root, bubblewrap keeps all capabilities.
                                     "--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev",
                                     // /dev/shm is writable memory.
                                     "--remount-ro", "/dev", "--proc", "/proc"};
    // These files belong to root, and if root runs Lanescope, the program could write them.
    for (const char* settings : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"})
        command.insert(command.end(), {"--ro-bind-try", settings, settings});
    command.insert(command.end(), {"--bind", scratch, scratch, "--seccomp", std::to_string(filter), "--chdir",
                                   what.folder.string(), what.program.string()});
    command.insert(command.end(), what.arguments.begin(), what.arguments.end());
    return command;
}

std::string find_bwrap() {
    for (const char* path : {"/usr/bin/bwrap", "/usr/local/bin/bwrap"})
        if (access(path, X_OK) == 0) return path;
    return {};
}

/// Whether a trial program starts with this confinement and exits with status 0.
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
    if (how == Confinement::none) {
        errno = ENOTSUP;
        return -1;
    }
    std::vector<std::string> command{what.program.string()};
    command.insert(command.end(), what.arguments.begin(), what.arguments.end());
    int filter = -1;
    if (how == Confinement::bubblewrap) {
        filter = filter_file();
        if (filter < 0) return -1;
        command = bubblewrapped(what, find_bwrap(), filter);
    }
    const std::string folder = what.folder.string(), scratch = what.scratch.string();
    const std::vector<char*> arguments = pointers_to(command);
    const std::vector<char*> environment = pointers_to(what.environment);
    // RLIMIT_NPROC counts all threads of the user, and does not apply to root (setrlimit(2)).
    const std::uint64_t most_threads = threads_of_machine() + 2 * what.limits.processes;
    std::array<int, 2> ready{-1, -1};
    if (pipe2(ready.data(), O_CLOEXEC) != 0) {
        if (filter >= 0) close(filter);
        return -1;
    }
    const pid_t process = fork();
    if (process == 0) {
        close(ready[0]);
        become(what, how, filter, folder.c_str(), scratch.c_str(), arguments.data(), environment.data(), ready[1],
               most_threads);
    }
    close(ready[1]);
    // Wait until the child has its own process group: kill() addresses the group.
    char nothing = 0;
    while (read(ready[0], &nothing, 1) < 0 && errno == EINTR) {
    }
    close(ready[0]);
    if (filter >= 0) close(filter);
    return process;
}

}  // namespace lanescope::host
