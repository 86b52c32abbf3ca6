// One block of a kernel with hand-made state, for tests of single units of the emulator: the test chooses each
// instruction, without an interpreter.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/recorder.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace lanescope::execute {

class OneBlock {
  public:
    /// `functions` and `body`: PTX of functions, and of a kernel without parameters. Not checked for races.
    OneBlock(const std::string& body, unsigned threads, const std::string& functions = {})
        : module(parsed(functions + ".visible .entry test()\n{\n" + body + "\n}\n")),
          code(decoded(module)),
          writer(trace::Origin{}),
          heap(global),
          faults(writer, global, heap, 10),
          check(code, faults),
          launch{.code = code,
                 .global = global,
                 .parameters = parameters,
                 .faults = faults,
                 .writer = writer,
                 .check = check,
                 .heap = heap,
                 .costs = {},
                 .epochs = {}},
          recorder(writer, code) {
        for (const MemoryAccess& access : code.accesses)
            launch.costs.emplace_back(access.access, unsigned{access.bytes} * access.elements, model::BankModel{});
        trace::Launch begun;
        begun.kernel = "test";
        begun.grid = {1, 1, 1};
        begun.block = {threads, 1, 1};
        faults.begin_launch(0, code, begun, {}, {});
        writer.begin_launch(begun);
        block.id = BlockId(0);
        block.live = threads;
        block.shared = Region(0, code.kernel->shared_bytes);
        const unsigned warps = (threads + warp_size - 1) / warp_size;
        block.local = Region(0, std::uint64_t{warps} * warp_size * code.local_bytes);
        block.files = RowStorage(std::size_t{warps} * code.file_bytes);
        block.warps.resize(warps);
        for (unsigned number = 0; number < warps; ++number) {
            Warp& each = block.warps[number];
            each.id = WarpId(number);
            each.file = block.files.data() + std::size_t{number} * code.file_bytes;
            std::memset(each.file, 0, code.file_bytes);
            each.word(always_slot) = ~0U;
            for (const ConstantRow& constant : code.constants) {
                for (unsigned lane = 0; lane < warp_size; ++lane) {
                    if (constant.row == Row::wide) each.wide(constant.slot)[lane] = constant.bits;
                    if (constant.row == Row::narrow)
                        each.narrow(constant.slot)[lane] = static_cast<std::uint32_t>(constant.bits);
                }
            }
            each.control.start(LaneMask::first(std::min(warp_size, threads - number * warp_size)), 0);
            each.counts = &launch.counts_of(0);
        }
    }

    /// Where the first instruction of that kind is.
    [[nodiscard]] Pc pc_of(Kind kind) const {
        for (Pc pc = 0; pc < code.micros.size(); ++pc)
            if (code.micros[pc].kind == kind) return pc;
        throw std::runtime_error("the kernel has no such instruction");
    }
    /// Moves the warp to the first instruction of that kind, which `lanes` execute next.
    [[nodiscard]] WarpStep at(unsigned warp, Kind kind, LaneMask lanes = LaneMask::all()) {
        Warp& of = block.warps[warp];
        const Pc pc = pc_of(kind);
        if (of.control.pc() != pc) of.control.advance(pc);
        return {.block = block, .warp = of, .micro = code.micros[pc], .executed = lanes & of.control.lanes()};
    }
    /// Fills a source of 32 bits: value(lane).
    template <class Of>
    static void fill(Warp& warp, const Value& source, Of value) {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            warp.narrow(source.slot)[lane] = static_cast<std::uint32_t>(value(lane));
    }
    /// The value that the step wrote to its destination of 32 bits.
    [[nodiscard]] std::uint32_t result(const WarpStep& step, unsigned lane) const {
        return step.warp.narrow(code.destinations_of(step.micro).front().slot)[lane];
    }
    [[nodiscard]] const std::vector<trace::Finding>& findings() { return writer.trace().findings; }

    ptx::Module module;
    Code code;
    trace::Writer writer;
    GlobalMemory global;
    Region parameters;
    Heap heap;
    Faults faults;
    AccessCheck check;
    LaunchState launch;
    Recorder<AnyLevel> recorder;
    Block block;

  private:
    static ptx::Module parsed(const std::string& text) {
        auto module = ptx::parse(".version 8.0\n.target sm_80\n.address_size 64\n" + text, "test.ptx");
        if (!module) throw std::runtime_error(module.error().message());
        return std::move(*module);
    }
    static Code decoded(const ptx::Module& module) {
        auto code = decode(module, *module.entries().front(), VariableAddresses(module.variables.size()));
        if (!code) throw std::runtime_error(code.error().message());
        return std::move(*code);
    }
};

}  // namespace lanescope::execute
