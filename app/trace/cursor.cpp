#include "trace/cursor.h"

#include "trace/memory_history.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace lanescope::trace {

namespace {

struct WarpKey {
    std::uint32_t launch = 0;
    BlockId block;
    WarpId warp;
    friend bool operator==(const WarpKey&, const WarpKey&) = default;
};

struct WarpKeyHash {
    std::size_t operator()(const WarpKey& key) const {
        std::uint64_t mixed = std::uint64_t{key.launch} << 32 | key.block.value;
        mixed = (mixed ^ mixed >> 29) * 0x9E3779B97F4A7C15U + key.warp.value;
        return (mixed ^ mixed >> 32) * 0x9E3779B97F4A7C15U >> 8;
    }
};

/// An effect and the step that it belongs to.
struct EffectAt {
    std::uint32_t step = 0;
    std::uint32_t effect = 0;  ///< in the step
};

/// One warp's own timeline. Registers need no state: what one holds is what its last write before the position left.
struct WarpTrack {
    std::vector<std::uint32_t> steps;  ///< ascending
    bool indexed = false;              ///< the two below are filled on first use
    std::unordered_map<RegisterId, std::vector<EffectAt>> writes;
    std::vector<EffectAt> exits;
};

}  // namespace

struct Cursor::State {
    explicit State(const Trace& trace) : memory(trace) {}

    MemoryHistory memory;
    std::unordered_map<WarpKey, WarpTrack, WarpKeyHash> warps;

    WarpTrack* find(const WarpKey& key) {
        const auto at = warps.find(key);
        return at == warps.end() ? nullptr : &at->second;
    }

    static void index(const Trace& trace, WarpTrack& warp) {
        if (warp.indexed) return;
        warp.indexed = true;
        for (const std::uint32_t step : warp.steps) {
            const auto effects = trace.effects(trace.step(StepId(step)));
            for (std::uint32_t i = 0; i < effects.size(); ++i) {
                if (effects[i].kind == EffectKind::register_write) {
                    warp.writes[RegisterId(effects[i].id)].push_back({step, i});
                } else if (effects[i].kind == EffectKind::exit) {
                    warp.exits.push_back({step, i});
                }
            }
        }
    }
};

Cursor::Cursor(std::shared_ptr<const Trace> trace)
    : trace_(std::move(trace)), state_(std::make_unique<State>(*trace_)) {
    WarpKey last_key;
    WarpTrack* last = nullptr;
    std::uint32_t id = 0;
    for (const Step& step : trace_->steps()) {
        const WarpKey key{step.launch, step.block, step.warp};
        if (last == nullptr || key != last_key) {
            last = &state_->warps[key];
            last_key = key;
        }
        last->steps.push_back(id++);
    }
}

Cursor::~Cursor() = default;
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;

bool Cursor::forward() {
    if (position_ == end()) return false;
    state_->memory.apply(trace_->steps()[position_]);
    ++position_;
    return true;
}

bool Cursor::back() {
    if (position_ == 0) return false;
    --position_;
    state_->memory.undo(trace_->steps()[position_]);
    return true;
}

void Cursor::seek(std::size_t position) {
    position = std::min(position, end());
    position_ = state_->memory.jump(position_, position);
    while (position_ < position) forward();
    while (position_ > position) back();
}

std::uint32_t Cursor::launch() const {
    const auto steps = trace_->steps();
    return steps.empty() ? 0 : steps[std::min(position_, steps.size() - 1)].launch;
}

const MemoryImage& Cursor::shared(BlockId block) const {
    assert(trace_->recorded(launch(), block));
    return state_->memory.shared(launch(), block);
}

const MemoryImage& Cursor::global(std::uint32_t buffer) const { return state_->memory.global(buffer); }

namespace {

/// The writes of one register in one warp, and how many of them lie before the position.
struct RegisterWrites {
    std::span<const EffectAt> all;
    std::size_t past = 0;
};

const Effect& effect_at(const Trace& trace, const EffectAt& at) {
    return trace.effects(trace.step(StepId(at.step)))[at.effect];
}

RegisterWrites writes_of(const WarpTrack& warp, RegisterId reg, std::size_t position) {
    const auto found = warp.writes.find(reg);
    if (found == warp.writes.end()) return {};
    const auto past = std::ranges::lower_bound(found->second, position, {}, &EffectAt::step);
    return {found->second, static_cast<std::size_t>(past - found->second.begin())};
}

}  // namespace

std::uint64_t Cursor::register_value(BlockId block, WarpId warp, RegisterId reg, unsigned lane) const {
    WarpTrack* track = state_->find({launch(), block, warp});
    if (track == nullptr) return 0;
    State::index(*trace_, *track);
    const RegisterWrites writes = writes_of(*track, reg, position_);
    const auto effect = [&](std::size_t i) -> const Effect& { return effect_at(*trace_, writes.all[i]); };
    for (std::size_t i = writes.past; i-- > 0;) {
        if (effect(i).lanes.has(lane)) return trace_->after(effect(i), lane);
    }
    for (std::size_t i = writes.past; i < writes.all.size(); ++i) {
        if (effect(i).lanes.has(lane)) return trace_->before(effect(i), lane);
    }
    return 0;
}

bool Cursor::register_written(BlockId block, WarpId warp, RegisterId reg, unsigned lane) const {
    WarpTrack* track = state_->find({launch(), block, warp});
    if (track == nullptr) return false;
    State::index(*trace_, *track);
    const RegisterWrites writes = writes_of(*track, reg, position_);
    return std::ranges::any_of(writes.all.first(writes.past),
                               [&](const EffectAt& at) { return effect_at(*trace_, at).lanes.has(lane); });
}

StepId Cursor::next_step(BlockId block, WarpId warp) const {
    const WarpTrack* track = state_->find({launch(), block, warp});
    if (track == nullptr) return {};
    const auto next = std::ranges::lower_bound(track->steps, position_);
    return next == track->steps.end() ? StepId() : StepId(*next);
}

StepId Cursor::last_step(BlockId block, WarpId warp) const {
    const WarpTrack* track = state_->find({launch(), block, warp});
    if (track == nullptr) return {};
    const auto next = std::ranges::lower_bound(track->steps, position_);
    return next == track->steps.begin() ? StepId() : StepId(*std::prev(next));
}

LaneMask Cursor::exited(BlockId block, WarpId warp) const {
    WarpTrack* track = state_->find({launch(), block, warp});
    LaneMask gone;
    if (track == nullptr) return gone;
    State::index(*trace_, *track);
    for (const EffectAt& at : track->exits) {
        if (at.step >= position_) break;
        gone |= effect_at(*trace_, at).lanes;
    }
    return gone;
}

}  // namespace lanescope::trace
