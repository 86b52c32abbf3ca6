// One program for the tests of host/: the first argument selects a mode. Lines that tests refer to are marked.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <cuda_runtime.h>

__constant__ int offsets[4];

__global__ void add_one(int* values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1 + offsets[0] - offsets[0];
}

__global__ void __launch_bounds__(128) narrow(int* values, int n) { values[0] = n; }

struct DeviceInts {
    explicit DeviceInts(int n) : n(n) { cudaMalloc(&data, n * sizeof(int)); }
    ~DeviceInts() { cudaFree(data); }
    int n;
    int* data = nullptr;
};

void run(int* values, int n)
{
    add_one<<<(n + 63) / 64, 64>>>(values, n);  // LINE launch
}

static int plain()
{
    const int n = 100;
    std::vector<int> host(n, 41);
    DeviceInts device(n);
    std::cout << "before" << std::endl;
    cudaMemcpy(device.data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);  // LINE copy
    run(device.data, n);
    cudaMemcpy(host.data(), device.data, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("host[%d] = %d\n", n - 1, host[n - 1]);
    return 0;
}

static int managed(bool synchronize)
{
    int* values;
    cudaMallocManaged(&values, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) values[i] = i;
    add_one<<<1, 64>>>(values, 64);
    if (synchronize) cudaDeviceSynchronize();
    printf("%d\n", values[63]);  // LINE unsynchronized
    cudaFree(values);
    return 0;
}

static int graph()
{
    DeviceInts device(64);
    cudaMemset(device.data, 0, 64 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add_one<<<1, 64, 0, stream>>>(device.data, 64);
    add_one<<<1, 64, 0, stream>>>(device.data, 64);
    cudaGraph_t captured;
    cudaStreamEndCapture(stream, &captured);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, captured, 0);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, stream);
    int value = 0;
    cudaMemcpyAsync(&value, device.data + 63, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(captured);
    cudaStreamDestroy(stream);
    printf("%d\n", value);
    return 0;
}

static int symbols()
{
    const int values[4] = {1, 2, 3, 4};
    cudaMemcpyToSymbol(offsets, values, sizeof values);
    int back[2];
    cudaMemcpyFromSymbol(back, offsets, sizeof back, sizeof back);
    printf("%d %d\n", back[0], back[1]);
    return cudaMemcpyToSymbol(offsets, values, sizeof values, 4) == cudaErrorInvalidValue ? 0 : 1;
}

static int pitched()
{
    int* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 10 * sizeof(int), 3);
    int host[3][10], back[3][10];
    for (int i = 0; i < 30; ++i) host[i / 10][i % 10] = i;
    cudaMemcpy2D(rows, pitch, host, sizeof host[0], sizeof host[0], 3, cudaMemcpyHostToDevice);
    cudaMemcpy2D(back, sizeof back[0], rows, pitch, sizeof back[0], 3, cudaMemcpyDeviceToHost);
    cudaFree(rows);
    printf("%s\n", std::memcmp(host, back, sizeof host) == 0 ? "same" : "different");
    return 0;
}

// A slice of a 3-D array, moved by one column and one row into a 2-D one, and a copy past its end.
static int arrays()
{
    const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<float2>();
    cudaArray_t volume, plane;
    cudaMalloc3DArray(&volume, &pairs, make_cudaExtent(6, 4, 3));
    cudaMallocArray(&plane, &pairs, 8, 5);
    float2 host[3][4][6], back[4][6];
    for (int i = 0; i < 72; ++i) host[i / 24][i / 6 % 4][i % 6] = make_float2(i, -i);
    cudaMemcpy3DParms fill = {};
    fill.srcPtr = make_cudaPitchedPtr(host, sizeof host[0][0], 6, 4);
    fill.dstArray = volume;
    fill.extent = make_cudaExtent(6, 4, 3);
    fill.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&fill);
    cudaMemcpy3DParms move = {};
    move.srcArray = volume;
    move.srcPos = make_cudaPos(0, 0, 2);
    move.dstArray = plane;
    move.dstPos = make_cudaPos(1, 1, 0);
    move.extent = make_cudaExtent(6, 4, 1);
    move.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&move);
    cudaMemcpy2DFromArray(back, sizeof back[0], plane, sizeof(float2), 1, sizeof back[0], 4, cudaMemcpyDeviceToHost);
    cudaExtent extent;
    cudaArrayGetInfo(nullptr, &extent, nullptr, plane);
    const cudaError_t past = cudaMemcpy2DToArray(plane, 3 * sizeof(float2), 0, back, sizeof back[0], sizeof back[0], 1,
                                                 cudaMemcpyHostToDevice);
    printf("%s %d %d, %s\n", std::memcmp(host[2], back, sizeof back) == 0 ? "same" : "different", int(extent.width),
           int(extent.height), cudaGetErrorName(past));
    cudaFreeArray(volume);
    cudaFreeArray(plane);
    printf("%s\n", cudaGetErrorName(cudaGetChannelDesc(nullptr, plane)));
    return 0;
}

static int events()
{
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    DeviceInts device(64);
    cudaEventRecord(start);
    run(device.data, 64);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, stop);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    printf("%.4f\n", milliseconds);
    return 0;
}

static void show(const char* what, cudaError_t error) { printf("%s %s\n", what, cudaGetErrorName(error)); }

static int attribute(cudaDeviceAttr which)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

static int device_limits()
{
    cudaDeviceProp has;
    cudaGetDeviceProperties(&has, 0);
    printf("%d.%d: %d threads a block\n", has.major, has.minor, has.maxThreadsPerBlock);
    printf("block %dx%dx%d", has.maxThreadsDim[0], has.maxThreadsDim[1], has.maxThreadsDim[2]);
    printf(" and %dx%dx%d\n", attribute(cudaDevAttrMaxBlockDimX), attribute(cudaDevAttrMaxBlockDimY),
           attribute(cudaDevAttrMaxBlockDimZ));
    printf("grid %dx%dx%d", has.maxGridSize[0], has.maxGridSize[1], has.maxGridSize[2]);
    printf(" and %dx%dx%d\n", attribute(cudaDevAttrMaxGridDimX), attribute(cudaDevAttrMaxGridDimY),
           attribute(cudaDevAttrMaxGridDimZ));
    size_t stack = 0, heap = 0, text = 0;
    cudaDeviceGetLimit(&stack, cudaLimitStackSize);
    cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
    cudaDeviceGetLimit(&text, cudaLimitPrintfFifoSize);
    printf("stack %zu, heap %zu, printf %zu\n", stack, heap, text);
    cudaFuncAttributes kernel;
    cudaFuncGetAttributes(&kernel, add_one);
    printf("kernel %d\n", kernel.maxThreadsPerBlock);
    DeviceInts ints(1);
    add_one<<<1, 1024>>>(ints.data, 1);
    show("1024 threads", cudaGetLastError());
    add_one<<<dim3(1, 65536), 1>>>(ints.data, 1);
    show("65536 rows", cudaGetLastError());
    add_one<<<dim3(1, 1, 2), 1>>>(ints.data, 1);
    show("2 layers", cudaGetLastError());
    return 0;
}

static int errors()
{
    DeviceInts device(64);
    add_one<<<1, 2048>>>(device.data, 64);
    show("threads", cudaGetLastError());
    show("cleared", cudaGetLastError());
    narrow<<<1, 256>>>(device.data, 64);
    show("bounds", cudaGetLastError());
    add_one<<<1, 64, 100000>>>(device.data, 64);
    show("shared", cudaGetLastError());
    cudaFuncSetAttribute(add_one, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    add_one<<<1, 64, 100000>>>(device.data, 64);
    show("opted in", cudaGetLastError());
    show("device", cudaSetDevice(7));
    cudaGetLastError();
    return 0;
}

static cudaError_t returns_it(void* pointer) { return cudaFree(pointer); }

/// Each error is looked at, in one way or another.
static int checked_errors()
{
    int host = 0;
    cudaError_t kept = cudaFree(&host);
    if (cudaFree(&host) == cudaSuccess) return 1;
    if (returns_it(&host)) kept = cudaErrorUnknown;
    switch (cudaFree(&host)) {
        case cudaSuccess: return 2;
        default: break;
    }
    const bool failed = cudaFree(&host) != cudaSuccess;
    printf("%s %d\n", cudaGetErrorString(cudaFree(&host)), failed);
    add_one<<<1, 2048>>>(nullptr, 1);
    cudaFree(&host);
    if (cudaGetLastError() == cudaSuccess) return 3;
    return kept == cudaSuccess;
}

static int managed_after_free()
{
    int* values;
    cudaMallocManaged(&values, 64 * sizeof(int));
    values[0] = 1;
    cudaFree(values);
    return values[0];  // LINE managed-after-free
}

static int host_overrun()
{
    DeviceInts device(64);
    std::vector<int> host(60, 1);
    cudaMemcpy(device.data, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);  // LINE host-overrun
    return 0;
}

static int memory_limit()
{
    std::vector<char*> blocks;
    for (int i = 0; i < 64; ++i) {
        char* block = static_cast<char*>(malloc(64 << 20));
        if (block == nullptr) {
            printf("refused after %d\n", i);
            return 0;
        }
        std::memset(block, 1, 64 << 20);
        blocks.push_back(block);
    }
    printf("4 GiB were given\n");
    return 1;
}

/// Past the limits of a process in sum: memory that two share, and the time of processes that come one after the other.
static int shared_memory()
{
    constexpr size_t bytes = size_t{1} << 30;
    void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 0;
    memset(shared, 1, bytes);
    pause();
    return 0;
}

static int many_children()
{
    while (true) {
        if (fork() == 0) {
            while (clock() < CLOCKS_PER_SEC / 4) {}
            _exit(0);
        }
        wait(nullptr);
    }
}

static int crowd()
{
    for (int i = 0; i < 200; ++i) {
        if (fork() == 0) {
            sleep(20);
            _exit(0);
        }
    }
    while (wait(nullptr) > 0) {}
    return 0;
}

static int files(const char* outside)
{
    std::ofstream inside(std::string(getenv("TMPDIR")) + "/mine.txt");
    inside << "text";
    inside.close();
    printf("inside %s\n", inside.good() ? "written" : "refused");
    FILE* nameless = tmpfile();
    printf("nameless %s\n", nameless != nullptr && fputs("text", nameless) >= 0 && fclose(nameless) == 0 ? "written"
                                                                                                     : "refused");
    std::ofstream beyond(outside);
    beyond << "text";
    beyond.close();
    printf("outside %s\n", beyond.good() ? "written" : "refused");
    std::ofstream home("/root/lanescope-was-here");
    printf("home %s\n", home.good() ? "written" : "refused");
    printf("removed %s\n", unlink(outside) == 0 ? "yes" : "no");
    std::ifstream in("beside.txt");
    std::string word;
    in >> word;
    printf("beside %s\n", word.c_str());
    return 0;
}

static int network()
{
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(1);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // A refusal by the remote machine means that the network was reached.
    const bool reached =
        descriptor >= 0 && (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    printf("socket %s, connection %s\n", descriptor >= 0 ? "given" : "refused", reached ? "made" : "refused");
    return 0;
}

static int deep(int n) { volatile int kept[64] = {}; kept[n & 63] = n; return deep(n + 1) + kept[n & 62]; }  // LINE deep

static int smash(int n)
{
    int kept[8] = {};
    for (int i = 0; i < 60 + n; ++i) kept[i] = i;
    return kept[n & 7];
}  // LINE smash

static int copy_over_frame(const int* device)
{
    int kept[8] = {};
    cudaMemcpy(kept, device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();  // the callers of this call cannot be read
    return kept[3];
}  // LINE copy-over-frame

static int large_frame(int n)
{  // LINE large-frame
    volatile int kept[16 << 20];
    kept[n] = n;
    return kept[n];
}

/// More output than is kept; none that anybody reads; a child that does not end.
int leave_output(const std::string& mode)
{
    const std::string line(1000, 'x');
    for (int i = 0; mode == "flood" && i < 40'000; ++i) puts(line.c_str());
    if (mode == "close") close(STDOUT_FILENO), close(STDERR_FILENO);
    if (mode == "fork" && fork() == 0)
        while (true) pause();
    int* device = nullptr;
    cudaMalloc(&device, sizeof(int));
    if (mode == "child" && fork() == 0) {
        printf("child %s\n", cudaGetErrorName(cudaMemset(device, 0, sizeof(int))));
        exit(0);
    }
    if (mode == "child") wait(nullptr);
    for (int i = 0; mode == "close-all" && i < 100; ++i) close(i);
    const std::string nonsense(4096, '\xff');
    for (int i = 3; mode == "write-all" && i < 100; ++i)
        if (write(i, nonsense.data(), nonsense.size()) < 0) continue;
    puts("parent");
    cudaFree(device);
    return 0;
}

void attempt(const char* what, long result) { printf("%s %s\n", what, result == -1 ? "refused" : "done"); }

/// Attempts to leave the sandbox: to another process, to a file of the same user, and to a service by its socket.
int escape(int process, const char* file)
{
    attempt("socket", socket(AF_UNIX, SOCK_STREAM, 0));
    attempt("signal to a thread", syscall(SYS_tgkill, process, process, SIGKILL));
    siginfo_t info{};
    info.si_code = SI_QUEUE;
    attempt("queued signal", syscall(SYS_rt_sigqueueinfo, process, SIGKILL, &info));
    attempt("trace", ptrace(PTRACE_ATTACH, process, nullptr, nullptr));
    attempt("trace of the first", ptrace(PTRACE_ATTACH, 1, nullptr, nullptr));
    const rlimit low{1, 1};
    attempt("limit", syscall(SYS_prlimit64, process, RLIMIT_CPU, &low, nullptr));
    attempt("priority", setpriority(PRIO_PROCESS, process, 19));
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    attempt("processors", sched_setaffinity(process, sizeof first, &first));
    attempt("mode", chmod(file, 0777));
    attempt("times", utimensat(AT_FDCWD, file, nullptr, 0));
    attempt("attribute", setxattr(file, "user.harmed", "1", 1, 0));
    const struct { const char* value; unsigned size, flags; } text{"1", 1, 0};
    attempt("attribute by its newer call", syscall(463 /* setxattrat */, AT_FDCWD, file, 0, "user.harmed", &text, 16));
    const int opened = open(file, O_RDONLY);
    int flags = 0x40;  // FS_NODUMP_FL
    attempt("flags of a file", ioctl(opened, FS_IOC_SETFLAGS, &flags));
    const struct { unsigned long long set, clear, propagation, space; } writable{0, 1, 0, 0};  // MOUNT_ATTR_RDONLY
    attempt("writable mount", syscall(442 /* mount_setattr */, AT_FDCWD, "/", 0, &writable, sizeof writable));
    attempt("tree of mounts", syscall(428 /* open_tree */, AT_FDCWD, "/", 1));
    attempt("new file system", syscall(430 /* fsopen */, "tmpfs", 0));
    attempt("name spaces", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    attempt("time", syscall(SYS_settimeofday, nullptr, nullptr));
    attempt("name of the machine", sethostname("harmed", 6));
    attempt("device", mknod("device", S_IFBLK | 0600, makedev(7, 0)));
    attempt("settings", open("/proc/sys/vm/swappiness", O_WRONLY));
    attempt("settings of processes", open("/proc/sys/kernel/core_pattern", O_WRONLY));
    attempt("memory in /dev/shm", open("/dev/shm/lanescope-was-here", O_CREAT | O_WRONLY, 0600));
    attempt("memory that is not mapped", syscall(SYS_memfd_create, "m", 0));
    attempt("other numbers", syscall(SYS_getpid | 0x40000000));
    rlimit own{};
    printf("own limit %s\n", getrlimit(RLIMIT_CPU, &own) == 0 ? "read" : "not read");
    return 0;
}

/// A child that leaves session and process group, so as to outlive the run.
int survive()
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            for (int i = 0; i < 600; ++i) usleep(100'000);
            _exit(0);
        }
        _exit(0);
    }
    printf("parent\n");
    return 0;
}

int main(int argc, char** argv)
{
    const std::string mode = argc > 1 ? argv[1] : "plain";
    if (mode == "plain") return plain();
    if (mode == "managed") return managed(true);
    if (mode == "unsynchronized") return managed(false);
    if (mode == "graph") return graph();
    if (mode == "symbols") return symbols();
    if (mode == "pitched") return pitched();
    if (mode == "arrays") return arrays();
    if (mode == "events") return events();
    if (mode == "errors") return errors();
    if (mode == "device") return device_limits();
    if (mode == "memory") return memory_limit();
    if (mode == "shared-memory") return shared_memory();
    if (mode == "many-children") return many_children();
    if (mode == "crowd") return crowd();
    if (mode == "files") return files(argv[2]);
    if (mode == "network") return network();
    if (mode == "exit") return 3;
    if (mode == "abort") abort();
    if (mode == "flood" || mode == "close" || mode == "close-all" || mode == "write-all" || mode == "fork" ||
        mode == "child")
        return leave_output(mode);
    if (mode == "kill") return kill(getppid(), SIGKILL) == 0 ? 0 : 1;
    if (mode == "kill-number") return kill(atoi(argv[2]), SIGKILL) == 0 ? 0 : 1;
    if (mode == "escape") return escape(atoi(argv[2]), argv[3]);
    if (mode == "survive") return survive();
    if (mode == "print-forever") printf("first\n");
    if (mode == "forever" || mode == "print-forever") for (volatile int i = 0;; i = i + 1) {}  // LINE forever
    if (mode == "echo") {
        for (int i = 2; i < argc; ++i) printf("[%s]", argv[i]);
        std::string line;
        while (std::getline(std::cin, line)) printf("<%s>", line.c_str());
        printf("\n");
        return 0;
    }
    if (mode == "name") {
        printf("%s %s\n", argv[0], program_invocation_short_name);
        return 0;
    }
    if (mode == "checked-errors") return checked_errors();
    if (mode == "managed-after-free") return managed_after_free();
    if (mode == "host-overrun") return host_overrun();
    int host[64] = {};
    int* device;
    cudaMalloc(&device, 64 * sizeof(int));  // LINE allocation
    if (mode == "past-end") cudaMemcpy(device, host, 65 * sizeof(int), cudaMemcpyHostToDevice);     // LINE past-end
    if (mode == "read-past-end") cudaMemcpy(host, device + 60, 5 * sizeof(int), cudaMemcpyDefault);  // LINE read-past-end
    if (mode == "no-allocation") cudaMemcpy(device + 64, host, sizeof(int), cudaMemcpyDefault);      // LINE no-allocation
    if (mode == "fill-past-end") cudaMemset(device + 1, 0, 64 * sizeof(int));                        // LINE fill-past-end
    if (mode == "symbol-past-end") cudaMemcpyToSymbol(offsets, host, 5 * sizeof(int));               // LINE symbol-past-end
    if (mode == "direction") cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice);          // LINE direction
    if (mode == "fill-host") cudaMemset(host, 0, sizeof host);                                       // LINE fill-host
    if (mode == "host-access") printf("%d\n", device[0]);                                            // LINE host-access
    if (mode == "host-write") device[3] = 1;                                                         // LINE host-write
    if (mode == "double-free") cudaFree(device);
    if (mode == "invalid-free") cudaFree(device + 1);  // LINE invalid-free
    if (mode == "free-of-host") cudaFree(host);        // LINE free-of-host
    if (mode == "deep") printf("%d\n", deep(argc));
    if (mode == "smash") printf("%d\n", smash(argc));
    if (mode == "copy-over-frame") {
        cudaMemset(device, 0, sizeof host);
        printf("%d\n", copy_over_frame(device));
    }
    if (mode == "large-frame") printf("%d\n", large_frame(argc));
    if (mode == "leak") return 0;
    if (mode == "launch-error") add_one<<<1, 2048>>>(device, 64);  // LINE launch-error
    cudaFree(device);  // LINE free
    if (mode == "after-free") cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);  // LINE after-free
    if (mode == "freed-host-access") host[0] = device[0];                                     // LINE freed-host-access
    return 0;
}
