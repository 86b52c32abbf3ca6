// Verification without a GPU: programs are compared with the emulator itself, or with a modified emulator.
#pragma once

#include "emulated_machine.h"
#include "session/verification.h"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace lanescope::session {

/// A modified emulator.
template <class Machine>
Verifier made_up() {
    return {.on = {.device = "the emulator",
                   .driver = "1.2",
                   .toolkit = "NVRTC 13.0",
                   .date = "2026-11-22",
                   .command = "for a test"},
            .open = [](const auto& trace, const auto& module, const auto& rewritten) {
                return Result<std::unique_ptr<execute::RecordingMachine>>(
                    std::make_unique<Machine>(trace, module, rewritten));
            }};
}
inline Verifier emulator() { return made_up<EmulatedMachine>(); }

/// The emulator, which runs the rewritten PTX after `edit`.
inline Verifier edited(std::function<std::string(std::string ptx)> edit) {
    Verifier verifier = emulator();
    verifier.open = [edit = std::move(edit)](const auto& trace, const auto& module, execute::Rewritten rewritten) {
        rewritten.ptx = edit(std::move(rewritten.ptx));
        return Result<std::unique_ptr<execute::RecordingMachine>>(
            std::make_unique<EmulatedMachine>(trace, module, rewritten));
    };
    return verifier;
}

inline Result<Verification> verified_by(const Verifier& verifier, const std::string& program = "reduce/sequential",
                                        trace::View view = trace::View::compiled) {
    Progress progress;
    return verify({.program = program, .view = view}, verifier, progress);
}

inline std::string description_of(const Verification& verification) {
    if (!verification.difference) return verification.why;
    const execute::RecordDifference& difference = *verification.difference;
    return fmt::format("launch {}, block {}, thread {}, entry {}, {}: expected {}, found {}", difference.launch,
                       difference.block, difference.thread, difference.entry, difference.instruction,
                       difference.expected, difference.found);
}

}  // namespace lanescope::session
