#include "random_trace.h"

#include "trace/writer.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

namespace lanescope::trace {

namespace {

constexpr unsigned register_count = 6;  // 0..2 of 4 bytes, 3..4 of 8 bytes, 5 a predicate
constexpr std::uint64_t shared_bytes = 1024;
constexpr std::uint64_t buffer_address = 0x10000;
constexpr std::uint64_t buffer_bytes = 2048;

using Lanes = std::array<std::uint64_t, 32>;

/// Registers and memory of the random machine, and the writer, which records each change.
class RandomMachine {
  public:
    explicit RandomMachine(const RandomTraceOptions& options)
        : options_(options), random_(options.seed), writer_(make_origin(options.seed)) {
        Trace& trace = writer_.trace();
        for (unsigned i = 0; i < register_count; ++i) {
            trace.registers.push_back({"%r" + std::to_string(i), width_of(i)});
        }
        trace.shared_arrays.push_back({"sdata", 0, shared_bytes / 2, Element::s32});
        trace.shared_arrays.push_back({"scratch", shared_bytes / 2, shared_bytes / 2, std::nullopt});
        if (options_.seed % 3 == 0) trace.schedule = "shuffled " + std::to_string(options_.seed);
        add_buffer("in", buffer_address);
        add_buffer("out", buffer_address + 2 * buffer_bytes);
    }

    std::shared_ptr<const Trace> run() {
        for (launch_ = 0; launch_ < options_.launches; ++launch_) {
            begin_launch();
            for (unsigned i = 0; i < options_.steps; ++i) step();
            writer_.end_launch();
            add_counts();
        }
        for (Buffer& buffer : writer_.trace().buffers) {
            std::byte* const final = buffer.final.writable();
            for (std::size_t i = 0; i < buffer_bytes; ++i) final[i] = global_[buffer.address + i];
        }
        return writer_.finish();
    }

  private:
    RandomTraceOptions options_;
    std::mt19937 random_;
    Writer writer_;
    unsigned launch_ = 0;
    std::map<std::array<unsigned, 4>, Lanes> registers_;                            // launch, block, warp, register
    std::map<std::array<unsigned, 2>, std::map<std::uint64_t, std::byte>> shared_;  // launch, block
    std::map<std::uint64_t, std::byte> global_;

    static Origin make_origin(std::uint32_t seed) {
        Origin origin;
        origin.program = "random/machine";
        origin.source = "__global__ void machine(int* in, int* out) {}\n";
        origin.source_name = "machine.cu";
        for (int line = 1; line <= 60; ++line) origin.ptx += "// line " + std::to_string(line) + "\n";
        origin.n = 512;
        origin.input = "random " + std::to_string(seed);
        origin.oracle = "none";
        origin.banks = 16;
        return origin;
    }

    static std::uint8_t width_of(unsigned reg) {
        constexpr std::array<std::uint8_t, register_count> widths{4, 4, 4, 8, 8, 0};
        return widths[reg];
    }

    unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
    LaneMask some_lanes() {
        return below(3) == 0 ? LaneMask(random_()) : below(4) == 0 ? LaneMask::first(below(33)) : LaneMask::all();
    }

    void add_buffer(const char* name, std::uint64_t address) {
        Buffer buffer;
        buffer.name = name;
        buffer.address = address;
        buffer.bytes = buffer_bytes;
        buffer.output = address != buffer_address;
        buffer.final.resize(buffer_bytes);
        std::vector<std::byte> initial;
        for (std::size_t i = 0; i < buffer_bytes; ++i) {
            initial.push_back(static_cast<std::byte>(i * 7));
            global_[address + i] = initial.back();
        }
        buffer.initial = initial;
        writer_.trace().buffers.push_back(std::move(buffer));
    }

    void write_by_host() {
        for (unsigned write = below(3); write > 0; --write) {
            const unsigned buffer = below(2);
            const unsigned offset = below(buffer_bytes);
            const unsigned bytes = below(static_cast<unsigned>(buffer_bytes) - offset + 1);
            HostWrite written{.launch = launch_, .buffer = buffer, .offset = offset, .source_line = below(50)};
            for (std::uint64_t at = writer_.trace().buffers[buffer].address + offset; written.after.size() < bytes;
                 ++at) {
                written.before.push_back(global_[at]);
                written.after.push_back(global_[at] = static_cast<std::byte>(random_()));
            }
            if (below(2) == 1)
                written.source = HostWrite::Source{.buffer = 1 - buffer,
                                                   .offset = below(static_cast<unsigned>(buffer_bytes) - bytes + 1)};
            writer_.trace().host_writes.push_back(std::move(written));
        }
    }

    void begin_launch() {
        write_by_host();
        Launch launch;
        launch.kernel = "machine" + std::to_string(launch_);
        launch.grid = {options_.blocks + 1, 1, 1};
        launch.block = {options_.warps * 32, 1, 1};
        launch.static_shared_bytes = shared_bytes / 2;
        launch.dynamic_shared_bytes = shared_bytes / 2;
        launch.arguments.push_back({"in", "int*", 0, std::vector<std::byte>(8, std::byte{1})});
        launch.arguments.push_back({"count", "int", std::nullopt, std::vector<std::byte>(4, std::byte{2})});
        for (unsigned block = 0; block < options_.blocks; ++block) launch.recorded.emplace_back(block);
        launch.stack_bytes = options_.seed % 2 == 0 ? 8192 * launch_ : 0;
        launch.resident = launch_ % 2 == 0 ? options_.blocks : 0;
        if (launch_ % 3 == 1)
            launch.residency = {.multiprocessors = 4,
                                .blocks_each = 2,
                                .order = {.kind = BlockOrder::Kind::shuffled, .seed = 7, .late = {0}, .stalled = {}}};
        for (unsigned block = 0; launch_ % 2 == 0 && block <= options_.blocks; ++block)
            launch.blocks.push_back({.warp_instructions = 40 + block, .longest_warp = 20 + block, .waited = block});
        writer_.begin_launch(std::move(launch));
    }

    void add_counts() {
        auto& epochs = writer_.trace().counts.emplace_back();
        for (unsigned epoch = 0; epoch < 5; ++epoch) {
            Counts counts;
            counts.warp_instructions = below(1000);
            counts.shared_load_wavefronts = below(1000);
            counts.operations = below(1000);
            epochs.push_back(counts);
        }
    }

    void step() {
        const unsigned block = below(options_.blocks);
        const unsigned warp = below(options_.warps);
        const LaneMask active = some_lanes();
        const LaneMask executed = below(4) == 0 ? active & LaneMask(random_()) : active;
        writer_.begin_step(BlockId(block), WarpId(warp), PtxLine(1 + below(60)), below(5), active, executed);
        switch (below(9)) {
            case 0: access(block, Space::shared, executed); break;
            case 1: access(block, Space::global, executed); break;
            case 2: atomic(block, executed); break;
            case 3: {
                std::array<std::uint32_t, 32> sources{};
                for (auto& source : sources) source = below(32);
                writer_.shuffle(executed, sources);
                write_register(block, warp, executed);
                break;
            }
            case 4: writer_.control(EffectKind::branch, executed); break;
            case 5: writer_.control(EffectKind::barrier, executed, below(16)); break;
            case 6:
                if (below(20) == 0) writer_.control(EffectKind::exit, executed);
                writer_.control(EffectKind::reconverge, executed);
                break;
            default: write_register(block, warp, executed); break;
        }
        if (below(50) == 0) find_fault(block, warp);
    }

    void find_fault(unsigned block, unsigned warp) {
        Finding finding;
        finding.kind = Finding::Kind::race;
        finding.launch = launch_;
        finding.block = BlockId(block);
        finding.warp = WarpId(warp);
        finding.lane = LaneId(below(32));
        finding.line = PtxLine(3);
        finding.source_line = 1;
        if (below(2) == 0) finding.address = below(1000);
        finding.message = "lane 3 reads what lane 4 writes";
        if (below(2) == 0) finding.variable = "sdata";
        finding.count = 1 + below(100);
        if (below(2) == 0) {
            finding.other = Finding::Side{.block = BlockId(block),
                                          .warp = WarpId(warp),
                                          .lane = LaneId(below(32)),
                                          .line = PtxLine(2),
                                          .source_line = 1,
                                          .step = StepId(0)};
        }
        for (unsigned again = below(3); again > 0; --again)
            finding.again.push_back({.step = StepId(below(3)), .address = below(1000)});
        writer_.trace().printed.push_back({.launch = launch_,
                                           .block = BlockId(block),
                                           .warp = WarpId(warp),
                                           .lane = LaneId(below(32)),
                                           .step = std::nullopt,
                                           .text = "sum = 3\n"});
        writer_.trace().notes.emplace_back("Recorded 1 of 2 blocks.");
        if (below(3) == 0) writer_.remark(finding);
        writer_.finding(std::move(finding));
    }

    void write_register(unsigned block, unsigned warp, LaneMask lanes) {
        const unsigned reg = below(register_count);
        Lanes& now = registers_[{launch_, block, warp, reg}];
        const std::uint64_t base = random_(), stride = below(3) == 0 ? random_() : below(9);
        for (const unsigned lane : lanes) {
            std::uint64_t value = below(40) == 0 ? random_() : base + stride * lane;
            if (width_of(reg) == 4) value &= 0xFFFFFFFFU;
            if (width_of(reg) == 0) value &= 1U;
            now[lane] = value;
        }
        if (width_of(reg) == 8) {
            writer_.register_write(RegisterId(reg), 8, lanes, now);
        } else if (width_of(reg) == 4) {
            std::array<std::uint32_t, 32> narrow{};
            for (unsigned lane = 0; lane < 32; ++lane) narrow[lane] = static_cast<std::uint32_t>(now[lane]);
            writer_.register_write(RegisterId(reg), 4, lanes, narrow);
        } else {
            LaneMask set;
            for (unsigned lane = 0; lane < 32; ++lane) {
                if (now[lane] != 0) set |= LaneMask::only(lane);
            }
            writer_.predicate_write(RegisterId(reg), lanes, set);
        }
    }

    std::byte& cell(unsigned block, Space space, std::uint64_t address) {
        return space == Space::shared ? shared_[{launch_, block}][address] : global_[address];
    }
    std::uint64_t read(unsigned block, Space space, std::uint64_t address, unsigned bytes) {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < bytes; ++i) {
            value |= std::uint64_t{std::to_integer<std::uint8_t>(cell(block, space, address + i))} << (8 * i);
        }
        return value;
    }
    void write(unsigned block, Space space, std::uint64_t address, unsigned bytes, std::uint64_t value) {
        for (unsigned i = 0; i < bytes; ++i) cell(block, space, address + i) = static_cast<std::byte>(value >> (8 * i));
    }
    std::uint64_t value_of_width(unsigned bytes) {
        const std::uint64_t value = std::uint64_t{random_()} << 32 | random_();
        return bytes == 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
    }

    Lanes some_addresses(Space space, unsigned unit) {
        const std::uint64_t size = space == Space::shared ? shared_bytes : buffer_bytes;
        const std::uint64_t base = space == Space::shared ? 0 : buffer_address + (below(2) == 0 ? 0 : 2 * buffer_bytes);
        const auto units = static_cast<unsigned>(size / unit);
        Lanes addresses{};
        const bool scattered = below(2) == 0;
        const unsigned first = below(units);
        for (unsigned lane = 0; lane < 32; ++lane) {
            addresses[lane] = base + std::uint64_t{unit} * (scattered ? below(units) : (first + lane) % units);
        }
        return addresses;
    }

    void access(unsigned block, Space space, LaneMask lanes) {
        const unsigned bytes = 1U << below(4);
        const unsigned elements = bytes >= 4 && below(3) == 0 ? 2 : 1;
        const Lanes addresses = some_addresses(space, bytes * elements);
        std::vector<std::uint64_t> before(std::size_t{elements} * 32), after(before.size());
        const bool store = below(2) == 0;
        for (const unsigned lane : lanes) {
            for (unsigned element = 0; element < elements; ++element) {
                const std::uint64_t address = addresses[lane] + std::uint64_t{element} * bytes;
                before[element * 32 + lane] = read(block, space, address, bytes);
                after[element * 32 + lane] = value_of_width(bytes);
                if (store) write(block, space, address, bytes, after[element * 32 + lane]);
            }
        }
        if (store) {
            writer_.store(space, bytes, elements, lanes, addresses, before, after);
        } else {
            writer_.load(space, bytes, elements, lanes, addresses, before);
        }
    }

    void atomic(unsigned block, LaneMask lanes) {
        const Space space = below(2) == 0 ? Space::shared : Space::global;
        const unsigned bytes = below(2) == 0 ? 4 : 8;
        const Lanes addresses = some_addresses(space, bytes);
        Lanes before{}, after{};
        for (const unsigned lane : lanes) {
            before[lane] = read(block, space, addresses[lane], bytes);
            after[lane] = value_of_width(bytes);
            write(block, space, addresses[lane], bytes, after[lane]);
        }
        writer_.atomic(space, bytes, 1, lanes, addresses, before, after);
    }
};

void expect_equal_values(const Trace& actual, const Effect& a, const Trace& expected, const Effect& e) {
    const bool memory = e.kind == EffectKind::load || e.kind == EffectKind::store || e.kind == EffectKind::atomic;
    for (const unsigned lane : e.lanes) {
        if (memory) {
            ASSERT_EQ(actual.address(a, lane), expected.address(e, lane));
        }
        for (unsigned element = 0; element < e.elements; ++element) {
            if (e.kind != EffectKind::register_write) {
                ASSERT_EQ(actual.before(a, lane, element), expected.before(e, lane, element));
            }
            ASSERT_EQ(actual.after(a, lane, element), expected.after(e, lane, element));
        }
    }
}

void expect_equal_steps(const Trace& actual, const Trace& expected) {
    ASSERT_EQ(actual.step_count(), expected.step_count());
    for (std::size_t i = 0; i < expected.step_count(); ++i) {
        const Step& a = actual.steps()[i];
        const Step& e = expected.steps()[i];
        SCOPED_TRACE("step " + std::to_string(i));
        ASSERT_EQ(std::tie(a.launch, a.block, a.warp, a.line, a.epoch, a.active, a.executed),
                  std::tie(e.launch, e.block, e.warp, e.line, e.epoch, e.active, e.executed));
        ASSERT_EQ(actual.effects(a).size(), expected.effects(e).size());
        for (std::size_t j = 0; j < expected.effects(e).size(); ++j) {
            const Effect& x = actual.effects(a)[j];
            const Effect& y = expected.effects(e)[j];
            ASSERT_EQ(std::tie(x.kind, x.space, x.bytes, x.elements, x.id, x.lanes),
                      std::tie(y.kind, y.space, y.bytes, y.elements, y.id, y.lanes));
            expect_equal_values(actual, x, expected, y);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

void expect_equal_headers(const Trace& a, const Trace& e) {
    const auto origin = [](const Trace& t) {
        const Origin& o = t.origin;
        return std::tie(o.machine, o.device, o.program, o.source, o.source_name, o.ptx, o.view, o.arch, o.n, o.input,
                        o.oracle, o.banks);
    };
    EXPECT_EQ(origin(a), origin(e));
    EXPECT_EQ(a.cancelled, e.cancelled);
    EXPECT_EQ(a.schedule, e.schedule);
    EXPECT_EQ(a.counts, e.counts);
    ASSERT_EQ(a.launches.size(), e.launches.size());
    for (std::size_t i = 0; i < e.launches.size(); ++i) {
        const auto launch = [](const Launch& l) {
            return std::tie(l.kernel, l.grid, l.block, l.dynamic_shared_bytes, l.static_shared_bytes, l.recorded,
                            l.first_step, l.past_last_step, l.blocks, l.resident, l.residency, l.stack_bytes, l.cut);
        };
        EXPECT_EQ(launch(a.launches[i]), launch(e.launches[i]));
        ASSERT_EQ(a.launches[i].arguments.size(), e.launches[i].arguments.size());
        for (std::size_t j = 0; j < e.launches[i].arguments.size(); ++j) {
            const Argument& x = a.launches[i].arguments[j];
            const Argument& y = e.launches[i].arguments[j];
            EXPECT_EQ(std::tie(x.name, x.type, x.buffer, x.value), std::tie(y.name, y.type, y.buffer, y.value));
        }
    }
    ASSERT_EQ(a.buffers.size(), e.buffers.size());
    for (std::size_t i = 0; i < e.buffers.size(); ++i) {
        const Buffer& x = a.buffers[i];
        const Buffer& y = e.buffers[i];
        EXPECT_EQ(std::tie(x.name, x.element, x.address, x.bytes, x.output, x.initial, x.final),
                  std::tie(y.name, y.element, y.address, y.bytes, y.output, y.initial, y.final));
    }
    ASSERT_EQ(a.host_writes.size(), e.host_writes.size());
    for (std::size_t i = 0; i < e.host_writes.size(); ++i) {
        const auto write = [](const HostWrite& w) {
            return std::tie(w.launch, w.buffer, w.offset, w.source_line, w.before, w.after);
        };
        EXPECT_EQ(write(a.host_writes[i]), write(e.host_writes[i]));
        const auto source = [](const HostWrite& w) {
            return w.source ? std::pair(std::uint64_t{w.source->buffer} + 1, w.source->offset) : std::pair(0UL, 0UL);
        };
        EXPECT_EQ(source(a.host_writes[i]), source(e.host_writes[i]));
    }
    ASSERT_EQ(a.shared_arrays.size(), e.shared_arrays.size());
    for (std::size_t i = 0; i < e.shared_arrays.size(); ++i) {
        const SharedArray& x = a.shared_arrays[i];
        const SharedArray& y = e.shared_arrays[i];
        EXPECT_EQ(std::tie(x.name, x.offset, x.bytes, x.element), std::tie(y.name, y.offset, y.bytes, y.element));
    }
    ASSERT_EQ(a.registers.size(), e.registers.size());
    for (std::size_t i = 0; i < e.registers.size(); ++i) {
        EXPECT_EQ(std::tie(a.registers[i].name, a.registers[i].bytes),
                  std::tie(e.registers[i].name, e.registers[i].bytes));
    }
    for (const auto list : {&Trace::findings, &Trace::remarks}) {
        const std::vector<Finding>&own = a.*list, &expected = e.*list;
        ASSERT_EQ(own.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto finding = [](const Finding& f) {
                return std::tie(f.kind, f.launch, f.block, f.warp, f.lane, f.line, f.source_line, f.address, f.step,
                                f.message, f.variable, f.count, f.again);
            };
            EXPECT_EQ(finding(own[i]), finding(expected[i]));
            ASSERT_EQ(own[i].other.has_value(), expected[i].other.has_value());
            if (!expected[i].other) continue;
            const auto side = [](const Finding::Side& s) {
                return std::tie(s.block, s.warp, s.lane, s.line, s.source_line, s.step);
            };
            EXPECT_EQ(side(*own[i].other), side(*expected[i].other));
        }
    }
    ASSERT_EQ(a.printed.size(), e.printed.size());
    for (std::size_t i = 0; i < e.printed.size(); ++i) {
        const auto printed = [](const Printed& p) {
            return std::tie(p.launch, p.block, p.warp, p.lane, p.step, p.text);
        };
        EXPECT_EQ(printed(a.printed[i]), printed(e.printed[i]));
    }
    EXPECT_EQ(a.notes, e.notes);
}

}  // namespace

std::shared_ptr<const Trace> random_trace(const RandomTraceOptions& options) { return RandomMachine(options).run(); }

void expect_equal(const Trace& actual, const Trace& expected) {
    expect_equal_headers(actual, expected);
    expect_equal_steps(actual, expected);
}

}  // namespace lanescope::trace
