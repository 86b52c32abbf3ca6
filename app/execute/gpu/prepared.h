// A program on the device: its module, copies of its buffers, and their initial contents.
#pragma once

#include "execute/gpu/device.h"
#include "execute/gpu/program.h"

#include <functional>
#include <set>
#include <vector>

namespace lanescope::execute {

class Prepared {
  public:
    /// Enough copies to exceed the cache; one if the runs are not timed.
    enum class Copies : std::uint8_t { past_cache, one };
    /// `program` must outlive it. Fails if the device cannot run the program.
    [[nodiscard]] static Result<Prepared> make(const Device& device, const GpuProgram& program,
                                               Copies copies = Copies::past_cache);

    [[nodiscard]] unsigned copies() const { return static_cast<unsigned>(copies_.size()); }
    [[nodiscard]] std::uint64_t bytes_of_copy() const { return bytes_; }

    /// Restores the initial contents of all memory that launches may have written. Does not wait.
    [[nodiscard]] Result<void> restore(unsigned copy) const;
    [[nodiscard]] Result<void> restore_variables() const;

    /// Queues launch `index` without waiting; the host writes before it must be complete.
    [[nodiscard]] Result<void> launch(std::size_t index, unsigned copy) const;
    /// Performs the host's writes before launch `index`, after waiting for the launches before them.
    [[nodiscard]] Result<void> write(std::size_t index, unsigned copy) const;

    /// The results of a copy, by buffer.
    [[nodiscard]] Result<std::vector<std::vector<std::byte>>> results(unsigned copy) const;

    [[nodiscard]] DeviceModule::Variable variable(const std::string& name) const { return module_.variable(name); }
    [[nodiscard]] bool uses(std::uint32_t buffer) const {
        return used_.contains(buffer);
    }  ///< some launch has it as an argument
    [[nodiscard]] DeviceAddress address_of(std::uint32_t buffer, unsigned copy) const {
        return copies_[copy][buffer].address();
    }

  private:
    Prepared(const Device& device, const GpuProgram& program, DeviceModule module)
        : device_(&device), program_(&program), module_(std::move(module)) {}

    Result<void> find_kernels();
    Result<void> keep_variables();
    Result<void> make_copies(Copies copies);
    [[nodiscard]] Result<void> fill(const DeviceMemory& memory, const GpuBuffer& buffer) const;

    struct Kept {
        DeviceAddress at = 0;
        std::size_t bytes = 0;
        DeviceMemory pristine;
    };

    const Device* device_;
    const GpuProgram* program_;
    DeviceModule module_;
    std::vector<FunctionTag*> functions_;  // by launch
    std::set<std::uint32_t> used_;         // buffers that some launch has as an argument
    std::vector<DeviceMemory> pristine_;   // by buffer; one byte if nothing has to be restored
    std::uint64_t bytes_ = 0;              ///< of one copy
    std::vector<std::vector<DeviceMemory>> copies_;
    std::vector<Kept> variables_;
    bool cooperates_ = false;
};

}  // namespace lanescope::execute
