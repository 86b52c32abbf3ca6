#include "analysis/panels/grid_picture.h"

#include "analysis/dataflow/usefulness.h"
#include "analysis/panels/grid_clock.h"
#include "analysis/panels/program_lines.h"
#include "base/grouped.h"
#include "model/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lanescope::analysis {

namespace {

using trace::Launch;
using trace::Trace;

/// The slots of a launch's resident blocks: hands out the slot that is free first, the lowest of several.
class Slots {
  public:
    Slots(std::uint64_t first_tick, std::uint64_t count) {
        for (std::uint64_t slot = 0; slot < count; ++slot) free_.emplace(first_tick, static_cast<std::uint32_t>(slot));
    }
    [[nodiscard]] bool any() const { return !free_.empty(); }
    std::pair<std::uint64_t, std::uint32_t> take() {
        const auto slot = free_.top();
        free_.pop();
        return slot;
    }
    void release(std::uint64_t tick, std::uint32_t slot) { free_.emplace(tick, slot); }

  private:
    using Free = std::pair<std::uint64_t, std::uint32_t>;
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free_;
};

std::uint64_t resident_on_device(const Launch& launch) {
    return model::emulated_multiprocessors *
           model::emulated_device().resident_blocks(launch.block.count(), launch.shared_bytes());
}

/// Places the blocks of one launch: recorded ones as their steps come, the others by the number of their instructions.
class LaunchPlan {
  public:
    LaunchPlan(const Trace& trace, std::uint32_t number, std::uint64_t first_tick)
        : launch_(trace.launches[number]), grid_(plan_of(launch_, first_tick)), slots_(first_tick, slots_of()) {
        const trace::BlockOrder& order = launch_.residency.order;
        if (!order.starts_ascending()) order_ = trace::blocks_in_order(order, launch_.grid.count());
        for (std::uint32_t i = launch_.first_step.value; i < launch_.past_last_step.value; ++i) {
            const trace::Step& step = trace.steps()[i];
            Extent& extent = extents_[step.block];
            extent.last = StepId(i);
            extent.ended = exiting_lanes(trace, step).any();
            if (trace.detail == trace::Detail::registers) continue;
            extent.steps.resize(std::max(extent.steps.size(), step.warp.index() + 1));
            ++extent.steps[step.warp.index()];
        }
    }

    /// Gives the block a slot and a beginning.
    void begin(BlockId id) {
        if (!order_.empty()) place_up_to(id);
        const auto [tick, slot] = slots_.any() ? slots_.take() : std::pair(grid_.time.first, grid_.slots);
        grid_.slots = std::max(grid_.slots, slot + 1);
        GridBlock block{.id = id, .time = {tick, tick}, .slot = slot, .recorded = true};
        if (id.index() < launch_.blocks.size()) block.warp_instructions = launch_.blocks[id.index()].warp_instructions;
        under_way_.emplace(id, std::move(block));
    }
    [[nodiscard]] std::uint64_t begun_at(BlockId id) const { return under_way_.at(id).time.first; }
    [[nodiscard]] bool is_last(BlockId id, StepId step) const { return extents_.at(id).last == step; }
    /// Where only accesses are recorded, a step also stands for the instructions before it.
    [[nodiscard]] double ticks_a_step(BlockId id) const {
        const std::vector<std::uint64_t>& steps = extents_.at(id).steps;
        if (steps.empty() || id.index() >= launch_.blocks.size()) return 1;
        const auto most = static_cast<double>(*std::ranges::max_element(steps));
        return std::max(1.0, launch_.blocks[id.index()].longest_warp / most);
    }
    /// The block stalls until that tick.
    void stall(BlockId id, const BlockTicks& clock, std::uint64_t tick) {
        const std::uint64_t since = clock.end();
        if (tick > since) under_way_.at(id).stall = GridSpan{since, tick};
    }
    [[nodiscard]] std::uint64_t all_ended_at() const { return grid_.time.past_last; }
    /// Did a finding end the launch before the block had ended?
    [[nodiscard]] bool never_ends(BlockId id) const { return !extents_.at(id).ended; }
    void end(BlockId id, const BlockTicks& clock, std::vector<std::string> left) {
        GridBlock block = std::move(under_way_.at(id));
        if (!left.empty()) {
            block.left = std::move(left.front());
            block.also_left.assign(std::move_iterator(left.begin() + 1), std::move_iterator(left.end()));
        }
        under_way_.erase(id);
        block.ended = !never_ends(id);
        block.time.past_last = clock.end();
        if (launch_.cut == id) {
            block.recorded_until = block.time.past_last;
            block.ended = true;
            if (id.index() < launch_.blocks.size())
                block.time.past_last =
                    std::max(block.time.past_last, block.time.first + launch_.blocks[id.index()].longest_warp);
        }
        block.waits = clock.waits();
        if (block.stall) std::erase_if(block.waits, [&](const GridSpan& wait) { return overlap(wait, *block.stall); });
        for (const GridSpan& wait : block.waits) block.waited += wait.length();
        if (block.warp_instructions == 0) block.warp_instructions = clock.steps();
        slots_.release(block.time.past_last, block.slot);
        grid_.time.past_last = std::max(grid_.time.past_last, block.time.past_last);
        grid_.blocks.push_back(std::move(block));
    }

    /// After the last step: adds the blocks that are not recorded.
    GridLaunch finish() {
        const auto by_id = [](const GridBlock& block) { return block.id; };
        // Blocks whose wait never ends wait until the launch is stopped.
        for (GridBlock& block : grid_.blocks) {
            if (block.ended || block.waits.empty() || block.waits.back().past_last != block.time.past_last) continue;
            block.waited += grid_.time.past_last - block.time.past_last;
            block.waits.back().past_last = block.time.past_last = grid_.time.past_last;
        }
        std::ranges::sort(grid_.blocks, {}, by_id);
        const std::size_t placed = grid_.blocks.size();
        std::size_t next = 0;
        if (order_.empty()) {
            for (std::uint32_t id = 0; id < launch_.blocks.size(); ++id) {
                while (next < placed && grid_.blocks[next].id.value < id) ++next;
                if (next < placed && grid_.blocks[next].id.value == id) continue;
                place(BlockId(id), launch_.blocks[id]);
            }
            std::ranges::inplace_merge(grid_.blocks, grid_.blocks.begin() + static_cast<std::ptrdiff_t>(placed), {},
                                       by_id);
        } else {
            place_up_to(BlockId());
            std::ranges::sort(grid_.blocks, {}, by_id);
        }
        for (std::uint32_t id = 0; id < launch_.blocks.size(); ++id) {
            if (launch_.blocks[id].longest_warp == 0 && grid_.block(BlockId(id)) == nullptr)
                grid_.never_started.emplace_back(id);
        }
        if (launch_.blocks.empty()) grid_.unknown = launch_.grid.count() - grid_.blocks.size();
        return std::move(grid_);
    }

  private:
    static GridLaunch plan_of(const Launch& launch, std::uint64_t first_tick) {
        GridLaunch plan;
        plan.time = {first_tick, first_tick};
        if (launch.residency.given()) {
            plan.residency = GridLaunch::Residency::asked;
            plan.resident = launch.residency.places();
            plan.multiprocessors = launch.residency.multiprocessors;
            return plan;
        }
        plan.residency = launch.resident > 1 ? GridLaunch::Residency::emulated : GridLaunch::Residency::device;
        plan.resident = launch.resident > 1 ? launch.resident : resident_on_device(launch);
        return plan;
    }
    [[nodiscard]] std::uint64_t slots_of() const { return std::min(grid_.resident, launch_.grid.count()); }

    static bool overlap(const GridSpan& one, const GridSpan& other) {
        return one.first < other.past_last && other.first < one.past_last;
    }

    /// Places the blocks that are not recorded and start before block `id`; all of them where `id` is invalid.
    void place_up_to(BlockId id) {
        for (; next_ < order_.size() && order_[next_] != id.value; ++next_) {
            const BlockId other(order_[next_]);
            if (extents_.contains(other) || other.index() >= launch_.blocks.size()) continue;
            if (!slots_.any()) return;
            place(other, launch_.blocks[other.index()]);
        }
    }

    void place(BlockId id, const trace::BlockRun& run) {
        if (run.longest_warp == 0) return;  // it did not begin
        const auto [tick, slot] = slots_.take();
        const std::uint64_t end = tick + run.longest_warp;
        grid_.slots = std::max(grid_.slots, slot + 1);
        grid_.time.past_last = std::max(grid_.time.past_last, end);
        slots_.release(end, slot);
        grid_.blocks.push_back({.id = id,
                                .time = {tick, end},
                                .slot = slot,
                                .warp_instructions = run.warp_instructions,
                                .waited = run.waited});
    }

    const Launch& launch_;
    GridLaunch grid_;
    Slots slots_;
    std::vector<std::uint32_t> order_;  ///< in which blocks start; empty: ascending
    std::size_t next_ = 0;              ///< index of the next block in it
    /// The extent of a recorded block.
    struct Extent {
        StepId last;
        bool ended = false;                  ///< its last step exits
        std::vector<std::uint64_t> steps{};  ///< by warp, where a step is not an instruction
    };
    std::unordered_map<BlockId, Extent> extents_;
    std::unordered_map<BlockId, GridBlock> under_way_;
};

/// The writes of one block to global memory.
class BlockWrites {
  public:
    void add(const Trace& trace, const trace::Effect& effect, std::uint32_t buffer) {
        const trace::Buffer& of = trace.buffers[buffer];
        Written& written = buffers_[buffer];
        written.stored = written.stored || effect.kind == trace::EffectKind::store;
        const std::uint64_t bytes = bytes_of(of.element);
        if (effect.bytes != bytes) written.other_size = true;
        for (const unsigned lane : effect.lanes) {
            const std::uint64_t address = trace.address(effect, lane);
            if (address < of.address || address - of.address >= of.bytes) continue;  // another lane's buffer
            for (unsigned i = 0; i < effect.elements && written.elements.size() <= most; ++i)
                written.elements[(address - of.address) / bytes + i] = trace.after(effect, lane, i);
        }
    }

    /// One text a buffer, the one with most elements first. Buffers without a text are left out, but the first is then
    /// empty.
    [[nodiscard]] std::vector<std::string> texts(const Trace& trace, const Launch& launch) const {
        const auto larger = [](const auto& one, const auto& other) {
            const Written &a = one.second, &b = other.second;
            return std::tuple(a.elements.size(), a.stored) < std::tuple(b.elements.size(), b.stored);
        };
        const auto largest = std::ranges::max_element(buffers_, larger);
        if (largest == buffers_.end()) return {};
        std::vector<std::string> texts{text(trace, launch, largest->first, largest->second)};
        for (const auto& [buffer, written] : buffers_) {
            std::string other = buffer == largest->first ? std::string() : text(trace, launch, buffer, written);
            if (!other.empty()) texts.push_back(std::move(other));
        }
        return texts;
    }

  private:
    static constexpr std::size_t most = 16;  ///< elements that a bar could show
    struct Written {
        std::map<std::uint64_t, std::uint64_t> elements;  ///< bits by index
        bool stored = false, other_size = false;
    };

    [[nodiscard]] static std::string text(const Trace& trace, const Launch& launch, std::uint32_t buffer,
                                          const Written& written) {
        if (written.other_size || written.elements.empty() || written.elements.size() > most) return {};
        const std::uint64_t first = written.elements.begin()->first, last = written.elements.rbegin()->first;
        if (last - first + 1 != written.elements.size()) return {};
        const std::string& name = trace::name_in(launch, trace.buffers, buffer);
        std::string text =
            first == last ? fmt::format("{}[{}] =", name, first) : fmt::format("{}[{}..{}] =", name, first, last);
        for (const auto& [index, bits] : written.elements)
            text += ' ' + trace::text_of(trace.buffers[buffer].element, bits);
        return text;
    }

    std::map<std::uint32_t, Written> buffers_;
};

/// Runs through the trace once.
class GridPictureBuilder {
  public:
    explicit GridPictureBuilder(const Trace& trace) : trace_(trace), writers_(trace) {
        picture_.ticks.resize(trace.step_count());
    }

    GridPicture build() {
        for (std::uint32_t number = 0; number < trace_.launches.size(); ++number) run_launch(number);
        for (GridArc& arc : picture_.arcs) {
            arc.written_at = picture_.ticks[arc.write.index()];
            arc.read_at = picture_.ticks[arc.read.index()];
        }
        add_host_steps();
        return std::move(picture_);
    }

  private:
    void run_launch(std::uint32_t number) {
        const Launch& launch = trace_.launches[number];
        for (; next_write_ < trace_.host_writes.size() && trace_.host_writes[next_write_].launch <= number;
             ++next_write_) {
            const trace::HostWrite& write = trace_.host_writes[next_write_];
            writers_.forget(trace_.buffers[write.buffer].address + write.offset, write.after.size());
        }
        LaunchPlan plan(trace_, number, picture_.end);
        std::unordered_map<BlockId, BlockTicks> clocks;
        writes_.clear();
        const std::vector<trace::Stall>& stalls = launch.residency.stalls;
        std::size_t next_stall = 0;
        std::set<BlockId> stalled;  // blocks that go on with their next step
        const bool stopped = std::ranges::any_of(trace_.findings, [&](const trace::Finding& finding) {
            return finding.launch == number && finding.kind == trace::Finding::Kind::deadlock;
        });
        for (std::uint32_t i = launch.first_step.value; i < launch.past_last_step.value; ++i) {
            const trace::Step& step = trace_.steps()[i];
            auto found = clocks.find(step.block);
            if (found == clocks.end()) {
                plan.begin(step.block);
                found = clocks.emplace(step.block, BlockTicks(plan.begun_at(step.block), plan.ticks_a_step(step.block)))
                            .first;
            }
            for (; next_stall < stalls.size() && stalls[next_stall].resumed.value <= i; ++next_stall)
                stalled.insert(stalls[next_stall].block);
            if (!stalled.empty() && stalled.erase(step.block) > 0) {
                std::uint64_t tick = plan.all_ended_at();
                for (const auto& [id, clock] : clocks)
                    if (id != step.block) tick = std::max(tick, clock.progressed_to());
                plan.stall(step.block, found->second, tick);
                found->second.resume_at(tick);
            }
            execute(StepId(i), step, found->second);
            if (plan.is_last(step.block, StepId(i))) {
                if (stopped && plan.never_ends(step.block)) found->second.wait_forever();
                plan.end(step.block, found->second, writes_[step.block].texts(trace_, launch));
                clocks.erase(found);
            }
        }
        picture_.launches.push_back(plan.finish());
        picture_.end = picture_.launches.back().time.past_last;
    }

    void execute(StepId id, const trace::Step& step, BlockTicks& clock) {
        clock.begin_step(id, step);
        bool arrives = false, writes = false;
        for (const trace::Effect& effect : trace_.effects(step)) {
            arrives = arrives || effect.kind == trace::EffectKind::barrier;
            if (!is_access(effect.kind)) continue;
            const bool changes = effect.kind != trace::EffectKind::load && changes_memory(trace_, effect);
            // No other block sees a thread's own memory, so a loop that polls may store there.
            const bool own = effect.space == trace::Space::local || effect.space == trace::Space::param;
            writes = writes || (changes && !own);
            if (effect.space != trace::Space::global) continue;
            if (effect.kind != trace::EffectKind::store) read(id, step, effect, changes, clock);
            if (is_write(effect.kind)) add_write(step, effect);
            if (changes) writers_.write(effect, id);
        }
        clock.end_step(arrives, writes, picture_.ticks, trace_);
    }

    void add_write(const trace::Step& step, const trace::Effect& effect) {
        if (effect.lanes.none()) return;
        if (const auto buffer = writers_.buffer_of(trace_.address(effect, effect.lanes.lowest())))
            writes_[step.block].add(trace_, effect, *buffer);
    }

    void read(StepId id, const trace::Step& step, const trace::Effect& effect, bool changes, BlockTicks& clock) {
        clock.poll(effect, trace_.address(effect, effect.lanes.any() ? effect.lanes.lowest() : 0));
        StepId last_writer;
        writers_.for_each_read(effect, [&](StepId writer, std::uint64_t address, unsigned lane) {
            const trace::Step& wrote = trace_.step(writer);
            if (wrote.launch == step.launch && wrote.block == step.block) return;
            if (wrote.launch == step.launch && writer != last_writer)
                clock.after_write(writer, picture_.ticks[writer.index()]);
            last_writer = writer;
            const auto buffer = writers_.buffer_of(address);
            if (!buffer) return;
            const std::uint64_t first = trace_.address(effect, lane);
            const auto element = static_cast<unsigned>(std::max(address, first) - first) / effect.bytes;
            add_arc({.from_launch = wrote.launch,
                     .to_launch = step.launch,
                     .from = wrote.block,
                     .to = step.block,
                     .buffer = *buffer,
                     .atomic = changes,
                     .write = writer,
                     .read = id,
                     .address = first + std::uint64_t{element} * effect.bytes,
                     .bits = trace_.before(effect, lane, element),
                     .bytes = effect.bytes});
        });
    }

    void add_arc(const GridArc& arc) {
        constexpr std::size_t most = 200'000;
        const ArcKey key{arc.from_launch, arc.from.value, arc.to_launch, arc.to.value, arc.buffer, arc.atomic};
        auto found = arcs_.find(key);
        if (found == arcs_.end()) {
            if (picture_.arcs.size() >= most) {
                picture_.arcs_left_out = true;
                return;
            }
            found = arcs_.emplace(key, picture_.arcs.size()).first;
            picture_.arcs.push_back(arc);
        }
        ++picture_.arcs[found->second].reads;
    }

    /// May the host's copies to the device be made of results that it copied back? Copies without a line are of the
    /// code around the described function and do not count.
    [[nodiscard]] bool passes_through_host() const {
        bool has_read = false;
        for (const trace::HostStep& step : trace_.host_steps) {
            if (step.source_line == 0) continue;
            if (step.kind == trace::HostStep::Kind::read) has_read = has_read || step.launch > 0;
            const bool copies = step.kind == trace::HostStep::Kind::write && step.text == "copy";
            if (has_read && copies) return true;
        }
        return false;
    }

    /// Many printed lines in a row become one step: the lines of a kernel's threads would hide all others.
    static void add_printed(std::vector<std::string> lines, std::vector<GridHostStep>& steps) {
        constexpr std::size_t most = 3;
        if (lines.size() > most) {
            const std::string first = lines.front();
            const std::string more = counted(lines.size() - 1, "more line");
            steps.push_back({.text = fmt::format("print \"{}\" and {}", first, more), .printed = std::move(lines)});
            return;
        }
        for (const std::string& line : lines) steps.push_back({.text = fmt::format("print \"{}\"", line)});
    }

    void add_host_steps() {
        std::vector<GridHostStep> steps;
        std::vector<std::string> printed;  // since the last step
        std::size_t next = 0;
        for (const ProgramLine& line : program_lines(trace_)) {
            if (line.kind == ProgramLine::Kind::printed) {
                if (!line.text.empty()) printed.push_back(line.text);
                continue;
            }
            add_printed(std::exchange(printed, {}), steps);
            if (line.kind == ProgramLine::Kind::launch && line.launch && *line.launch < picture_.launches.size()) {
                next = *line.launch;
                picture_.launches[next].host_steps = std::exchange(steps, {});
            } else if (line.kind != ProgramLine::Kind::end) {
                steps.push_back({.text = line.text,
                                 .source_line = line.source_line,
                                 .source_file = line.source_file,
                                 .function = line.function});
            }
        }
        add_printed(std::move(printed), steps);
        picture_.host_steps = std::move(steps);
        picture_.through_host = passes_through_host();
        if (is_program(trace_)) return;
        for (const trace::HostWrite& write : trace_.host_writes) {
            picture_.launches[write.launch].host_steps.push_back(
                {.text = fmt::format("write {}, {}", trace_.buffers[write.buffer].name,
                                     counted(write.after.size(), "byte")),
                 .source_line = write.source_line});
        }
    }

    using ArcKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, bool>;

    std::unordered_map<BlockId, BlockWrites> writes_;  ///< of the launch
    const Trace& trace_;
    LastWriters writers_;
    std::size_t next_write_ = 0;  ///< index in Trace::host_writes, which are sorted by launch
    GridPicture picture_;
    std::map<ArcKey, std::size_t> arcs_;
};

}  // namespace

std::optional<GridMoment> moment_at(const Trace& trace, const GridPicture& picture, std::uint32_t launch,
                                    std::uint64_t tick, BlockId preferred) {
    const GridBlock* const own = picture.block(launch, preferred);
    const bool resident = own != nullptr && own->recorded && own->time.first <= tick && tick < own->time.past_last;
    std::optional<StepId> last;
    const Launch& of = trace.launches[launch];
    for (std::uint32_t i = of.first_step.value; i < of.past_last_step.value; ++i) {
        if (picture.ticks[i] > tick || (resident && trace.step(StepId(i)).block != preferred)) continue;
        if (!last || picture.ticks[i] >= picture.ticks[last->index()]) last = StepId(i);
    }
    if (!last) return std::nullopt;
    return GridMoment{.block = trace.step(*last).block, .step = *last};
}

const GridBlock* GridLaunch::block(BlockId id) const {
    const auto found = std::ranges::lower_bound(blocks, id, {}, &GridBlock::id);
    return found == blocks.end() || found->id != id ? nullptr : &*found;
}

const GridBlock* GridPicture::block(std::uint32_t launch, BlockId id) const {
    return launch >= launches.size() ? nullptr : launches[launch].block(id);
}

GridPicture grid_picture(const Trace& trace) { return GridPictureBuilder(trace).build(); }

}  // namespace lanescope::analysis
