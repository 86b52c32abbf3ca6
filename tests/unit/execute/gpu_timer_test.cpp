// Timing on a fake GPU: its memory is host memory, its only kernel adds 1 to every word of a buffer, and each launch
// takes 10 us.
#include "execute/gpu/ceilings.h"
#include "execute/gpu/prepared.h"
#include "execute/gpu/timer.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>

namespace lanescope::execute {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::uint64_t cache_bytes = 64;
int handle = 0;         // target of all handles but one
int delay_handle = 0;   // handle of the kernel that runs while the host enqueues launches
unsigned launches = 0;  // of the made-up kernel, since the test began
unsigned delays = 0;
std::uintptr_t register_limit = 0;                         // that some module has; 0: none
int dynamic_shared = -1;                                   // that the kernel was allowed; -1: it was not asked for
constexpr int max_registers = 0, most_dynamic_shared = 8;  // CUjit_option, CUfunction_attribute

void* memory(DeviceAddress address) { return reinterpret_cast<void*>(address); }

/// Words of the made-up kernel: its second argument.
Status add_one(void** arguments) {
    DeviceAddress at = 0;
    std::uint32_t words = 0;
    std::memcpy(&at, arguments[0], sizeof at);
    std::memcpy(&words, arguments[1], sizeof words);
    for (std::uint32_t i = 0; i < words; ++i) ++static_cast<std::uint32_t*>(memory(at))[i];
    ++launches;
    return 0;
}

Driver made_up() {
    launches = delays = 0;
    Driver driver;
    driver.error_string = [](Status, const char** text) {
        *text = "made up";
        return 0;
    };
    driver.version = [](int* version) {
        *version = 13000;
        return 0;
    };
    driver.device_count = [](int* count) {
        *count = 1;
        return 0;
    };
    driver.device = [](DeviceNumber*, int) { return 0; };
    driver.device_name = [](char* name, int, DeviceNumber) {
        *name = '\0';
        return 0;
    };
    driver.device_attribute = [](int* value, int, DeviceNumber) {
        *value = cache_bytes;
        return 0;
    };
    driver.device_memory = [](std::size_t* bytes, DeviceNumber) {
        *bytes = std::size_t{1} << 20;
        return 0;
    };
    driver.retain_context = [](ContextTag**, DeviceNumber) { return 0; };
    driver.release_context = [](DeviceNumber) { return 0; };
    driver.use_context = [](ContextTag*) { return 0; };
    driver.synchronize = [] { return 0; };
    driver.load_module = [](ModuleTag** module, const void*, unsigned options, int* names, void** values) {
        *module = reinterpret_cast<ModuleTag*>(&handle);
        for (unsigned i = 0; i < options; ++i)
            if (names[i] == max_registers) register_limit = reinterpret_cast<std::uintptr_t>(values[i]);
        return 0;
    };
    driver.set_function_attribute = [](FunctionTag*, int attribute, int value) {
        if (attribute == most_dynamic_shared) dynamic_shared = value;
        return 0;
    };
    driver.unload_module = [](ModuleTag*) { return 0; };
    driver.function = [](FunctionTag** function, ModuleTag*, const char* name) {
        *function = reinterpret_cast<FunctionTag*>(std::string(name) == "delay" ? &delay_handle : &handle);
        return 0;
    };
    driver.allocate = [](DeviceAddress* address, std::size_t bytes) {
        *address = reinterpret_cast<DeviceAddress>(std::malloc(bytes));
        std::memset(memory(*address), 0xee, bytes);
        return 0;
    };
    driver.release = [](DeviceAddress address) {
        std::free(memory(address));
        return 0;
    };
    driver.to_device = [](DeviceAddress to, const void* from, std::size_t bytes) {
        std::memcpy(memory(to), from, bytes);
        return 0;
    };
    driver.to_host = [](void* to, DeviceAddress from, std::size_t bytes) {
        std::memcpy(to, memory(from), bytes);
        return 0;
    };
    driver.copy = [](DeviceAddress to, DeviceAddress from, std::size_t bytes, StreamTag*) {
        std::memcpy(memory(to), memory(from), bytes);
        return 0;
    };
    driver.fill = [](DeviceAddress at, unsigned char value, std::size_t bytes, StreamTag*) {
        std::memset(memory(at), value, bytes);
        return 0;
    };
    driver.launch = [](FunctionTag* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       StreamTag*, void** arguments, void**) {
        if (function != reinterpret_cast<FunctionTag*>(&delay_handle)) return add_one(arguments);
        ++delays;
        return Status{0};
    };
    driver.create_event = [](EventTag** event, unsigned) {
        *event = reinterpret_cast<EventTag*>(&handle);
        return 0;
    };
    driver.destroy_event = [](EventTag*) { return 0; };
    driver.record_event = [](EventTag*, StreamTag*) { return 0; };
    driver.elapsed = [](float* milliseconds, EventTag*, EventTag*) {
        *milliseconds = 0.01F;
        return 0;
    };
    return driver;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<std::uint32_t> words_of(const std::vector<std::byte>& bytes) {
    std::vector<std::uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

/// `launches` of the kernel on one buffer of 8 words: 1 2 3 1 2 0 0 0.
GpuProgram program_of(std::size_t launches_wanted) {
    GpuProgram program{.ptx = "", .variables = {}, .buffers = {}, .launches = {}};
    program.buffers.push_back({.name = "data",
                               .element = trace::Element::u32,
                               .bytes = 32,
                               .period = bytes_of<std::uint32_t>({1, 2, 3}),
                               .filled = 20,
                               .written = true,
                               .result = true});
    const GpuLaunch launch{.kernel = "add_one",
                           .grid = {1, 1, 1},
                           .block = {8, 1, 1},
                           .dynamic_shared_bytes = 0,
                           .arguments = {{.buffer = 0, .offset = 0, .value = {}},
                                         {.buffer = {}, .offset = 0, .value = bytes_of<std::uint32_t>({8})}},
                           .writes = {}};
    program.launches.assign(launches_wanted, launch);
    return program;
}

Result<Timed> time_on(const Driver& driver, const GpuProgram& program, const TimerOptions& options) {
    auto device = Device::open(driver);
    if (!device) return std::unexpected(device.error());
    Progress progress;
    return time_program(**device, program, options, progress);
}

TEST(GpuTimer, FillsBuffersWithTheirPeriodAndZerosAndRestoresThemBeforeEachRun) {
    const auto timed = time_on(made_up(), program_of(1), {.warm_ups = 3, .samples = 4});
    ASSERT_TRUE(timed) << timed.error().message();
    EXPECT_THAT(words_of(timed->results[0]), ElementsAre(2, 3, 4, 2, 3, 1, 1, 1));
    EXPECT_THAT(timed->microseconds, SizeIs(4U));
    EXPECT_THAT(timed->microseconds, Each(testing::DoubleNear(10, 1e-3)));
    EXPECT_EQ(launches, 7U);
    EXPECT_EQ(delays, 4U) << "one a round: of three warm-ups, and of all samples";
}

/// The calls of the driver when one launch is timed.
void time_block_of(unsigned threads, bool instrumented) {
    register_limit = 0;
    GpuProgram program = program_of(1);
    program.instrumented = instrumented;
    program.launches[0].block = {threads, 1, 1};
    ASSERT_TRUE(time_on(made_up(), program, {.warm_ups = 1, .samples = 1}));
}

TEST(GpuProgram, WithInstructionsAddedTakesNoMoreRegistersThanItsBlocksHave) {
    time_block_of(1024, false);
    EXPECT_EQ(register_limit, 0U) << "what is timed is compiled as it is";
    time_block_of(1024, true);
    EXPECT_EQ(register_limit, 64U);
    time_block_of(640, true);
    EXPECT_EQ(register_limit, 96U) << "20 warps of 96 registers a thread, allocated by 256 a warp";
    time_block_of(8, true);
    EXPECT_EQ(register_limit, 255U);
}

TEST(GpuProgram, IsAllowedItsDynamicSharedMemoryBesideStaticArrays) {
    dynamic_shared = -1;
    GpuProgram program = program_of(1);
    ASSERT_TRUE(time_on(made_up(), program, {.warm_ups = 1, .samples = 1}));
    EXPECT_EQ(dynamic_shared, -1);
    program.launches[0].dynamic_shared_bytes = 48 << 10;
    ASSERT_TRUE(time_on(made_up(), program, {.warm_ups = 1, .samples = 1}));
    EXPECT_EQ(dynamic_shared, 48 << 10) << "static arrays take some of the usual 48 KB";
}

TEST(GpuTimer, CopiesTheBuffersUntilTheyFillTwiceTheCache) {
    const auto timed = time_on(made_up(), program_of(1), {.warm_ups = 1, .samples = 31});
    ASSERT_TRUE(timed);
    EXPECT_EQ(timed->copies, 2 * cache_bytes / 33 + 1);
}

TEST(GpuTimer, EndsEarlyWhereRunsTakeLongButNotBeforeTheMinimum) {
    const auto timed =
        time_on(made_up(), program_of(1), {.warm_ups = 3, .samples = 1000, .longest = 25, .least_samples = 5});
    ASSERT_TRUE(timed);
    EXPECT_GE(timed->microseconds.size(), 5U);
    EXPECT_LT(timed->microseconds.size(), 1000U);
}

TEST(GpuTimer, TimesLaunchesSeparatelyWhereTheHostWorksBetweenThem) {
    GpuProgram program = program_of(3);
    program.launches[2].writes.push_back({.buffer = 0, .offset = 4, .bytes = bytes_of<std::uint32_t>({100})});
    const auto timed = time_on(made_up(), program, {.samples = 2});
    ASSERT_TRUE(timed);
    EXPECT_THAT(timed->microseconds, Each(testing::DoubleNear(30, 1e-3))) << "three pieces of 10 us";
    EXPECT_THAT(words_of(timed->results[0]), ElementsAre(4, 101, 6, 4, 5, 3, 3, 3));
}

TEST(GpuTimer, ReportsTheErrorOfAKernelThatFailed) {
    Driver driver = made_up();
    driver.synchronize = [] { return 700; };
    const auto timed = time_on(driver, program_of(1), {});
    ASSERT_FALSE(timed);
    EXPECT_THAT(timed.error().message(), HasSubstr("illegal address (CUDA_ERROR_ILLEGAL_ADDRESS)"));
}

TEST(GpuTimer, ReportsALaunchThatTheDriverRejects) {
    Driver driver = made_up();
    driver.launch = [](FunctionTag* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       StreamTag*, void**, void**) {
        return function == reinterpret_cast<FunctionTag*>(&delay_handle) ? Status{0} : Status{701};
    };
    const auto timed = time_on(driver, program_of(1), {});
    ASSERT_FALSE(timed);
    EXPECT_THAT(timed.error().message(), HasSubstr("the GPU rejects the launch: a block needs more registers"));
}

TEST(GpuTimer, ReturnsNoSamplesWhenCancelled) {
    const auto device = Device::open(made_up());
    Progress progress;
    progress.cancel();
    const GpuProgram program = program_of(1);
    const auto timed = time_program(**device, program, {}, progress);
    ASSERT_TRUE(timed);
    EXPECT_TRUE(timed->microseconds.empty());
}

std::vector<DeviceAddress> read_from;

TEST(ReadSweep, ReadsMemoryThatIsNotInTheCache) {
    Driver driver = made_up();
    read_from.clear();
    driver.launch = [](FunctionTag*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamTag*,
                       void** arguments, void**) {
        read_from.emplace_back();
        std::memcpy(&read_from.back(), arguments[0], sizeof(DeviceAddress));
        return 0;
    };
    const auto device = Device::open(driver);
    ASSERT_TRUE(device);
    constexpr std::uint64_t bytes = 16;
    ASSERT_TRUE(time_read_sweep(**device, bytes, 3));
    const std::uint64_t regions = (*device)->facts().past_cache_bytes() / bytes;
    ASSERT_GT(read_from.size(), regions);
    for (std::size_t at = 0; at < read_from.size(); ++at)
        for (std::size_t before = at > regions ? at - regions : 0; before < at; ++before)
            EXPECT_NE(read_from[at], read_from[before]) << before << " and " << at;
}

}  // namespace
}  // namespace lanescope::execute
