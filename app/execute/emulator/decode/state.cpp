// The layout of the register file follows from the functions reached.
#include "execute/emulator/decode/state.h"

#include <fmt/format.h>

#include <utility>

namespace lanescope::execute {

namespace {

std::vector<const ptx::Function*> functions_of(const Frames& frames) {
    std::vector<const ptx::Function*> functions;
    functions.reserve(frames.frames.size());
    for (const Frame& frame : frames.frames) functions.push_back(frame.function);
    return functions;
}

}  // namespace

DecodeState::DecodeState(const ptx::Module& module_of, const VariableAddresses& addresses_of, Frames frames_of)
    : module(module_of),
      addresses(addresses_of),
      frames(std::move(frames_of)),
      file(functions_of(frames), frames.bytes > frames.stack) {
    code.module = &module;
    code.local_bytes = frames.bytes;
    code.stack = frames.stack;
}

bool DecodeState::refuse(const ptx::Instruction& instruction, const std::string& why) {
    std::string what = fmt::format("{} is not supported by the emulator", ptx::mnemonic(instruction));
    if (!why.empty()) what += ": " + why;
    problem = {.what = std::move(what),
               .where = {.file = "PTX", .line = instruction.line.value, .column = instruction.column},
               .remedy = {}};
    return false;
}

}  // namespace lanescope::execute
