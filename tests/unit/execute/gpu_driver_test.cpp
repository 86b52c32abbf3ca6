// Messages for a GPU that cannot be used: without a driver, and with a fake driver.
#include "execute/gpu/device.h"

#include <gmock/gmock.h>

#include <cstring>

namespace lanescope::execute {
namespace {

using testing::HasSubstr;

/// A fake driver with one GPU, which fails every request.
Driver made_up() {
    Driver driver;
    driver.error_string = [](Status, const char** text) {
        *text = "made up";
        return 0;
    };
    driver.version = [](int* version) {
        *version = 12040;
        return 0;
    };
    driver.device_count = [](int* count) {
        *count = 1;
        return 0;
    };
    driver.device = [](DeviceNumber* device, int) {
        *device = 0;
        return 0;
    };
    driver.device_name = [](char* name, int, DeviceNumber) {
        std::strcpy(name, "NVIDIA Made Up");
        return 0;
    };
    driver.device_attribute = [](int* value, int, DeviceNumber) {
        *value = 8;
        return 0;
    };
    driver.device_memory = [](std::size_t* bytes, DeviceNumber) {
        *bytes = 1000;
        return 0;
    };
    driver.retain_context = [](ContextTag**, DeviceNumber) { return 0; };
    driver.release_context = [](DeviceNumber) { return 0; };
    driver.use_context = [](ContextTag*) { return 0; };
    driver.allocate = [](DeviceAddress*, std::size_t) { return 2; };
    driver.load_module = [](ModuleTag**, const void*, unsigned, int*, void** values) {
        std::strcpy(static_cast<char*>(values[0]), "Unsupported .version 9.0");
        return 222;
    };
    return driver;
}

TEST(GpuDriver, ReportsThatTheLibraryIsMissing) {
    const auto driver = Driver::load("libno-such-driver.so");
    ASSERT_FALSE(driver);
    EXPECT_THAT(driver.error().message(), HasSubstr("no NVIDIA driver"));
    EXPECT_THAT(driver.error().message(), HasSubstr("install its driver"));
}

TEST(GpuDriver, RefusesAnotherLibrary) {
    const auto driver = Driver::load("libm.so.6");
    ASSERT_FALSE(driver);
    EXPECT_THAT(driver.error().message(), HasSubstr("the function cuInit is missing"));
}

TEST(GpuDevice, ReportsThatThereIsNoGpu) {
    Driver driver = made_up();
    driver.device_count = [](int* count) {
        *count = 0;
        return 0;
    };
    const auto device = Device::open(driver);
    ASSERT_FALSE(device);
    EXPECT_THAT(device.error().message(), HasSubstr("finds no GPU"));
}

TEST(GpuDevice, ReportsItsFacts) {
    const auto device = Device::open(made_up());
    ASSERT_TRUE(device);
    EXPECT_EQ((*device)->facts().name, "NVIDIA Made Up");
    EXPECT_EQ((*device)->facts().arch, 88U);
    EXPECT_EQ((*device)->facts().memory_bytes, 1000U);
}

TEST(GpuDevice, NamesTheAllocationThatFails) {
    const auto device = Device::open(made_up());
    ASSERT_TRUE(device);
    const auto memory = DeviceMemory::allocate(**device, 4096);
    ASSERT_FALSE(memory);
    EXPECT_THAT(memory.error().message(),
                HasSubstr("cannot allocate 4,096 bytes: out of memory (CUDA_ERROR_OUT_OF_MEMORY)"));
}

TEST(GpuModule, ReportsTheWordsOfADriverThatIsTooOld) {
    const auto device = Device::open(made_up());
    ASSERT_TRUE(device);
    const auto module = DeviceModule::load(**device, ".version 9.0");
    ASSERT_FALSE(module);
    EXPECT_THAT(module.error().message(), HasSubstr("Unsupported .version 9.0"));
    EXPECT_THAT(module.error().message(), HasSubstr("Update the NVIDIA driver"));
}

}  // namespace
}  // namespace lanescope::execute
