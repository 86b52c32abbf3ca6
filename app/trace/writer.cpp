#include "trace/writer.h"

#include <array>

namespace lanescope::trace {

namespace {

/// Truncated to the value's bytes: the bits above them in an executor's register have no meaning.
template <class T>
std::array<T, warp_size> low_bits(std::span<const T, 32> values, unsigned bytes) {
    std::array<T, warp_size> low;
    const T kept = static_cast<T>((std::uint64_t{1} << (8 * bytes)) - 1);
    for (unsigned lane = 0; lane < warp_size; ++lane) low[lane] = values[lane] & kept;
    return low;
}

template <class T>
std::uint64_t bytes_of(const Pool<T>& values) {
    return values.size() * sizeof(T);
}

/// Releases the room that doubling reserved beyond need; copies only if much would stay unused.
template <class T>
void trim(Pool<T>& values) {
    constexpr std::size_t little = std::size_t{1} << 20;  // bytes
    const std::size_t idle = values.capacity() - values.size();
    if (idle > values.size() / 8 && idle * sizeof(T) > little) values.trim();
}

}  // namespace

Writer::Writer(Origin origin) : trace_(std::make_shared<Trace>()) { trace_->origin = std::move(origin); }

void Writer::begin_launch(Launch launch) {
    launch.first_step = next_step();
    launch.past_last_step = next_step();
    trace_->launches.push_back(std::move(launch));
}

void Writer::end_launch() {
    assert(!trace_->launches.empty());
    if (!dropped_.empty()) remove_dropped();
    trace_->launches.back().past_last_step = next_step();
}

namespace {

/// The starts of each step's values in one pool. They follow one another as the steps do.
template <class FirstOf>
std::vector<std::uint32_t> first_values(std::span<const Step> steps, std::size_t past_last_value,
                                        const FirstOf& first_of) {
    std::vector<std::uint32_t> firsts(steps.size() + 1, static_cast<std::uint32_t>(past_last_value));
    for (std::size_t i = steps.size(); i-- > 0;) firsts[i] = first_of(steps[i], firsts[i + 1]);
    return firsts;
}

/// Moves the values [from, past_last) to `to`, which lies before them.
template <class T>
std::uint32_t move_down(Pool<T>& pool, std::uint32_t from, std::uint32_t past_last, std::uint32_t to) {
    for (; from < past_last; ++from, ++to) pool[to] = pool[from];
    return to;
}

}  // namespace

void Writer::remove(BlockId block, StepId from) {
    dropped_.push_back({.block = block, .from = from});
    std::uint64_t steps = 0, own = 0;
    for (std::size_t i = trace_->launches.back().first_step.index(); i < trace_->steps_.size(); ++i) {
        ++steps;
        own += i >= from.index() && trace_->steps_[i].block == block ? 1U : 0U;
    }
    // An estimate: the blocks of a launch record about the same amount per step.
    if (steps > 0) dropped_bytes_ += (all_bytes() - dropped_bytes_) / steps * own;
}

void Writer::remove_dropped() {
    Trace& trace = *trace_;
    const std::uint32_t begin = trace.launches.back().first_step.value;
    const auto gone = [&](const Step& step, std::uint32_t number) {
        return std::ranges::any_of(
            dropped_, [&](const Dropped& each) { return each.block == step.block && each.from.value <= number; });
    };
    const std::span<const Step> steps = trace.steps().subspan(begin);
    const auto first_in = [&](bool wide) {
        return [&trace, wide](const Step& step, std::uint32_t next) {
            for (const Effect& effect : trace.effects(step)) {
                if ((effect.bytes == 8) == wide) return std::min(next, effect.first_value);
            }
            return next;
        };
    };
    const auto first_address = [&](const Step& step, std::uint32_t next) {
        return step.effect_count == 0 ? next : trace.effects_[step.first_effect].first_address;
    };
    const auto narrow = first_values(steps, trace.narrow_.size(), first_in(false));
    const auto wide = first_values(steps, trace.wide_.size(), first_in(true));
    const auto addresses = first_values(steps, trace.addresses_.size(), first_address);

    std::vector<std::uint32_t> new_number(steps.size());
    std::uint32_t step_to = begin, effect_to = steps.empty() ? 0 : steps.front().first_effect;
    std::uint32_t narrow_to = narrow.front(), wide_to = wide.front(), address_to = addresses.front();
    for (std::size_t i = 0; i < new_number.size(); ++i) {
        Step step = trace.steps_[begin + i];
        if (gone(step, begin + static_cast<std::uint32_t>(i))) {
            new_number[i] = StepId().value;
            continue;
        }
        new_number[i] = step_to;
        const std::uint32_t first = step.first_effect;
        step.first_effect = effect_to;
        for (std::uint32_t e = 0; e < step.effect_count; ++e) {
            Effect effect = trace.effects_[first + e];
            effect.first_value = effect.bytes == 8 ? wide_to + (effect.first_value - wide[i])
                                                   : narrow_to + (effect.first_value - narrow[i]);
            effect.first_address = address_to + (effect.first_address - addresses[i]);
            trace.effects_[effect_to++] = effect;
        }
        trace.steps_[step_to++] = step;
        narrow_to = move_down(trace.narrow_, narrow[i], narrow[i + 1], narrow_to);
        wide_to = move_down(trace.wide_, wide[i], wide[i + 1], wide_to);
        address_to = move_down(trace.addresses_, addresses[i], addresses[i + 1], address_to);
    }
    trace.steps_.cut(step_to);
    trace.effects_.cut(effect_to);
    trace.narrow_.cut(narrow_to);
    trace.wide_.cut(wide_to);
    trace.addresses_.cut(address_to);

    const auto renumber = [&](std::optional<StepId>& step) {
        if (!step || step->value < begin) return;
        const std::uint32_t number = new_number[step->value - begin];
        step = number == StepId().value ? std::nullopt : std::optional(StepId(number));
    };
    for (std::vector<Finding>* const list : {&trace.findings, &trace.remarks}) {
        for (Finding& finding : *list) {
            renumber(finding.step);
            if (finding.other) renumber(finding.other->step);
            std::erase_if(finding.again, [&](Finding::Again& again) {
                std::optional<StepId> step = again.step;
                renumber(step);
                again.step = step.value_or(StepId());
                return !step.has_value();
            });
        }
    }
    for (Printed& printed : trace.printed) renumber(printed.step);
    dropped_.clear();
    dropped_bytes_ = 0;
}

void Writer::register_write(RegisterId reg, unsigned bytes, LaneMask lanes, std::span<const std::uint32_t, 32> values) {
    assert(bytes == 1 || bytes == 2 || bytes == 4);
    if (bytes == 4) return word_write(reg, lanes, values.data());
    append(EffectKind::register_write, {.bytes = bytes, .id = reg.value}, lanes);
    append_packed(trace_->narrow_, lanes, low_bits(values, bytes).data());
}

void Writer::register_write(RegisterId reg, unsigned bytes, LaneMask lanes, std::span<const std::uint64_t, 32> values) {
    assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
    if (bytes == 8) return word_write(reg, lanes, values.data());
    append(EffectKind::register_write, {.bytes = bytes, .id = reg.value}, lanes);
    append_values(bytes, 1, lanes, values);
}

/// `values[element * 32 + lane]` -> element by element, lanes packed.
void Writer::append_values(unsigned bytes, unsigned elements, LaneMask lanes, std::span<const std::uint64_t> values) {
    assert(values.size() >= std::size_t{elements} * warp_size);
    for (unsigned element = 0; element < elements; ++element) {
        const auto row = values.subspan(std::size_t{element} * warp_size).first<warp_size>();
        if (bytes == 8) {
            append_packed(trace_->wide_, lanes, row.data());
            continue;
        }
        const auto low = low_bits(row, bytes);
        std::array<std::uint32_t, warp_size> narrow;
        for (unsigned lane = 0; lane < warp_size; ++lane) narrow[lane] = static_cast<std::uint32_t>(low[lane]);
        append_packed(trace_->narrow_, lanes, narrow.data());
    }
}

void Writer::append_access(EffectKind kind, const Shape& shape, LaneMask lanes,
                           std::span<const std::uint64_t, 32> addresses) {
    append(kind, shape, lanes);
    trace_->effects_.back().even_addresses = append_row(trace_->addresses_, lanes, addresses.data());
}

void Writer::load(Space space, unsigned bytes, unsigned elements, LaneMask lanes,
                  std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> values) {
    append_access(EffectKind::load, {.space = space, .bytes = bytes, .elements = elements}, lanes, addresses);
    append_values(bytes, elements, lanes, values);
}

void Writer::store(Space space, unsigned bytes, unsigned elements, LaneMask lanes,
                   std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> before,
                   std::span<const std::uint64_t> after) {
    append_access(EffectKind::store, {.space = space, .bytes = bytes, .elements = elements}, lanes, addresses);
    append_values(bytes, elements, lanes, before);
    append_values(bytes, elements, lanes, after);
}

void Writer::load_words(Space space, LaneMask lanes, std::span<const std::uint64_t, 32> addresses,
                        std::span<const std::uint32_t, 32> values) {
    append_access(EffectKind::load, {.space = space, .bytes = 4}, lanes, addresses);
    append_packed(trace_->narrow_, lanes, values.data());
}

void Writer::store_words(Space space, LaneMask lanes, std::span<const std::uint64_t, 32> addresses,
                         std::span<const std::uint32_t, 32> before, std::span<const std::uint32_t, 32> after) {
    append_access(EffectKind::store, {.space = space, .bytes = 4}, lanes, addresses);
    append_packed(trace_->narrow_, lanes, before.data());
    append_packed(trace_->narrow_, lanes, after.data());
}

void Writer::atomic(Space space, unsigned bytes, std::uint32_t operation, LaneMask lanes,
                    std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> before,
                    std::span<const std::uint64_t> after) {
    append_access(EffectKind::atomic, {.space = space, .bytes = bytes, .id = operation}, lanes, addresses);
    append_values(bytes, 1, lanes, before);
    append_values(bytes, 1, lanes, after);
}

void Writer::shuffle(LaneMask lanes, std::span<const std::uint32_t, 32> source_lane) {
    append(EffectKind::shuffle, {.bytes = 1}, lanes);
    append_packed(trace_->narrow_, lanes, low_bits(source_lane, 1).data());
}

std::optional<StepId> Writer::step_at(std::uint32_t launch, BlockId block, WarpId warp, PtxLine line) const {
    if (!trace_->wholly_recorded(launch, block)) return std::nullopt;  // of a cut block, its last step is gone
    for (std::size_t i = trace_->steps_.size(); i-- > 0;) {
        const Step& step = trace_->steps_[i];
        if (step.launch != launch) break;
        if (step.block != block || step.warp != warp) continue;
        return step.line == line ? std::optional(StepId(static_cast<std::uint32_t>(i))) : std::nullopt;
    }
    return std::nullopt;
}

void Writer::set_step(Finding& finding) const {
    if (!finding.step) finding.step = step_at(finding.launch, finding.block, finding.warp, finding.line);
}

void Writer::again(Finding& listed, BlockId block, WarpId warp, PtxLine line,
                   std::optional<std::uint64_t> address) const {
    ++listed.count;
    if (!address || listed.again.size() >= Finding::most_again) return;
    if (const auto step = step_at(listed.launch, block, warp, line))
        listed.again.push_back({.step = *step, .address = *address});
}

void Writer::finding(Finding finding) {
    set_step(finding);
    trace_->findings.push_back(std::move(finding));
}

void Writer::remark(Finding finding) {
    set_step(finding);
    trace_->remarks.push_back(std::move(finding));
}

void Writer::expect(double times, std::uint64_t most_bytes) {
    constexpr double spare = 1.0 / 16;  // less than trim() would release
    if (static_cast<double>(bytes()) * times > static_cast<double>(most_bytes)) return;
    const auto make_room = [&](auto& values) {
        // Plus one row: room for a whole one is requested even for the last.
        values.reserve(static_cast<std::size_t>(static_cast<double>(values.size()) * (times + spare)) + warp_size);
    };
    make_room(trace_->steps_);
    make_room(trace_->effects_);
    make_room(trace_->narrow_);
    make_room(trace_->wide_);
    make_room(trace_->addresses_);
}

std::uint64_t Writer::bytes() const { return all_bytes() - dropped_bytes_; }

std::uint64_t Writer::all_bytes() const {
    return bytes_of(trace_->steps_) + bytes_of(trace_->effects_) + bytes_of(trace_->narrow_) + bytes_of(trace_->wide_) +
           bytes_of(trace_->addresses_);
}

std::shared_ptr<const Trace> Writer::finish() {
    trim(trace_->steps_);
    trim(trace_->effects_);
    trim(trace_->narrow_);
    trim(trace_->wide_);
    trim(trace_->addresses_);
    return std::move(trace_);
}

}  // namespace lanescope::trace
