// A program of data/, built and run on a machine that adds one to every element, for the tests of host/.
#pragma once

#include "host/build.h"
#include "host/device_facts.h"
#include "host/program.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanescope::host {

/// Executes only `add_one`, in C++, because the tests are about the host.
class AddingMachine : public Machine {
  public:
    DeviceFacts device() override;
    Result<void> load(std::string_view ptx) override;
    std::optional<Function> function(std::string_view name) override;
    std::optional<VariableFacts> variable(std::string_view name, const DeviceMemory& memory) override;
    bool allocate(std::uint64_t address, std::uint64_t bytes) override;
    Outcome launch(const KernelLaunch& launch, const DeviceMemory& memory) override;

    std::string ptx;
    model::DeviceLimits limits = model::emulated_device();
};

[[nodiscard]] std::filesystem::path data_folder();

/// The executable of data/modes.cu; empty where the test has failed.
[[nodiscard]] std::filesystem::path modes_program(bool sanitized = false);

/// Runs it with these arguments, on a device with these limits.
[[nodiscard]] ProgramRun run_mode(const std::vector<std::string>& arguments, const std::string& input = {},
                                  const SandboxLimits& limits = {},
                                  const model::DeviceLimits& device = model::emulated_device());

/// PTX without the white space and the comments, which fatbinary drops.
[[nodiscard]] std::string without_blanks(const std::string& ptx);

/// The line of data/modes.cu that ends with "// LINE name".
[[nodiscard]] unsigned marked_line(const std::string& name);

/// The faults of the run, oldest first.
[[nodiscard]] std::vector<ProgramStep> faults_of(const ProgramRun& run);

/// Skips a test where programs cannot be compiled or confined.
#define NEEDS_PROGRAMS()                                             \
    if (!toolchain()) GTEST_SKIP() << toolchain().error().message(); \
    if (confinement() == Confinement::none) GTEST_SKIP() << "no means to confine a program"

}  // namespace lanescope::host
