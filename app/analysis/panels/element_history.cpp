#include "analysis/panels/element_history.h"

#include "analysis/source/source_line.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanescope::analysis {

namespace {

using trace::Effect;
using trace::EffectKind;

/// The element's bits of a value that lies at `address`; nothing where it has only some of its bytes.
std::optional<std::uint64_t> part_of(std::uint64_t value, std::uint64_t address, unsigned bytes,
                                     const Element& element) {
    const unsigned wanted = trace::bytes_of(element.type);
    if (element.address < address || element.address + wanted > address + bytes) return std::nullopt;
    value >>= 8 * (element.address - address);
    return wanted < 8 ? value & ((std::uint64_t{1} << (8 * wanted)) - 1) : value;
}

bool touches(const Element& element, std::uint64_t address, std::uint64_t bytes) {
    return address < element.address + trace::bytes_of(element.type) && element.address < address + bytes;
}

class Finder {
  public:
    Finder(const Analysis& analysis, const Element& element)
        : analysis_(analysis), trace_(*analysis.trace), element_(element), own_file_(own_file(*analysis.module)) {}

    ElementHistory run() {
        const bool shared = element_.space == trace::Space::shared;
        for (std::uint32_t launch = 0; launch < trace_.launches.size(); ++launch) {
            if (!shared) add_host_writes(launch);
            if (shared && launch != element_.launch) continue;
            const trace::Launch& of = trace_.launches[launch];
            if (shared ? of.cut == element_.block : !of.all_recorded()) found_.partial = true;
            for (StepId id = of.first_step; id < of.past_last_step; id = StepId(id.value + 1)) add(id);
        }
        if (!shared) add_host_writes(static_cast<std::uint32_t>(trace_.launches.size()));
        return std::move(found_);
    }

  private:
    void add_host_writes(std::uint32_t launch) {
        for (const trace::HostWrite& write : trace_.host_writes) {
            const trace::Buffer& buffer = trace_.buffers[write.buffer];
            const bool here = write.launch == launch || (launch == trace_.launches.size() && write.launch > launch);
            if (!here || !touches(element_, buffer.address + write.offset, write.after.size())) continue;
            ElementAccess access{.kind = ElementAccess::Kind::host, .launch = launch, .block = BlockId{0}, .step = {}};
            access.source_line = write.source_line;
            const std::uint64_t begin = buffer.address + write.offset;
            const unsigned bytes = trace::bytes_of(element_.type);
            if (element_.address >= begin && element_.address + bytes <= begin + write.after.size()) {
                std::uint64_t bits = 0;
                for (unsigned i = 0; i < bytes; ++i)
                    bits |= std::to_integer<std::uint64_t>(write.after[element_.address - begin + i]) << (8 * i);
                access.bits = bits;
            }
            found_.accesses.push_back(access);
        }
    }

    void add(StepId id) {
        const trace::Step& step = trace_.step(id);
        if (element_.space == trace::Space::shared && step.block != element_.block) return;
        for (const Effect& effect : trace_.effects(step)) {
            if (!trace::is_access(effect.kind) || effect.space != element_.space) continue;
            for (const unsigned lane : effect.lanes) add(id, step, effect, lane);
        }
    }

    void add(StepId id, const trace::Step& step, const Effect& effect, unsigned lane) {
        const std::uint64_t first = trace_.address(effect, lane);
        if (!touches(element_, first, std::uint64_t{effect.bytes} * effect.elements)) return;
        for (unsigned number = 0; number < effect.elements; ++number) {
            const std::uint64_t address = first + std::uint64_t{number} * effect.bytes;
            if (!touches(element_, address, effect.bytes)) continue;
            ElementAccess access{.launch = step.launch, .block = step.block, .step = id, .warp = step.warp};
            access.kind = effect.kind == EffectKind::load    ? ElementAccess::Kind::load
                          : effect.kind == EffectKind::store ? ElementAccess::Kind::store
                                                             : ElementAccess::Kind::atomic;
            access.lane = lane;
            access.line = step.line;
            const std::uint64_t old = trace_.before(effect, lane, number);
            const std::uint64_t value = effect.kind == EffectKind::load ? old : trace_.after(effect, lane, number);
            access.bits = part_of(value, address, effect.bytes, element_);
            access.before = part_of(old, address, effect.bytes, element_).value_or(0);
            const BlockPasses& passes = analysis_.block_passes(step.launch, step.block);
            access.position = passes.position_of(id);
            access.source_line = line_of(step.line);
            if (access.source_line == 0)  // of a library, for a line of the user's
                access.source_line = user_line_of(analysis_.view(passes), access.position, lane);
            found_.accesses.push_back(access);
        }
    }

    std::uint32_t line_of(PtxLine line) const {
        const InstructionInfo* const info = analysis_.provenance->instructions().at(line);
        return info == nullptr ? 0 : source_line_of(*analysis_.module, *info->instruction, own_file_);
    }

    const Analysis& analysis_;
    const trace::Trace& trace_;
    const Element& element_;
    std::uint32_t own_file_;
    ElementHistory found_;
};

}  // namespace

ElementHistory history_of(const Analysis& analysis, const Element& element) { return Finder(analysis, element).run(); }

}  // namespace lanescope::analysis
