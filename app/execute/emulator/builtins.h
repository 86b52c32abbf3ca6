// Executes functions that the CUDA runtime provides without PTX: printf, assert, malloc and free.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"

#include <cstddef>
#include <optional>
#include <string>

namespace lanescope::execute {

class Builtins {
  public:
    explicit Builtins(LaunchState& launch) : launch_(launch), code_(launch.code) {}

    void execute(const WarpStep& step);

  private:
    void print(const WarpStep& step, const BuiltinCall& call, const Micro& caller);
    std::optional<std::string> text_at(const WarpStep& step, unsigned lane, std::uint64_t address);
    std::uint64_t parameter(const WarpStep& step, unsigned lane, const BuiltinCall& call, unsigned number);
    void set_result(const WarpStep& step, unsigned lane, const BuiltinCall& call, std::uint64_t value);
    /// `bytes` at a generic address as the lane sees them; null if not all of them are mapped.
    std::byte* bytes_at(const WarpStep& step, unsigned lane, std::uint64_t address, std::uint64_t bytes);

    LaunchState& launch_;
    const Code& code_;
};

}  // namespace lanescope::execute
