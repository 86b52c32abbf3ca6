// The panels of five kernels at one moment each: the subjects of golden pictures, which both renderers must draw alike.
#pragma once

#include "scene/scene.h"
#include "session/run.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace lanescope::golden {

/// A kernel, and the pass in whose middle its pictures are taken.
struct Kernel {
    std::string_view name, program;
    std::uint64_t n = 16;
    std::uint32_t block = 16;
    std::uint32_t pass = 2;
    bool png = false;  ///< there are golden PNGs of it, too
};
[[nodiscard]] std::span<const Kernel> kernels();

/// The run of a kernel in blocks of `block` threads; runs once, however often it is asked for. Throws if it does not
/// run.
[[nodiscard]] std::shared_ptr<const session::Run> run_of(std::string_view program, std::uint64_t n,
                                                         std::uint32_t block);

/// The panels other than Passes.
[[nodiscard]] std::span<const std::string_view> panels();

/// The panel's picture of the kernel's run; also of Passes. Throws if the kernel does not run.
[[nodiscard]] scene::Scene panel_scene(const Kernel& kernel, std::string_view panel);

}  // namespace lanescope::golden
