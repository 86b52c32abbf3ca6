// The parts of a trace file about the execution: steps and effects column by column, and the effects' values.
#include "trace/container.h"
#include "trace/sections.h"
#include "trace/value_code.h"

#include <algorithm>
#include <array>

namespace lanescope::trace {

namespace {

/// One column for each kind of number, so that neighbors are alike; each column is preceded by its length.
template <std::size_t Count>
class ColumnWriter {
  public:
    ByteWriter& operator[](std::size_t column) { return columns_[column]; }
    void write(ByteWriter& out) const {
        for (const ByteWriter& column : columns_) out.block(column.bytes());
    }

  private:
    std::array<ByteWriter, Count> columns_;
};

template <std::size_t Count>
class ColumnReader {
  public:
    explicit ColumnReader(ByteReader& in) {
        for (ByteReader& column : columns_) column = ByteReader(in.block());
    }
    ByteReader& operator[](std::size_t column) { return columns_[column]; }
    /// Whether every column can hold this many rows, at a byte each at least.
    [[nodiscard]] bool can_hold(std::uint64_t rows) const {
        return std::ranges::all_of(columns_, [&](const ByteReader& column) { return rows <= column.left(); });
    }
    [[nodiscard]] bool failed() const { return std::ranges::any_of(columns_, &ByteReader::failed); }
    [[nodiscard]] bool done() const { return std::ranges::all_of(columns_, &ByteReader::done); }

  private:
    std::array<ByteReader, Count> columns_;
};

enum StepColumn : std::size_t { block, warp, line, epoch, active, executed, effect_count, step_columns };
enum EffectColumn : std::size_t { kind_and_space, shape, id, lanes, effect_columns };

/// The last value of a column plus a difference; the sum must fit 32 bits.
std::uint32_t step_from(std::uint32_t last, ByteReader& column) {
    const std::int64_t difference = column.signed_number();
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    if (difference > most || difference < -most) return column.fail(), 0;
    const std::int64_t value = std::int64_t{last} + difference;
    if (value < 0 || value > most) return column.fail(), 0;
    return static_cast<std::uint32_t>(value);
}

/// The values that the first step's differences refer to.
Step before_first() {
    Step step;
    step.block = BlockId(0);
    step.warp = WarpId(0);
    step.line = PtxLine(0);
    return step;
}

std::int64_t rise(std::uint32_t from, std::uint32_t to) { return std::int64_t{to} - std::int64_t{from}; }

/// The lanes of a warp in the launch: the last warp of a block may have fewer than 32, and none follows it.
LaneMask lanes_of(const Launch& launch, WarpId warp_id) {
    const std::uint64_t threads = launch.block.count();
    const std::uint64_t before = std::uint64_t{warp_id.value} * warp_size;
    if (before >= threads) return {};
    return LaneMask::first(static_cast<unsigned>(std::min<std::uint64_t>(threads - before, warp_size)));
}

std::uint32_t count_lines(std::string_view text) {
    return 1 + static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

}  // namespace

// --- Steps -----------------------------------------------------------------------------------------------------

void write_steps(ByteWriter& out, const Trace& trace) {
    ColumnWriter<step_columns> columns;
    Step last = before_first();
    for (const Step& step : trace.steps()) {
        columns[block].signed_number(rise(last.block.value, step.block.value));
        columns[warp].signed_number(rise(last.warp.value, step.warp.value));
        columns[line].signed_number(rise(last.line.value, step.line.value));
        columns[epoch].signed_number(rise(last.epoch, step.epoch));
        columns[active].number((~step.active).bits());
        columns[executed].number((step.active ^ step.executed).bits());
        columns[effect_count].number(step.effect_count);
        last = step;
    }
    out.number(trace.step_count());
    columns.write(out);
}

void read_steps(ByteReader& in, Trace& trace) {
    const std::uint64_t count = in.number();
    ColumnReader<step_columns> columns(in);
    const std::uint64_t launched = trace.launches.empty() ? 0 : trace.launches.back().past_last_step.index();
    if (in.failed() || count != launched || !columns.can_hold(count)) return in.fail();
    const std::uint32_t ptx_lines = count_lines(trace.origin.ptx);

    Pool<Step>& steps = FileAccess::steps(trace);
    steps.reserve(count);
    Step step = before_first();
    std::uint64_t first_effect = 0;
    for (std::uint32_t i = 0; i < trace.launches.size(); ++i) {
        const Launch& launch = trace.launches[i];
        const std::size_t epochs = trace.counts[i].size();
        step.launch = i;
        while (steps.size() < launch.past_last_step.index()) {
            step.block = BlockId(step_from(step.block.value, columns[block]));
            step.warp = WarpId(step_from(step.warp.value, columns[warp]));
            step.line = PtxLine(step_from(step.line.value, columns[line]));
            step.epoch = step_from(step.epoch, columns[epoch]);
            step.active = ~LaneMask(static_cast<std::uint32_t>(columns[active].number_up_to(~0U)));
            step.executed = step.active ^ LaneMask(static_cast<std::uint32_t>(columns[executed].number_up_to(~0U)));
            step.first_effect = static_cast<std::uint32_t>(first_effect);
            step.effect_count = static_cast<std::uint32_t>(columns[effect_count].number_up_to(~0U));
            first_effect += step.effect_count;
            const bool possible = trace.recorded(i, step.block) && (step.executed & ~step.active).none() &&
                                  (step.active & ~lanes_of(launch, step.warp)).none() && step.line.value >= 1 &&
                                  step.line.value <= ptx_lines && step.epoch < epochs;
            if (!possible || columns.failed() || first_effect > ~0U) return in.fail();
            steps.add(step);
        }
    }
    if (!columns.done()) in.fail();
}

// --- Effects ---------------------------------------------------------------------------------------------------

namespace {

unsigned log2_of(unsigned bytes) { return static_cast<unsigned>(std::countr_zero(bytes)); }

/// Element size and count in one byte: the count in the high half, 0 or 1 + log2 of the bytes in the low one.
std::uint8_t shape_of(const Effect& effect) {
    const unsigned bytes = effect.bytes == 0 ? 0 : 1 + log2_of(effect.bytes);
    return static_cast<std::uint8_t>(unsigned{effect.elements} << 4 | bytes);
}

/// Whether the shape is valid for the kind of effect.
bool possible(const Effect& effect, const Step& step, const Trace& trace) {
    switch (effect.kind) {
        case EffectKind::register_write: {
            if (effect.id >= trace.registers.size() || effect.elements != 1) return false;
            const bool predicate = trace.registers[effect.id].bytes == 0;
            return predicate == (effect.bytes == 0) && (effect.lanes & ~step.active).none();
        }
        case EffectKind::load:
        case EffectKind::store:
            return effect.bytes != 0 && effect.elements >= 1 && effect.elements <= 8 &&
                   (effect.lanes & ~step.active).none();
        case EffectKind::atomic:
            return effect.bytes != 0 && effect.elements == 1 && (effect.lanes & ~step.active).none();
        case EffectKind::shuffle:
            return effect.bytes == 1 && effect.elements == 1 && (effect.lanes & ~step.active).none();
        case EffectKind::branch:
        case EffectKind::barrier:
        case EffectKind::exit:
        case EffectKind::reconverge: return effect.bytes == 0 && effect.elements == 0;
    }
    return false;
}

/// The most values that an effect takes of each pool.
struct PoolSizes {
    std::uint64_t narrow = 0, wide = 0, addresses = 0;

    void add(const Effect& effect) {
        const std::uint64_t lane_count = effect.lanes.count();
        if (is_access(effect.kind)) addresses += lane_count;
        const bool two_sided = is_write(effect.kind);
        if (effect.kind == EffectKind::register_write && effect.bytes == 0) {
            narrow += effect.lanes.any() ? 1 : 0;
        } else {
            (effect.bytes == 8 ? wide : narrow) += lane_count * effect.elements * (two_sided ? 2 : 1);
        }
    }
    [[nodiscard]] std::uint64_t bytes() const { return 4 * narrow + 8 * (wide + addresses); }
};

}  // namespace

void write_effects(ByteWriter& out, const Trace& trace) {
    ColumnWriter<effect_columns> columns;
    for (const Step& step : trace.steps()) {
        for (const Effect& effect : trace.effects(step)) {
            columns[kind_and_space].u8(static_cast<std::uint8_t>(static_cast<unsigned>(effect.kind) |
                                                                 static_cast<unsigned>(effect.space) << 4));
            columns[shape].u8(shape_of(effect));
            columns[id].number(effect.id);
            columns[lanes].number((step.executed ^ effect.lanes).bits());
        }
    }
    columns.write(out);
}

void read_effects(ByteReader& in, Trace& trace) {
    ColumnReader<effect_columns> columns(in);
    const auto steps = trace.steps();
    const std::uint64_t count =
        steps.empty() ? 0 : std::uint64_t{steps.back().first_effect} + steps.back().effect_count;
    if (in.failed() || !columns.can_hold(count)) return in.fail();

    Pool<Effect>& effects = FileAccess::effects(trace);
    effects.reserve(count);
    PoolSizes sizes;
    for (const Step& step : steps) {
        for (std::uint32_t i = 0; i < step.effect_count; ++i) {
            Effect effect;
            const unsigned kind_space = columns[kind_and_space].u8();
            const unsigned bytes_elements = columns[shape].u8();
            const unsigned bytes = bytes_elements & 0xFU;
            if ((kind_space & 0xFU) > static_cast<unsigned>(EffectKind::reconverge) ||
                (kind_space >> 4) > static_cast<unsigned>(Space::constant) || bytes > 4) {
                return in.fail();
            }
            effect.kind = static_cast<EffectKind>(kind_space & 0xFU);
            effect.space = static_cast<Space>(kind_space >> 4);
            effect.bytes = static_cast<std::uint8_t>(bytes == 0 ? 0 : 1U << (bytes - 1));
            effect.elements = static_cast<std::uint8_t>(bytes_elements >> 4);
            effect.id = static_cast<std::uint32_t>(columns[id].number_up_to(~0U));
            effect.lanes = step.executed ^ LaneMask(static_cast<std::uint32_t>(columns[lanes].number_up_to(~0U)));
            sizes.add(effect);
            if (columns.failed() || !possible(effect, step, trace) || sizes.bytes() > largest_payload) return in.fail();
            effects.add(effect);
        }
    }
    if (!columns.done()) in.fail();
}

// --- Values ----------------------------------------------------------------------------------------------------

void write_values(ByteWriter& out, const Trace& trace) {
    ValueEncoder encoder(trace);
    for (const Step& step : trace.steps()) encoder.step(step);
    out.block(encoder.codes.bytes());
    out.block(encoder.numbers.bytes());
    out.block(encoder.raw.bytes());
}

void read_values(ByteReader& in, Trace& trace) {
    const ByteReader codes(in.block());
    const ByteReader numbers(in.block());
    const ByteReader raw(in.block());
    if (in.failed()) return;
    ValuePools pools;
    pools.narrow.swap(FileAccess::narrow(trace));
    pools.wide.swap(FileAccess::wide(trace));
    pools.addresses.swap(FileAccess::addresses(trace));
    ValueDecoder decoder(codes, numbers, raw, pools);
    for (const Step& step : trace.steps()) {
        decoder.step(std::span<Effect>(FileAccess::effects(trace)).subspan(step.first_effect, step.effect_count));
        if (decoder.failed()) return in.fail();
    }
    if (!decoder.done()) return in.fail();
    pools.narrow.swap(FileAccess::narrow(trace));
    pools.wide.swap(FileAccess::wide(trace));
    pools.addresses.swap(FileAccess::addresses(trace));
}

}  // namespace lanescope::trace
