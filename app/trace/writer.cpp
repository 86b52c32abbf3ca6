#include "trace/writer.h"

#include <array>
#include <cassert>

namespace lanescope::trace {

namespace {

/// Each lane's value, cut to the bytes that it has: what lies above them in an executor's register is nobody's.
template <class To, class From>
void append_lanes(std::vector<To>& pool, unsigned bytes, LaneMask lanes, std::span<const From> values) {
    const std::uint64_t kept = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
    if constexpr (std::is_same_v<To, From>) {
        if (lanes == LaneMask::all() && bytes == sizeof(To)) {
            pool.insert(pool.end(), values.begin(), values.begin() + warp_size);
            return;
        }
    }
    std::array<To, warp_size> packed;
    std::size_t count = 0;
    if (lanes == LaneMask::all()) {
        for (; count < warp_size; ++count) packed[count] = static_cast<To>(values[count] & kept);
    } else {
        for (const unsigned lane : lanes) packed[count++] = static_cast<To>(values[lane] & kept);
    }
    pool.insert(pool.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(count));
}

/// `values[element * 32 + lane]` -> element by element, lanes packed.
template <class To>
void append_elements(std::vector<To>& pool, unsigned bytes, unsigned elements, LaneMask lanes,
                     std::span<const std::uint64_t> values) {
    assert(values.size() >= std::size_t{elements} * warp_size);
    for (unsigned element = 0; element < elements; ++element) {
        append_lanes(pool, bytes, lanes, values.subspan(std::size_t{element} * warp_size, warp_size));
    }
}

template <class T>
std::uint64_t bytes_of(const std::vector<T>& values) {
    return values.size() * sizeof(T);
}

/// Gives back what doubling reserved beyond need; a copy that is worth it only where much would lie idle.
template <class T>
void trim(std::vector<T>& values) {
    constexpr std::size_t little = std::size_t{1} << 20;  // bytes
    const std::size_t idle = values.capacity() - values.size();
    if (idle > values.size() / 8 && idle * sizeof(T) > little) values.shrink_to_fit();
}

template <class T>
std::uint32_t size_of(const std::vector<T>& values) {
    assert(values.size() < std::numeric_limits<std::uint32_t>::max());
    return static_cast<std::uint32_t>(values.size());
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
    trace_->launches.back().past_last_step = next_step();
}

void Writer::begin_step(BlockId block, WarpId warp, PtxLine line, std::uint32_t epoch, LaneMask active,
                        LaneMask executed) {
    assert(!trace_->launches.empty());
    assert((executed & ~active).none());
    trace_->steps_.push_back({.launch = size_of(trace_->launches) - 1,
                              .block = block,
                              .warp = warp,
                              .line = line,
                              .epoch = epoch,
                              .active = active,
                              .executed = executed,
                              .first_effect = size_of(trace_->effects_),
                              .effect_count = 0});
}

Effect& Writer::append(EffectKind kind, unsigned bytes, unsigned elements, LaneMask lanes) {
    assert(!trace_->steps_.empty());
    const bool wide = bytes == 8;
    ++trace_->steps_.back().effect_count;
    return trace_->effects_.emplace_back(Effect{.kind = kind,
                                                .bytes = static_cast<std::uint8_t>(bytes),
                                                .elements = static_cast<std::uint8_t>(elements),
                                                .lanes = lanes,
                                                .first_value = wide ? size_of(trace_->wide_) : size_of(trace_->narrow_),
                                                .first_address = size_of(trace_->addresses_)});
}

void Writer::begin_register_write(RegisterId reg, unsigned bytes, LaneMask lanes,
                                  std::span<const std::uint32_t, 32> before) {
    assert(bytes == 1 || bytes == 2 || bytes == 4);
    append(EffectKind::register_write, bytes, 1, lanes).id = reg.value;
    append_lanes(trace_->narrow_, bytes, lanes, std::span<const std::uint32_t>(before));
}

void Writer::begin_register_write(RegisterId reg, unsigned bytes, LaneMask lanes,
                                  std::span<const std::uint64_t, 32> before) {
    assert(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
    append(EffectKind::register_write, bytes, 1, lanes).id = reg.value;
    append_values(bytes, 1, lanes, before);
}

void Writer::end_register_write(unsigned bytes, LaneMask lanes, std::span<const std::uint32_t, 32> after) {
    append_lanes(trace_->narrow_, bytes, lanes, std::span<const std::uint32_t>(after));
}

void Writer::end_register_write(unsigned bytes, LaneMask lanes, std::span<const std::uint64_t, 32> after) {
    append_values(bytes, 1, lanes, after);
}

void Writer::register_write(RegisterId reg, unsigned bytes, LaneMask lanes, std::span<const std::uint32_t, 32> before,
                            std::span<const std::uint32_t, 32> after) {
    begin_register_write(reg, bytes, lanes, before);
    end_register_write(bytes, lanes, after);
}

void Writer::register_write(RegisterId reg, unsigned bytes, LaneMask lanes, std::span<const std::uint64_t, 32> before,
                            std::span<const std::uint64_t, 32> after) {
    begin_register_write(reg, bytes, lanes, before);
    end_register_write(bytes, lanes, after);
}

void Writer::predicate_write(RegisterId reg, LaneMask lanes, LaneMask before, LaneMask after) {
    append(EffectKind::register_write, 0, 1, lanes).id = reg.value;
    trace_->narrow_.push_back((before & lanes).bits());
    trace_->narrow_.push_back((after & lanes).bits());
}

void Writer::append_values(unsigned bytes, unsigned elements, LaneMask lanes, std::span<const std::uint64_t> values) {
    if (bytes == 8) {
        append_elements(trace_->wide_, 8, elements, lanes, values);
    } else {
        append_elements(trace_->narrow_, bytes, elements, lanes, values);
    }
}

void Writer::load(Space space, unsigned bytes, unsigned elements, LaneMask lanes,
                  std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> values) {
    append(EffectKind::load, bytes, elements, lanes).space = space;
    append_lanes(trace_->addresses_, 8, lanes, std::span<const std::uint64_t>(addresses));
    append_values(bytes, elements, lanes, values);
}

void Writer::store(Space space, unsigned bytes, unsigned elements, LaneMask lanes,
                   std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> before,
                   std::span<const std::uint64_t> after) {
    append(EffectKind::store, bytes, elements, lanes).space = space;
    append_lanes(trace_->addresses_, 8, lanes, std::span<const std::uint64_t>(addresses));
    append_values(bytes, elements, lanes, before);
    append_values(bytes, elements, lanes, after);
}

void Writer::load_words(Space space, LaneMask lanes, std::span<const std::uint64_t, 32> addresses,
                        std::span<const std::uint32_t, 32> values) {
    append(EffectKind::load, 4, 1, lanes).space = space;
    append_lanes(trace_->addresses_, 8, lanes, std::span<const std::uint64_t>(addresses));
    append_lanes(trace_->narrow_, 4, lanes, std::span<const std::uint32_t>(values));
}

void Writer::store_words(Space space, LaneMask lanes, std::span<const std::uint64_t, 32> addresses,
                         std::span<const std::uint32_t, 32> before, std::span<const std::uint32_t, 32> after) {
    append(EffectKind::store, 4, 1, lanes).space = space;
    append_lanes(trace_->addresses_, 8, lanes, std::span<const std::uint64_t>(addresses));
    append_lanes(trace_->narrow_, 4, lanes, std::span<const std::uint32_t>(before));
    append_lanes(trace_->narrow_, 4, lanes, std::span<const std::uint32_t>(after));
}

void Writer::atomic(Space space, unsigned bytes, std::uint32_t operation, LaneMask lanes,
                    std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> before,
                    std::span<const std::uint64_t> after) {
    Effect& effect = append(EffectKind::atomic, bytes, 1, lanes);
    effect.space = space;
    effect.id = operation;
    append_lanes(trace_->addresses_, 8, lanes, std::span<const std::uint64_t>(addresses));
    append_values(bytes, 1, lanes, before);
    append_values(bytes, 1, lanes, after);
}

void Writer::control(EffectKind kind, LaneMask lanes, std::uint32_t id) {
    assert(kind == EffectKind::branch || kind == EffectKind::barrier || kind == EffectKind::exit ||
           kind == EffectKind::reconverge);
    append(kind, 0, 0, lanes).id = id;
}

void Writer::shuffle(LaneMask lanes, std::span<const std::uint32_t, 32> source_lane) {
    append(EffectKind::shuffle, 1, 1, lanes);
    append_lanes(trace_->narrow_, 1, lanes, std::span<const std::uint32_t>(source_lane));
}

void Writer::finding(Finding finding) {
    // The step is the warp's last one, if it is the instruction at fault; of a block that is not recorded there is none.
    if (!finding.step && trace_->recorded(finding.launch, finding.block)) {
        for (std::size_t i = trace_->steps_.size(); i-- > 0;) {
            const Step& step = trace_->steps_[i];
            if (step.launch != finding.launch) break;
            if (step.block != finding.block || step.warp != finding.warp) continue;
            if (step.line == finding.line) finding.step = StepId(static_cast<std::uint32_t>(i));
            break;
        }
    }
    trace_->findings.push_back(std::move(finding));
}

void Writer::expect(double times, std::uint64_t most_bytes) {
    constexpr double spare = 1.0 / 16;  // less than what trim() would give back
    if (static_cast<double>(bytes()) * times > static_cast<double>(most_bytes)) return;
    const auto make_room = [&](auto& values) {
        values.reserve(static_cast<std::size_t>(static_cast<double>(values.size()) * (times + spare)));
    };
    make_room(trace_->steps_);
    make_room(trace_->effects_);
    make_room(trace_->narrow_);
    make_room(trace_->wide_);
    make_room(trace_->addresses_);
}

std::uint64_t Writer::bytes() const {
    return bytes_of(trace_->steps_) + bytes_of(trace_->effects_) + bytes_of(trace_->narrow_) + bytes_of(trace_->wide_) +
           bytes_of(trace_->addresses_);
}

StepId Writer::next_step() const { return StepId(size_of(trace_->steps_)); }

std::shared_ptr<const Trace> Writer::finish() {
    trim(trace_->steps_);
    trim(trace_->effects_);
    trim(trace_->narrow_);
    trim(trace_->wide_);
    trim(trace_->addresses_);
    return std::move(trace_);
}

}  // namespace lanescope::trace
