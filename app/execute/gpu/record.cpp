#include "execute/gpu/record.h"

#include "execute/simt/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>

namespace lanescope::execute {

namespace {

constexpr unsigned most_attempts = 6;
constexpr std::uint64_t growth = 3;  ///< of a log that was too small

template <class T>
T read_at(std::span<const std::byte> bytes, std::uint64_t offset) {
    assert(offset + sizeof(T) <= bytes.size());
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}
template <class T>
void write_at(std::span<std::byte> bytes, std::uint64_t offset, const T& value) {
    assert(offset + sizeof(T) <= bytes.size());
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// The offsets of a launch's slots and places in the control memory, and the log's size for each of its warps.
struct LaunchPlan {
    std::uint64_t first_block = 0;
    std::uint64_t blocks = 0;
    std::uint32_t threads = 0;          ///< of a block
    std::uint64_t slots = 0;            ///< offset in the control block
    std::uint64_t places = 0;           ///< the same for the places
    std::vector<std::uint64_t> rows;    ///< by warp of the launch: entries that each of its lanes has room for
    std::vector<std::uint64_t> begins;  ///< by warp of the launch: offset in the log

    [[nodiscard]] std::uint32_t warps_of_block() const { return (threads + warp_size - 1) / warp_size; }
    [[nodiscard]] std::size_t warp_of(std::uint64_t block, std::uint32_t thread) const {
        return block * warps_of_block() + thread / warp_size;
    }
    /// The index of the thread's first entry in the log.
    [[nodiscard]] std::uint64_t begin_of(std::uint64_t block, std::uint32_t thread) const {
        return begins[warp_of(block, thread)] + thread % warp_size * entry_bytes;
    }
    [[nodiscard]] std::uint64_t slot_of(std::uint64_t block, std::uint32_t thread) const {
        return slots + (block * threads + thread) * sizeof(Slot);
    }
    template <class Visit>
    void for_each_thread(Visit visit) const {
        for (std::uint64_t block = 0; block < blocks; ++block)
            for (std::uint32_t thread = 0; thread < threads; ++thread) visit(block, thread);
    }
};

class Recording {
  public:
    Recording(RecordingMachine& machine, const trace::Trace& trace, const ptx::Module& module,
              const Rewritten& rewritten, const RecordingRange& range)
        : machine_(machine), trace_(trace), module_(module), rewritten_(rewritten) {
        for (const trace::Launch& launch : trace.launches) {
            LaunchPlan plan;
            const std::uint64_t all = launch.grid.count();
            plan.first_block = std::min(range.first_block, all);
            plan.blocks = std::min(range.blocks, all - plan.first_block);
            plan.threads = static_cast<std::uint32_t>(launch.block.count());
            plan.slots = control_bytes_;
            plan.places = plan.slots + plan.blocks * plan.threads * sizeof(Slot);
            control_bytes_ = plan.places + (rewritten.placed.size() + 1) / 2 * 2 * sizeof(std::uint64_t);
            plan.rows.assign(plan.blocks * plan.warps_of_block(), 0);
            plan.begins = plan.rows;
            plans_.push_back(std::move(plan));
        }
    }

    Result<Recorded> operator()() {
        auto ran = run();
        for (; ran; ran = run()) {
            if (runs_ > 1 && !overflown_) return decode(*ran);
            if (runs_ > most_attempts) break;
            make_room_for(*ran);
            if (const std::uint64_t most = machine_.most_log_bytes(); log_bytes_ > most) {
                return fail(fmt::format("the log takes {} MiB, and the machine has {} MiB free", log_bytes_ >> 20U,
                                        most >> 20U),
                            {}, "Record fewer blocks, or a smaller n.");
            }
        }
        if (!ran) return std::unexpected(ran.error());
        return fail(fmt::format("the threads log more each time: after {} runs the log is still too small", runs_), {},
                    "Threads that wait for each other log each iteration; record fewer blocks.");
    }

  private:
    Result<RecordingMachine::Ran> run() {
        auto room = machine_.make_room(control_bytes_, log_bytes_);
        if (!room) return std::unexpected(room.error());
        room_ = *room;
        std::vector<std::byte> control(control_bytes_);
        std::vector<RecorderWords> words;
        for (const LaunchPlan& plan : plans_) {
            words.push_back({.first_block = plan.first_block,
                             .blocks = plan.blocks,
                             .slots = room_.control + plan.slots,
                             .places = room_.control + plan.places});
            plan.for_each_thread([&](std::uint64_t block, std::uint32_t thread) {
                write_at(control, plan.slot_of(block, thread), slot(plan, block, thread));
            });
            for (std::size_t i = 0; i < rewritten_.placed.size(); ++i)
                write_at(control, plan.places + i * sizeof unplaced, unplaced);
        }
        ++runs_;
        auto ran = machine_.run(control, words);
        if (ran) overflown_ = overflows(*ran);
        return ran;
    }

    [[nodiscard]] Slot slot(const LaunchPlan& plan, std::uint64_t block, std::uint32_t thread) const {
        const std::size_t warp = plan.warp_of(block, thread);
        const std::uint64_t begin = room_.log + plan.begins[warp];
        // If nothing is to be written, the end precedes the start, also of a log that begins at 0.
        return {.cursor = room_.log + plan.begin_of(block, thread),
                .end = plan.rows[warp] == 0 ? 0 : begin + plan.rows[warp] * entry_stride};
    }

    [[nodiscard]] std::uint64_t count(const RecordingMachine::Ran& ran, const LaunchPlan& plan, std::uint64_t block,
                                      std::uint32_t thread) const {
        const std::uint64_t begin = room_.log + plan.begin_of(block, thread);
        const std::uint64_t cursor = read_at<Slot>(ran.control, plan.slot_of(block, thread)).cursor;
        return cursor < begin ? 0 : (cursor - begin) / entry_stride;
    }

    [[nodiscard]] bool overflows(const RecordingMachine::Ran& ran) const {
        bool found = false;
        for (const LaunchPlan& plan : plans_) {
            plan.for_each_thread([&](std::uint64_t block, std::uint32_t thread) {
                found = found || count(ran, plan, block, thread) > plan.rows[plan.warp_of(block, thread)];
            });
        }
        return found;
    }

    /// Makes room for exactly the entries that the first run counted; after an overflow, for several times as many.
    void make_room_for(const RecordingMachine::Ran& ran) {
        const bool again = runs_ > 1;
        std::uint64_t at = 0;
        for (LaunchPlan& plan : plans_) {
            std::vector<std::uint64_t> rows(plan.rows.size());
            plan.for_each_thread([&](std::uint64_t block, std::uint32_t thread) {
                std::uint64_t& most = rows[plan.warp_of(block, thread)];
                most = std::max(most, count(ran, plan, block, thread) * (again ? growth : 1));
            });
            for (std::size_t warp = 0; warp < rows.size(); ++warp) {
                plan.rows[warp] = std::max(plan.rows[warp], rows[warp]);
                plan.begins[warp] = at;
                at += plan.rows[warp] * entry_stride;
            }
        }
        log_bytes_ = at;
    }

    // --- Entries -----------------------------------------------------------------------------------------------------

    /// The trace's address for an address of the machine's global memory; nothing if there is no buffer.
    [[nodiscard]] std::optional<std::uint64_t> translated(std::uint64_t address) const {
        for (std::size_t buffer = 0; buffer < trace_.buffers.size(); ++buffer) {
            const std::uint64_t offset = address - machine_.address_of(buffer);
            if (machine_.address_of(buffer) != 0 && offset < trace_.buffers[buffer].bytes)
                return trace_.buffers[buffer].address + offset;
        }
        return std::nullopt;
    }

    struct Place {
        std::uint64_t there = 0, here = 0;
    };
    /// The addresses that the machine's compiler gave to the objects in Rewritten::placed.
    struct Places {
        std::vector<Place> shared, functions;  ///< by `there`, ascending
    };
    [[nodiscard]] Places places_of(const RecordingMachine::Ran& ran, const LaunchPlan& plan,
                                   const ptx::Function& kernel) const {
        Places all;
        for (std::size_t i = 0; i < rewritten_.placed.size(); ++i) {
            const auto there = read_at<std::uint64_t>(ran.control, plan.places + i * sizeof(std::uint64_t));
            if (there == unplaced) continue;
            const Placed& placed = rewritten_.placed[i];
            if (placed.function)
                all.functions.push_back({.there = there, .here = address_of_function(*placed.function)});
            else
                all.shared.push_back({.there = there, .here = ptx::shared_offset_of(kernel, *placed.shared)});
        }
        std::ranges::sort(all.shared, {}, &Place::there);
        std::ranges::sort(all.functions, {}, &Place::there);
        return all;
    }

    static std::uint64_t shared_offset(const Places& places, std::uint64_t address) {
        const auto after = std::ranges::upper_bound(places.shared, address, {}, &Place::there);
        if (after == places.shared.begin()) return address;
        return address - std::prev(after)->there + std::prev(after)->here;
    }

    /// The trace's number for a number of the machine that may be an address of a buffer or of a function.
    [[nodiscard]] std::uint64_t pointer(const Places& places, std::uint64_t value) const {
        const auto function = std::ranges::lower_bound(places.functions, value, {}, &Place::there);
        if (function != places.functions.end() && function->there == value) return function->here;
        return translated(value).value_or(value);
    }

    /// Translates pointers in memory to the trace's, in words that differ from the trace.
    void translate_pointers(std::vector<std::vector<std::byte>>& buffers, const Places& places) const {
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            const SparseBytes& final = trace_.buffers[i].final;
            for (std::size_t at = 0; at + sizeof(std::uint64_t) <= std::min(buffers[i].size(), final.size());
                 at += sizeof(std::uint64_t)) {
                const auto word = read_at<std::uint64_t>(buffers[i], at);
                std::uint64_t expected = 0;
                for (std::size_t byte = 0; byte < sizeof expected; ++byte)
                    expected |= std::to_integer<std::uint64_t>(final[at + byte]) << (8 * byte);
                if (word != expected) write_at(buffers[i], at, pointer(places, word));
            }
        }
    }

    Result<Recorded> decode(RecordingMachine::Ran& ran) const {
        Recorded recorded{.launches = {}, .buffers = std::move(ran.buffers), .runs = runs_, .log_bytes = log_bytes_};
        for (std::size_t number = 0; number < plans_.size(); ++number) {
            const LaunchPlan& plan = plans_[number];
            const ptx::Function* kernel = module_.find(trace_.launches[number].kernel);
            assert(kernel != nullptr);
            const Places places = places_of(ran, plan, *kernel);
            // Each kernel reports the addresses of the functions whose addresses it takes.
            if (number + 1 == plans_.size() || !places.functions.empty()) translate_pointers(recorded.buffers, places);
            LaunchLog launch{
                .first_block = plan.first_block, .blocks = plan.blocks, .threads = plan.threads, .logs = {}};
            bool broken = false;
            plan.for_each_thread([&](std::uint64_t block, std::uint32_t thread) {
                ThreadLog& log = launch.logs.emplace_back();
                const std::uint64_t entries = count(ran, plan, block, thread);
                log.reserve(entries);
                for (std::uint64_t i = 0; i < entries; ++i) {
                    const std::uint64_t at = plan.begin_of(block, thread) + i * entry_stride;
                    const auto word = read_at<std::uint64_t>(ran.log, at);
                    const auto value = read_at<std::uint64_t>(ran.log, at + sizeof word);
                    if (word >> site_shift == 0 || word >> site_shift >= rewritten_.sites.size()) {
                        broken = true;
                        return;
                    }
                    log.push_back(decode(word, value, places));
                }
            });
            if (broken) {
                return fail(fmt::format("launch {} left a log that cannot be read", number), {},
                            "The kernel writes out of bounds; the emulator's findings say where.");
            }
            recorded.launches.push_back(std::move(launch));
        }
        return recorded;
    }

    [[nodiscard]] Entry decode(std::uint64_t word, std::uint64_t value, const Places& places) const {
        Entry entry{.site = static_cast<std::uint16_t>(word >> site_shift),
                    .address = word & ((std::uint64_t{1} << site_shift) - 1),
                    .value = value};
        const Site& site = rewritten_.sites[entry.site];
        if (site.space == ptx::Space::shared) entry.address = shared_offset(places, entry.address);
        if (site.space == ptx::Space::global)
            entry.address = translated(entry.address).value_or(entry.address | elsewhere);
        if (site.bytes > 0 && site.bytes < 8) entry.value &= (std::uint64_t{1} << (8 * site.bytes)) - 1;
        if (site.bytes == 8) entry.value = pointer(places, entry.value);
        if (site.logged == Logged::target) {
            const std::vector<PtxLine>& lines = rewritten_.tables.at(entry.site);
            entry.value = lines[std::min<std::uint64_t>(entry.value, lines.size() - 1)].value;
        }
        return entry;
    }

    /// In the control block, for a variable whose function has not run.
    static constexpr std::uint64_t unplaced = ~std::uint64_t{0};

    RecordingMachine& machine_;
    const trace::Trace& trace_;
    const ptx::Module& module_;
    const Rewritten& rewritten_;
    std::vector<LaunchPlan> plans_;
    std::uint64_t control_bytes_ = 0, log_bytes_ = 0;
    RecordingMachine::Room room_;
    unsigned runs_ = 0;
    bool overflown_ = false;
};

}  // namespace

Result<Recorded> record(RecordingMachine& machine, const trace::Trace& trace, const ptx::Module& module,
                        const Rewritten& rewritten, const RecordingRange& range) {
    return Recording(machine, trace, module, rewritten, range)();
}

}  // namespace lanescope::execute
