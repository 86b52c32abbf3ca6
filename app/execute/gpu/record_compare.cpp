#include "execute/gpu/record_compare.h"

#include "base/grouped.h"
#include "execute/gpu/record_waits.h"
#include "execute/simt/atomics.h"
#include "trace/barrier_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace lanescope::execute {

namespace {

std::string value_text(const Site& site, std::uint64_t value) {
    if (site.instruction->modifiers.type == ptx::Type::f32 && site.bytes == 4) {
        float number = 0;
        std::memcpy(&number, &value, sizeof number);
        return fmt::format("{} (0x{:08x})", number, value);
    }
    return site.bytes > 0 && value >= 4096 ? fmt::format("0x{:x}", value) : fmt::format("{}", value);
}

std::string mbarrier_text(const Site& site, const Entry& entry, const std::string& where) {
    switch (site.instruction->action()) {
        case ptx::Action::mbarrier_init:
            return fmt::format("initializes the mbarrier in{} for {}", where, counted(entry.value, "arrival"));
        case ptx::Action::mbarrier_inval: return fmt::format("invalidates the mbarrier in{}", where);
        case ptx::Action::mbarrier_copies:
            return fmt::format("schedules an arrival for its copies at the mbarrier in{}", where);
        default: return fmt::format("arrives {} at the mbarrier in{}", counted(entry.value, "time"), where);
    }
}

std::string text_of(const Site& site, const Entry& entry) {
    const std::string where =
        site.space == ptx::Space::none
            ? std::string()
            : fmt::format(" {} memory at {}", site.space == ptx::Space::shared ? "shared" : "global",
                          address_text(entry.address));
    const std::string value = value_text(site, entry.value);
    switch (site.logged) {
        case Logged::load: return fmt::format("reads {} from{}", value, where);
        case Logged::store: return fmt::format("writes {} to{}", value, where);
        case Logged::compare: return fmt::format("compares {} with{}", value, where);
        case Logged::operand: return fmt::format("combines {} with{}", value, where);
        case Logged::old: return fmt::format("gets {}, the old value of{}", value, where);
        case Logged::result: return fmt::format("receives {}", value);
        case Logged::copy_to: return fmt::format("begins to copy {} to{}", counted(entry.value, "byte"), where);
        case Logged::copy_from: return fmt::format("begins to copy from{}", where);
        case Logged::arrival: return mbarrier_text(site, entry, where);
        case Logged::wait:
            return fmt::format("finds the phase {}complete at the mbarrier in{}",
                               entry.value >> predicate_bit != 0 ? "" : "not ", where);
        case Logged::target: return fmt::format("branches to line {} of the PTX", entry.value);
        case Logged::taken: return entry.value != 0 ? "takes the branch" : "does not take the branch";
        case Logged::barrier: return fmt::format("passes barrier {}", entry.address);
        case Logged::warp_barrier: return "passes bar.warp.sync";
        case Logged::approximate: return fmt::format("computes {}", value);
        case Logged::time: return fmt::format("reads a clock at {}", value);
    }
    return {};
}

/// A trace does not hold what a thread waits for; a state is the machine's own, and is not logged.
bool waits_for_the_same(const Site& site, const ExpectedEntry& expected, const Entry& found) {
    if (expected.entry.value >> predicate_bit != found.value >> predicate_bit) return false;
    if (!site.instruction->modifiers.parity) return true;
    const std::uint64_t parity = found.value & ((std::uint64_t{1} << predicate_bit) - 1);
    return barrier_step(*site.instruction, expected.before, parity).result == expected.entry.value >> predicate_bit;
}

/// A trace does not hold an atomic's operand, but memory before and after it.
bool makes_what_is_expected(const Site& site, const ExpectedEntry& expected, const Entry& found, const ThreadLog& log,
                            std::size_t index) {
    const ptx::Modifiers& modifiers = site.instruction->modifiers;
    if (site.logged == Logged::compare) return true;  // checked with the operand, the next entry
    const bool compares = modifiers.atomic == ptx::Atomic::cas;
    const std::uint64_t compare = compares && index > 0 ? log[index - 1].value : 0;
    return atomic_result(modifiers.atomic, modifiers.type, expected.before, found.value, compare) == expected.after;
}

bool agrees(const Rewritten& rewritten, const ExpectedEntry& expected, const ThreadLog& log, std::size_t index) {
    const Entry& found = log[index];
    const bool both_elsewhere = (found.address & expected.entry.address & elsewhere) != 0;
    if (found.site != expected.entry.site || (found.address != expected.entry.address && !both_elsewhere)) return false;
    const Site& site = rewritten.sites[found.site];
    if (!site.known) return true;
    if (site.logged == Logged::wait) return waits_for_the_same(site, expected, found);
    if (site.logged == Logged::arrival)
        return barrier_step(*site.instruction, expected.before, found.value).object == expected.after;
    if (site.logged == Logged::compare || site.logged == Logged::operand)
        return makes_what_is_expected(site, expected, found, log, index);
    return found.value == expected.entry.value;
}

/// The line of the CUDA source that the instruction comes from; if it was inlined, the line of the outermost call.
std::uint32_t source_line_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    std::uint32_t place = instruction.place;
    std::uint32_t line = 0;
    while (place != ptx::SourcePlace::none) {
        line = module.places[place].line;
        place = module.places[place].inlined_at;
    }
    return line;
}

class Comparer {
  public:
    Comparer(const Rewritten& rewritten, const ptx::Module& module)
        : rewritten_(rewritten), module_(module), waits_(waits(rewritten)) {}

    void thread(std::uint32_t launch, std::uint64_t block, std::uint32_t thread,
                const std::vector<ExpectedEntry>& expected, const ThreadLog& found) {
        const Kept ours = compared(expected.size(), [&](std::size_t i) { return expected[i].entry; });
        const Kept theirs = compared(found.size(), [&](std::size_t i) { return found[i]; });
        const std::size_t common = std::min(ours.size(), theirs.size());
        std::size_t number = 0;
        while (number < common && agrees(rewritten_, expected[ours[number]], found, theirs[number])) ++number;
        comparison_.entries += number;
        if (number == ours.size() && number == theirs.size()) return;
        ++comparison_.differing_threads;
        if (comparison_.first) return;
        const std::size_t here = number < ours.size() ? ours[number] : expected.size();
        const std::size_t there = number < theirs.size() ? theirs[number] : found.size();
        RecordDifference difference{.launch = launch, .block = block, .thread = thread, .entry = there};
        const auto describe = [&](bool exists, auto entry_at) -> std::string {
            if (!exists) return "does nothing more";
            const Entry entry = entry_at();
            difference.at_early_test = difference.at_early_test || is_early_test(rewritten_, entry);
            return text_of(rewritten_.sites[entry.site], entry);
        };
        difference.expected = describe(here < expected.size(), [&] { return shown(expected[here]); });
        difference.found = describe(there < found.size(), [&] { return found[there]; });
        const std::uint16_t differs = here < expected.size() ? expected[here].entry.site : found[there].site;
        const auto at_site = [&](const ExpectedEntry& entry) { return entry.entry.site == differs; };
        difference.nth = static_cast<std::uint64_t>(std::ranges::count_if(std::span(expected).first(here), at_site));
        const Site& site = rewritten_.sites[differs];
        difference.line = site.line;
        difference.source_line = source_line_of(module_, *site.instruction);
        const std::string_view text = module_.text_line(site.line);
        difference.instruction = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
        comparison_.first = std::move(difference);
    }

    [[nodiscard]] RecordComparison result() { return std::move(comparison_); }

  private:
    /// Entries of a log, by their index there.
    class Kept {
      public:
        explicit Kept(std::size_t all) : size_(all) {}
        explicit Kept(std::vector<std::size_t> some) : some_(std::move(some)), size_(some_->size()) {}
        [[nodiscard]] std::size_t size() const { return size_; }
        [[nodiscard]] std::size_t operator[](std::size_t i) const { return some_ ? (*some_)[i] : i; }

      private:
        std::optional<std::vector<std::size_t>> some_;  ///< nothing: all
        std::size_t size_;
    };

    template <class EntryAt>
    [[nodiscard]] Kept compared(std::size_t size, EntryAt entry_at) {
        if (!waits_) return Kept(size);
        std::vector<std::size_t> kept = without_early_tests(rewritten_, size, entry_at);
        for (std::size_t i = 0, next = 0; i < size; ++i) {
            if (next < kept.size() && kept[next] == i)
                ++next;
            else
                comparison_.early_tests += is_early_test(rewritten_, entry_at(i)) ? 1U : 0U;
        }
        return Kept(std::move(kept));
    }

    /// The operand of an addition follows from its result.
    [[nodiscard]] Entry shown(const ExpectedEntry& expected) const {
        Entry entry = expected.entry;
        const Site& site = rewritten_.sites[entry.site];
        if (site.logged == Logged::operand) entry.value = expected.after - expected.before;
        if (site.logged == Logged::arrival) {
            const trace::BarrierObject before(expected.before), after(expected.after);
            const bool same_phase = before.phase == after.phase;
            entry.value = site.instruction->action() == ptx::Action::mbarrier_init ? after.expected
                          : same_phase                                             ? before.pending - after.pending
                                                                                   : before.pending;
        }
        return entry;
    }

    const Rewritten& rewritten_;
    const ptx::Module& module_;
    bool waits_;
    RecordComparison comparison_;
};

}  // namespace

bool waits(const Rewritten& rewritten) {
    return std::ranges::any_of(rewritten.sites, [](const Site& site) { return site.logged == Logged::wait; });
}

bool is_early_test(const Rewritten& rewritten, const Entry& entry) {
    return rewritten.sites[entry.site].logged == Logged::wait && entry.value >> predicate_bit == 0;
}

std::string text_of(const Approximation& approximation) {
    return fmt::format("{} of {} results of {} differ from the emulator's by at most {:.2g} (relative), {}",
                       grouped(approximation.differing), grouped(approximation.results), approximation.instruction,
                       approximation.largest_relative,
                       approximation.unstated > 0 ? fmt::format("{} of them where the PTX ISA states no error",
                                                                grouped(approximation.unstated))
                                                  : "within the error that the PTX ISA states");
}

RecordComparison compare(const std::vector<ExpectedLaunch>& expected, const Recorded& recorded,
                         const Rewritten& rewritten, const ptx::Module& module) {
    Comparer comparer(rewritten, module);
    for (std::size_t number = 0; number < expected.size(); ++number) {
        const ExpectedLaunch& launch = expected[number];
        for (std::size_t i = 0; i < launch.logs.size(); ++i) {
            comparer.thread(static_cast<std::uint32_t>(number), launch.first_block + i / launch.threads,
                            static_cast<std::uint32_t>(i % launch.threads), launch.logs[i],
                            recorded.launches[number].logs[i]);
        }
    }
    return comparer.result();
}

}  // namespace lanescope::execute
