#include "trace/cursor.h"

#include "trace/memory_history.h"

#include <algorithm>
#include <bit>
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

/// The writes of one register in one warp, ascending. `any` is a binary tree over them, laid out as a heap: a node
/// holds the lanes that some write below it writes; leaf i is any[size + i].
struct RegisterWrites {
    std::vector<EffectAt> all;
    std::vector<LaneMask> any;
    std::size_t size = 0;  ///< number of leaves, a power of two

    void build(const Trace& trace) {
        size = std::bit_ceil(all.size());
        any.resize(2 * size);
        for (std::size_t i = 0; i < all.size(); ++i) {
            any[size + i] = trace.effects(trace.step(StepId(all[i].step)))[all[i].effect].lanes;
        }
        for (std::size_t node = size; node-- > 1;) any[node] = any[2 * node] | any[2 * node + 1];
    }

    /// The last write before number `past` that wrote the lane; nothing if there is none.
    [[nodiscard]] const EffectAt* last_before(std::size_t past, unsigned lane, std::uint64_t& visited) const {
        if (past == size && any[1].has(lane)) return descend(1, lane, visited);
        for (std::size_t node = size + past; node > 1; node /= 2, ++visited) {
            if (node % 2 == 1 && any[node - 1].has(lane)) return descend(node - 1, lane, visited);
        }
        return nullptr;
    }

  private:
    /// Descends to the last leaf that has the lane.
    [[nodiscard]] const EffectAt* descend(std::size_t node, unsigned lane, std::uint64_t& visited) const {
        for (; node < size; ++visited) node = 2 * node + (any[2 * node + 1].has(lane) ? 1 : 0);
        return &all[node - size];
    }
};

/// One warp's own timeline. Registers need no state: a register holds the value of its last write before the position.
struct WarpTrack {
    std::vector<std::uint32_t> steps;  ///< ascending
    bool indexed = false;              ///< the two below are filled on first use
    std::unordered_map<RegisterId, RegisterWrites> writes;
    std::vector<EffectAt> exits;
};

}  // namespace

struct Cursor::State {
    explicit State(const Trace& trace) : memory(trace) {}

    MemoryHistory memory;
    std::unordered_map<WarpKey, WarpTrack, WarpKeyHash> warps;
    std::uint64_t searched = 0;  ///< nodes visited in the trees of register writes

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
                    warp.writes[RegisterId(effects[i].id)].all.push_back({step, i});
                } else if (effects[i].kind == EffectKind::exit) {
                    warp.exits.push_back({step, i});
                }
            }
        }
        for (auto& [reg, writes] : warp.writes) writes.build(trace);
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
    state_->memory.apply(position_);
    ++position_;
    return true;
}

bool Cursor::back() {
    if (position_ == 0) return false;
    --position_;
    state_->memory.undo(position_);
    return true;
}

void Cursor::seek(std::size_t position) {
    position = std::min(position, end());
    position_ = state_->memory.jump(position_, position);
    while (position_ < position) forward();
    while (position_ > position) back();
}

std::uint64_t Cursor::visited() const { return state_->memory.visited() + state_->searched; }

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

const Effect& effect_at(const Trace& trace, const EffectAt& at) {
    return trace.effects(trace.step(StepId(at.step)))[at.effect];
}

/// The number of writes before the position.
std::size_t past_of(const RegisterWrites& writes, std::size_t position) {
    const auto past = std::ranges::lower_bound(writes.all, position, {}, &EffectAt::step);
    return static_cast<std::size_t>(past - writes.all.begin());
}

}  // namespace

std::uint64_t Cursor::register_value(BlockId block, WarpId warp, RegisterId reg, unsigned lane) const {
    WarpTrack* track = state_->find({launch(), block, warp});
    if (track == nullptr) return 0;
    State::index(*trace_, *track);
    const auto writes = track->writes.find(reg);
    if (writes == track->writes.end()) return 0;
    const std::size_t past = past_of(writes->second, position_);
    if (const EffectAt* const last = writes->second.last_before(past, lane, state_->searched)) {
        return trace_->after(effect_at(*trace_, *last), lane);
    }
    return 0;
}

bool Cursor::register_written(BlockId block, WarpId warp, RegisterId reg, unsigned lane) const {
    WarpTrack* track = state_->find({launch(), block, warp});
    if (track == nullptr) return false;
    State::index(*trace_, *track);
    const auto writes = track->writes.find(reg);
    return writes != track->writes.end() &&
           writes->second.last_before(past_of(writes->second, position_), lane, state_->searched) != nullptr;
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
