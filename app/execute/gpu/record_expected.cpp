// The log that the emulator's trace predicts for each thread.
#include "execute/gpu/record.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace lanescope::execute {

namespace {

class Reader {
  public:
    Reader(const trace::Trace& trace, const Rewritten& rewritten, std::vector<ExpectedLaunch>& launches)
        : trace_(trace), rewritten_(rewritten), launches_(launches) {}

    void read(const trace::Step& step) {
        arrive_at_targets(step);
        const auto found = rewritten_.groups.find(step.line);
        if (found == rewritten_.groups.end()) return;
        const SiteGroup& group = found->second;
        switch (rewritten_.sites[group.first].logged) {
            case Logged::load: return moved(step, group, trace::EffectKind::load);
            case Logged::store: return moved(step, group, trace::EffectKind::store);
            case Logged::compare:
            case Logged::operand: return atomic(step, group);
            case Logged::taken: return branch(step, group);
            case Logged::target: return leave_by_table(step, group);
            case Logged::copy_to: return copy(step, group);
            case Logged::arrival:
            case Logged::wait: return mbarrier(step, group);
            case Logged::warp_barrier: return each(step, group, 0, [](unsigned) { return std::uint64_t{0}; });
            default: return received(step, group);
        }
    }

  private:
    void add(const trace::Step& step, unsigned lane, const ExpectedEntry& entry) {
        ExpectedLaunch& launch = launches_[step.launch];
        const std::uint64_t thread = std::uint64_t{step.warp.value} * warp_size + lane;
        launch.logs[(step.block.value - launch.first_block) * launch.threads + thread].push_back(entry);
    }

    template <class Value>
    void each(const trace::Step& step, const SiteGroup& group, std::uint64_t address, Value value) {
        for (const unsigned lane : step.executed)
            add(step, lane, {.entry = {.site = group.first, .address = address, .value = value(lane)}});
    }

    static std::uint16_t site_of(const SiteGroup& group, trace::Space space, unsigned index) {
        const bool second = group.by_address && space == trace::Space::shared;
        return static_cast<std::uint16_t>(group.first + (second ? group.count : 0U) + index);
    }
    /// A thread's own memory and parameters are not logged.
    static bool is_logged(const trace::Effect& effect) {
        return effect.space == trace::Space::shared || effect.space == trace::Space::global;
    }

    [[nodiscard]] std::uint64_t address_of(const trace::Effect& effect, unsigned lane) const {
        const std::uint64_t address = trace_.address(effect, lane);
        const bool known = effect.space == trace::Space::shared || trace_.buffer_at(address) != nullptr;
        return known ? address : address | elsewhere;
    }

    void moved(const trace::Step& step, const SiteGroup& group, trace::EffectKind kind) {
        for (const trace::Effect& effect : trace_.effects(step)) {
            if (effect.kind != kind || !is_logged(effect)) continue;
            for (const unsigned lane : effect.lanes) {
                for (unsigned element = 0; element < effect.elements; ++element) {
                    const std::uint16_t site = site_of(group, effect.space, element);
                    const std::uint64_t offset = std::uint64_t{element} * effect.bytes;
                    const std::uint64_t value = rewritten_.sites[site].known ? trace_.after(effect, lane, element) : 0;
                    add(step, lane,
                        {.entry = {.site = site, .address = address_of(effect, lane) + offset, .value = value}});
                }
            }
        }
    }

    void atomic(const trace::Step& step, const SiteGroup& group) {
        for (const trace::Effect& effect : trace_.effects(step)) {
            if (effect.kind != trace::EffectKind::atomic || !is_logged(effect)) continue;
            for (const unsigned lane : effect.lanes) {
                for (unsigned i = 0; i < group.count; ++i) {
                    const std::uint16_t site = site_of(group, effect.space, i);
                    ExpectedEntry expected{.entry = {.site = site, .address = address_of(effect, lane)},
                                           .before = trace_.before(effect, lane),
                                           .after = trace_.after(effect, lane)};
                    if (rewritten_.sites[site].logged == Logged::old) expected.entry.value = expected.before;
                    add(step, lane, expected);
                }
            }
        }
    }

    void branch(const trace::Step& step, const SiteGroup& group) {
        LaneMask taken;
        for (const trace::Effect& effect : trace_.effects(step))
            if (effect.kind == trace::EffectKind::branch) taken |= effect.lanes;
        for (const unsigned lane : step.active)
            add(step, lane, {.entry = {.site = group.first, .value = taken.has(lane) ? 1U : 0U}});
    }

    void copy(const trace::Step& step, const SiteGroup& group) {
        struct Source {
            std::uint64_t bytes = 0, address = 0;
        };
        // A lane that reads fewer bytes than others has its own loads, several if the number is not a power of two.
        std::array<Source, warp_size> sources;
        for (const trace::Effect& effect : trace_.effects(step)) {
            if (effect.kind != trace::EffectKind::load) continue;
            for (const unsigned lane : effect.lanes) {
                Source& source = sources[lane];
                const std::uint64_t address = address_of(effect, lane);
                source.address = source.bytes == 0 ? address : std::min(source.address, address);
                source.bytes += std::uint64_t{effect.bytes} * effect.elements;
            }
        }
        for (const trace::Effect& effect : trace_.effects(step)) {
            if (effect.kind != trace::EffectKind::store) continue;
            for (const unsigned lane : effect.lanes) {
                const Source& source = sources[lane];
                add(step, lane,
                    {.entry = {.site = group.first, .address = address_of(effect, lane), .value = source.bytes}});
                if (source.bytes > 0)
                    add(step, lane,
                        {.entry = {.site = static_cast<std::uint16_t>(group.first + 1U), .address = source.address}});
            }
        }
    }

    void mbarrier(const trace::Step& step, const SiteGroup& group) {
        LaneMask complete;
        for (const trace::Effect& effect : trace_.effects(step)) {
            if (effect.kind != trace::EffectKind::register_write || effect.bytes > 0) continue;
            for (const unsigned lane : effect.lanes)
                if (trace_.after(effect, lane) != 0) complete |= LaneMask::only(lane);
        }
        for (const trace::Effect& effect : trace_.effects(step)) {
            if (effect.kind != trace::EffectKind::atomic) continue;
            for (const unsigned lane : effect.lanes) {
                ExpectedEntry expected{
                    .entry = {.site = site_of(group, effect.space, 0), .address = address_of(effect, lane)},
                    .before = trace_.before(effect, lane),
                    .after = trace_.after(effect, lane)};
                expected.entry.value = std::uint64_t{complete.has(lane)} << predicate_bit;
                add(step, lane, expected);
            }
        }
    }

    /// A trace does not hold the index: the lane's next step shows where it went.
    void leave_by_table(const trace::Step& step, const SiteGroup& group) {
        Leaving& leaving = leaving_[{step.launch, step.block.value, step.warp.value}];
        for (const unsigned lane : step.executed) leaving.from[lane] = group.first;
        leaving.lanes |= step.executed;
    }
    void arrive_at_targets(const trace::Step& step) {
        if (leaving_.empty()) return;
        const auto found = leaving_.find({step.launch, step.block.value, step.warp.value});
        if (found == leaving_.end()) return;
        Leaving& leaving = found->second;
        for (const unsigned lane : leaving.lanes& step.active)
            add(step, lane, {.entry = {.site = leaving.from[lane], .value = step.line.value}});
        leaving.lanes &= ~step.active;
        if (leaving.lanes.none()) leaving_.erase(found);
    }

    /// For barriers and cross-lane instructions, logs the registers written. A predicate beside a result is bit 32.
    void received(const trace::Step& step, const SiteGroup& group) {
        const trace::Effect* result = nullptr;
        const trace::Effect* predicate = nullptr;
        std::uint64_t barrier = 0;
        for (const trace::Effect& effect : trace_.effects(step)) {
            if (effect.kind == trace::EffectKind::register_write)
                (effect.bytes > 0 ? result : predicate) = &effect;
            else if (effect.kind == trace::EffectKind::barrier)
                barrier = effect.id;
        }
        each(step, group, barrier, [&](unsigned lane) -> std::uint64_t {
            const std::uint64_t holds = predicate != nullptr ? trace_.after(*predicate, lane) : 0;
            return result == nullptr ? holds : trace_.after(*result, lane) | holds << predicate_bit;
        });
    }

    /// Lanes of a warp that a branch by a table has sent elsewhere, until their next step.
    struct Leaving {
        LaneMask lanes;
        std::array<std::uint16_t, warp_size> from{};
    };

    const trace::Trace& trace_;
    const Rewritten& rewritten_;
    std::vector<ExpectedLaunch>& launches_;
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, Leaving> leaving_;  ///< by launch, block, warp
};

}  // namespace

std::vector<ExpectedLaunch> expected_logs(const trace::Trace& trace, const Rewritten& rewritten,
                                          const RecordingRange& range) {
    std::vector<ExpectedLaunch> launches;
    for (const trace::Launch& launch : trace.launches) {
        const std::uint64_t all = launch.grid.count();
        const std::uint64_t first = std::min(range.first_block, all);
        const std::uint64_t blocks = std::min(range.blocks, all - first);
        const auto threads = static_cast<std::uint32_t>(launch.block.count());
        launches.push_back({.first_block = first, .threads = threads, .logs = {}});
        launches.back().logs.resize(blocks * threads);
    }
    Reader reader(trace, rewritten, launches);
    for (const trace::Step& step : trace.steps()) {
        const ExpectedLaunch& launch = launches[step.launch];
        const std::uint64_t block = step.block.value;
        const std::uint64_t blocks = launch.logs.size() / std::max(launch.threads, 1U);
        if (block >= launch.first_block && block < launch.first_block + blocks) reader.read(step);
    }
    return launches;
}

}  // namespace lanescope::execute
