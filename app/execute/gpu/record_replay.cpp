// The part of a GPU's record that the emulator replays.
#include "execute/gpu/record_compare.h"

#include "execute/simt/approximation.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace lanescope::execute {

namespace {

constexpr std::uint64_t word_bytes = 4;
constexpr std::uint64_t untouched = ~std::uint64_t{0}, several = untouched - 1;

/// The accessors of a word: blocks, for global memory; threads of a block, for shared memory.
struct Touched {
    std::uint64_t writer = untouched, reader = untouched;
    bool atomic = false, polled = false;

    static void add(std::uint64_t& accessor, std::uint64_t id) {
        accessor = accessor == untouched || accessor == id ? id : several;
    }
    [[nodiscard]] bool meets() const {
        return writer != untouched && (writer == several || (reader != untouched && reader != writer));
    }
};
using Words = std::unordered_map<std::uint64_t, Touched>;

bool reads(Logged logged) { return logged == Logged::load || logged == Logged::old || logged == Logged::time; }

bool is_strong(const Site& site) {
    return site.instruction->modifiers.is_volatile || site.instruction->modifiers.order != ptx::Order::weak;
}

template <class Visit>
void for_each_word(const Site& site, const Entry& entry, Visit visit) {
    for (std::uint64_t word = entry.address / word_bytes; word * word_bytes < entry.address + site.bytes; ++word)
        visit(word);
}

void touch(Words& words, const Site& site, const Entry& entry, std::uint64_t accessor) {
    for_each_word(site, entry, [&](std::uint64_t word) {
        Touched& touched = words[word];
        if (site.logged == Logged::store) Touched::add(touched.writer, accessor);
        if (site.logged == Logged::load) Touched::add(touched.reader, accessor);
        touched.atomic = touched.atomic || site.logged == Logged::operand;
        touched.polled = touched.polled || (site.logged == Logged::load && is_strong(site));
    });
}

struct Replayed {
    PtxLine line;
    std::uint64_t address = 0;
    std::uint64_t value = 0;
};

}  // namespace

struct RecordedReplay::Impl {
    /// Words by launch; those of shared memory also by block.
    std::vector<Words> global;
    std::map<std::pair<std::size_t, std::uint64_t>, Words> shared;
    /// Words of global memory. A later launch reads values that the order of accesses in an earlier one determined.
    std::set<std::uint64_t> undetermined;
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>, std::deque<Replayed>> by_thread;
    bool reads = false;  ///< some replayed value is a read
    std::map<std::string, Approximation> approximations;

    /// The thread's replayed values, if the next one is of the instruction at `line`; else null.
    std::deque<Replayed>* next_of(std::uint32_t launch, BlockId block, std::uint32_t thread, PtxLine line) {
        const auto found = by_thread.find({launch, block.value, thread});
        if (found == by_thread.end() || found->second.empty() || found->second.front().line != line) return nullptr;
        return &found->second;
    }

    [[nodiscard]] bool is_replayed(std::pair<std::size_t, std::uint64_t> block, const Site& site,
                                   const Entry& entry) const {
        bool replayed = site.logged == Logged::time;
        for_each_word(site, entry, [&](std::uint64_t word) {
            if (site.space == ptx::Space::global) {
                replayed = replayed || undetermined.contains(word);
            } else {
                const Touched& touched = shared.at(block).at(word);
                replayed = replayed || touched.atomic || (touched.polled && touched.meets());
            }
        });
        return replayed;
    }
};

RecordedReplay::RecordedReplay(const Recorded& recorded, const Rewritten& rewritten) : impl_(std::make_unique<Impl>()) {
    const auto for_each_access = [&](auto visit) {
        for (std::size_t number = 0; number < recorded.launches.size(); ++number) {
            const LaunchLog& launch = recorded.launches[number];
            for (std::size_t i = 0; i < launch.logs.size(); ++i) {
                const std::uint64_t block = launch.first_block + i / launch.threads;
                for (const Entry& entry : launch.logs[i]) {
                    const Site& site = rewritten.sites[entry.site];
                    if (site.space != ptx::Space::none || site.logged == Logged::time ||
                        site.logged == Logged::approximate)
                        visit(number, block, static_cast<std::uint32_t>(i % launch.threads), site, entry);
                }
            }
        }
    };
    impl_->global.resize(recorded.launches.size());
    for_each_access(
        [&](std::size_t launch, std::uint64_t block, std::uint32_t thread, const Site& site, const Entry& entry) {
            if (site.space == ptx::Space::global)
                touch(impl_->global[launch], site, entry, block);
            else if (site.space == ptx::Space::shared)
                touch(impl_->shared[{launch, block}], site, entry, thread);
        });
    for (const Words& words : impl_->global) {
        for (const auto& [word, touched] : words)
            if (touched.atomic || touched.meets()) impl_->undetermined.insert(word);
    }
    for_each_access(
        [&](std::size_t launch, std::uint64_t block, std::uint32_t thread, const Site& site, const Entry& entry) {
            const bool approximate = site.logged == Logged::approximate;
            if (!approximate && (!reads(site.logged) || !impl_->is_replayed({launch, block}, site, entry))) return;
            impl_->reads = impl_->reads || !approximate;
            impl_->by_thread[{static_cast<std::uint32_t>(launch), block, thread}].push_back(
                {.line = site.line, .address = entry.address, .value = entry.value});
        });
}

RecordedReplay::~RecordedReplay() = default;

std::optional<std::uint64_t> RecordedReplay::next(std::uint32_t launch, BlockId block, std::uint32_t thread,
                                                  PtxLine line, std::uint64_t address) {
    std::deque<Replayed>* const waiting = impl_->next_of(launch, block, thread, line);
    if (waiting == nullptr) return std::nullopt;
    const Replayed read = waiting->front();
    const bool known = (read.address & elsewhere) == 0;
    if (known && read.address != address) return std::nullopt;
    waiting->pop_front();
    ++replayed_;
    return read.value;
}

std::optional<std::uint64_t> RecordedReplay::approximate(std::uint32_t launch, BlockId block, std::uint32_t thread,
                                                         PtxLine line, const ApproximateResult& own) {
    std::deque<Replayed>* const waiting = impl_->next_of(launch, block, thread, line);
    if (waiting == nullptr) return std::nullopt;
    const std::uint64_t found = waiting->front().value;
    waiting->pop_front();
    Approximation& approximation = impl_->approximations[ptx::mnemonic(*own.instruction)];
    ++approximation.results;
    const Deviation deviates = deviation(own, found);
    // Beyond the stated error the emulator keeps its own: the comparison finds the difference at this instruction.
    if (deviates.accuracy == Accuracy::equal || deviates.accuracy == Accuracy::beyond) return std::nullopt;
    ++approximation.differing;
    approximation.unstated += deviates.accuracy == Accuracy::unstated ? 1U : 0U;
    approximation.largest_relative = std::max(approximation.largest_relative, deviates.relative);
    return found;
}

bool RecordedReplay::any() const { return impl_->reads; }

std::vector<Approximation> RecordedReplay::approximations() const {
    std::vector<Approximation> all;
    for (const auto& [name, approximation] : impl_->approximations) {
        all.push_back(approximation);
        all.back().instruction = name;
    }
    return all;
}

bool RecordedReplay::is_undetermined(std::uint64_t address) const {
    return impl_->undetermined.contains(address / word_bytes);
}

}  // namespace lanescope::execute
