// The table of device limits: its rows, and how they are looked up.
#include "model/device_limits.h"
#include "model/model.h"

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

TEST(DeviceLimits, RowsAreSortedAndConsistent) {
    unsigned before = 0;
    for (const DeviceLimits& row : device_limits()) {
        SCOPED_TRACE(row.capability);
        EXPECT_LT(before, row.capability);
        before = row.capability;
        EXPECT_LE(row.threads_per_block, row.threads());
        EXPECT_LE(row.static_shared_bytes, row.shared_bytes_per_block);
        EXPECT_EQ(row.shared_bytes_per_block + row.reserved_shared_bytes, row.shared_bytes);
        EXPECT_LE(row.registers_per_block, row.registers);
        EXPECT_EQ(row.banks, row.bank_lanes);
    }
}

TEST(DeviceLimits, AreFoundByCapabilityOrTheNearestBelow) {
    EXPECT_EQ(limits_of(90).capability, 90U);
    EXPECT_EQ(limits_of(102).capability, 100U);
    EXPECT_EQ(limits_of(130).capability, 121U);
    EXPECT_EQ(limits_of(13).capability, 10U);
    EXPECT_EQ(limits_of(60).capability, 75U);
    EXPECT_EQ(limits_of(0).capability, 75U);
}

TEST(DeviceLimits, SayHowManyBlocksAreResident) {
    const DeviceLimits& h200 = limits_of(90);
    EXPECT_EQ(h200.resident_blocks(256), 8U);
    EXPECT_EQ(h200.resident_blocks(1), 32U) << "the limit of blocks";
    EXPECT_EQ(h200.resident_blocks(1024), 2U);
    EXPECT_EQ(h200.resident_blocks(33), 32U) << "a warp that is not full counts as one";
    EXPECT_EQ(h200.resident_blocks(32, 100 << 10), 2U) << "shared memory, with what the system reserves for each block";
    EXPECT_EQ(h200.resident_blocks(32, 113 << 10), 2U);
    EXPECT_EQ(h200.resident_blocks(32, 114 << 10), 1U);
    EXPECT_EQ(limits_of(75).resident_blocks(256), 4U);
}

TEST(DeviceLimits, OfTheEmulatedDeviceCanBeReplacedForATest) {
    EXPECT_EQ(emulated_device().capability, 90U);
    {
        DeviceLimits other = limits_of(90);
        other.threads_per_block = 96;
        const EmulateDevice device(other);
        EXPECT_EQ(emulated_device().threads_per_block, 96U);
    }
    EXPECT_EQ(emulated_device().threads_per_block, 1024U);
}

TEST(GpuModels, AreFoundInTheNamesOfDevicesAsWords) {
    ASSERT_NE(gpu_model_of("NVIDIA B200"), nullptr);
    EXPECT_EQ(gpu_model_of("NVIDIA B200")->capability, 100U);
    EXPECT_EQ(gpu_model_of("NVIDIA H200 NVL")->capability, 90U);
    EXPECT_EQ(gpu_model_of("NVIDIA GH200 480GB"), nullptr);
    EXPECT_TRUE(is_emulated_gpu("NVIDIA H200"));
    EXPECT_FALSE(is_emulated_gpu("NVIDIA GH200 480GB"));
    EXPECT_FALSE(is_emulated_gpu("NVIDIA GB200"));
}

TEST(BankModel, IsTheDevices) {
    EXPECT_EQ(BankModel::of(32), BankModel{});
    EXPECT_EQ(BankModel::of(16), BankModel::compute_capability_1());
    EXPECT_EQ(BankModel::of(16), (BankModel{.banks = 16, .word_bytes = 4, .group = 16}));
}

}  // namespace
}  // namespace lanescope::model
