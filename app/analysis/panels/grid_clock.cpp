#include "analysis/panels/grid_clock.h"

#include "analysis/dataflow/usefulness.h"

#include <algorithm>

namespace lanescope::analysis {

namespace {

/// Appends a span that begins after all others, or extends the last one by it.
void add_to(std::vector<GridSpan>& busy, const GridSpan& added) {
    if (!busy.empty() && busy.back().past_last >= added.first) {
        busy.back().past_last = std::max(busy.back().past_last, added.past_last);
    } else {
        busy.push_back(added);
    }
}

bool waits_at_barrier(const trace::Trace& trace, const trace::Step& step) {
    return std::ranges::any_of(trace.effects(step),
                               [](const trace::Effect& effect) { return effect.kind == trace::EffectKind::barrier; });
}

/// Removes the part of the spans at or after `tick`.
void cut_at(std::vector<GridSpan>& busy, std::uint64_t tick) {
    while (!busy.empty() && busy.back().first >= tick) busy.pop_back();
    if (!busy.empty()) busy.back().past_last = std::min(busy.back().past_last, tick);
}

}  // namespace

void BlockTicks::begin_step(StepId id, const trace::Step& step) {
    id_ = id;
    step_ = &step;
    if (step.warp.index() >= warps_.size()) warps_.resize(step.warp.index() + 1);
    warp_ = &warps_[step.warp.index()];
    if (!std::exchange(warp_->begun, true)) warp_->now = static_cast<double>(first_);
    polls_ = nullptr;
    ended_poll_ = StepId();
    not_before_ = resumed_at_;
    ++steps_;
    // The warp goes on past a barrier once the last warp has arrived there.
    if (warp_->arrived && step.epoch > *warp_->arrived) {
        not_before_ = std::max(not_before_, arrivals_[*warp_->arrived] + 1);
        warp_->arrived.reset();
    }
}

void BlockTicks::poll(const trace::Effect& effect, std::uint64_t address) {
    const auto same = [&](const Poll& poll) {
        return poll.line == step_->line && poll.lanes == effect.lanes && poll.address == address;
    };
    const auto found = std::ranges::find_if(warp_->polls, same);
    if (found != warp_->polls.end()) {
        polls_ = &*found;
        polls_->again = true;
        return;
    }
    warp_->polls[warp_->next_poll] = {.line = step_->line,
                                      .lanes = effect.lanes,
                                      .address = address,
                                      .step = id_,
                                      .tick = std::max(static_cast<std::uint64_t>(warp_->now), not_before_)};
    warp_->next_poll = (warp_->next_poll + 1) % warp_->polls.size();
}

void BlockTicks::after_write(StepId writer, std::uint64_t tick) {
    not_before_ = std::max(not_before_, tick + 1);
    if (polls_ != nullptr && writer > polls_->step) ended_poll_ = polls_->step;
}

void BlockTicks::end_step(bool arrives, bool writes, std::vector<std::uint64_t>& ticks, const trace::Trace& trace) {
    warp_->exited = exiting_lanes(trace, *step_).any();
    auto now = static_cast<std::uint64_t>(warp_->now);
    if (ended_poll_.valid()) {
        // The earlier reads, which found the old value, take no time of their own: their number depends on the order in
        // which the blocks ran.
        cut_at(warp_->busy, polls_->tick);
        now = std::max(polls_->tick, not_before_);
        LaneMask looping = polls_->lanes;  // with the lanes that poll elsewhere in the same loop
        std::vector<std::size_t> since;
        for (std::size_t i = ended_poll_.index(); i < id_.index(); ++i) {
            const trace::Step& step = trace.steps()[i];
            if (step.block != step_->block || step.warp != step_->warp) continue;
            ticks[i] = std::min(ticks[i], now);
            since.push_back(i);
            if ((step.active & polls_->lanes).any()) looping |= step.active;
        }
        // A warp does not wait while other lanes of it compute.
        for (const std::size_t i : since) {
            const trace::Step& step = trace.steps()[i];
            if ((step.active & looping).none() && ticks[i] < now && !waits_at_barrier(trace, step))
                add_to(warp_->busy, {ticks[i], ticks[i] + 1});
        }
        warp_->now = static_cast<double>(now);
    } else if (now < not_before_) {
        now = not_before_;
        warp_->now = static_cast<double>(now);
    }
    ticks[id_.index()] = now;
    warp_->now += pace_;
    const auto next = static_cast<std::uint64_t>(warp_->now);
    add_to(warp_->busy, {now, next});
    if (writes || ended_poll_.valid() || arrives) {
        // Other lanes of the warp may still poll: those of a thread that polls before a barrier of the block.
        for (Poll& poll : warp_->polls)
            if ((poll.lanes & step_->active).any()) poll = {};
    }
    if (arrives) {
        const std::uint32_t epoch = step_->epoch;
        if (arrivals_.size() <= epoch) arrivals_.resize(epoch + 1);
        arrivals_[epoch] = std::max(arrivals_[epoch], now);
        warp_->arrived = epoch;
    }
}

std::optional<std::uint64_t> BlockTicks::polls_since(const Warp& warp) {
    std::optional<std::uint64_t> since;
    for (const Poll& poll : warp.polls)
        if (poll.line.valid() && poll.again) since = std::min(since.value_or(poll.tick), poll.tick);
    return since;
}

void BlockTicks::wait_forever() {
    forever_ = end();
    for (Warp& warp : warps_) {
        const auto since = polls_since(warp);
        if (!warp.exited && since) cut_at(warp.busy, *since);
    }
}

std::uint64_t BlockTicks::progressed_to() const {
    std::uint64_t tick = first_;
    for (const Warp& warp : warps_)
        if (warp.begun) tick = std::max(tick, polls_since(warp).value_or(static_cast<std::uint64_t>(warp.now)));
    return tick;
}

std::uint64_t BlockTicks::end() const {
    std::uint64_t end = std::max(first_, forever_);
    for (const Warp& warp : warps_)
        if (!warp.busy.empty()) end = std::max(end, warp.busy.back().past_last);
    return end;
}

std::vector<GridSpan> BlockTicks::waits() const {
    std::vector<GridSpan> busy;
    for (const Warp& warp : warps_) busy.insert(busy.end(), warp.busy.begin(), warp.busy.end());
    std::ranges::sort(busy, {}, &GridSpan::first);
    std::vector<GridSpan> waits;
    std::uint64_t past = first_;
    for (const GridSpan& run : busy) {
        if (run.first > past) waits.push_back({past, run.first});
        past = std::max(past, run.past_last);
    }
    if (forever_ > past) waits.push_back({past, forever_});
    return waits;
}

bool changes_memory(const trace::Trace& trace, const trace::Effect& effect) {
    if (effect.kind == trace::EffectKind::store) return true;
    for (const unsigned lane : effect.lanes) {
        for (unsigned element = 0; element < std::max<unsigned>(effect.elements, 1); ++element)
            if (trace.before(effect, lane, element) != trace.after(effect, lane, element)) return true;
    }
    return false;
}

LastWriters::LastWriters(const trace::Trace& trace) : trace_(trace) {
    for (std::uint32_t i = 0; i < trace.buffers.size(); ++i) by_address_.push_back(i);
    std::ranges::sort(by_address_, {}, [&](std::uint32_t i) { return trace.buffers[i].address; });
}

void LastWriters::write(const trace::Effect& effect, StepId step) {
    for (const unsigned lane : effect.lanes) {
        const std::uint64_t address = trace_.address(effect, lane);
        for (std::uint64_t at = address / word; at <= (address + bytes_of(effect) - 1) / word; ++at) {
            std::unique_ptr<Page>& page = pages_[at / page_words];
            if (page == nullptr) page = std::make_unique<Page>();
            (*page)[at % page_words] = step;
        }
    }
}

void LastWriters::forget(std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::uint64_t first = address / word, last = (address + bytes - 1) / word;
    for (auto& [number, page] : pages_) {
        const std::uint64_t begin = number * page_words;
        for (std::uint64_t at = std::max(first, begin); at <= std::min(last, begin + page_words - 1); ++at)
            (*page)[at % page_words] = StepId();
    }
}

std::optional<std::uint32_t> LastWriters::buffer_of(std::uint64_t address) const {
    const auto past =
        std::ranges::upper_bound(by_address_, address, {}, [&](std::uint32_t i) { return trace_.buffers[i].address; });
    if (past == by_address_.begin()) return std::nullopt;
    const std::uint32_t index = *(past - 1);
    const trace::Buffer& buffer = trace_.buffers[index];
    return address - buffer.address < buffer.bytes ? std::optional(index) : std::nullopt;
}

}  // namespace lanescope::analysis
