#include "host/runtime/order.h"

#include "host/runtime/stream.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace lanescope::host {

namespace {

/// The most spans kept of operations that the host has not waited for; above that all are dropped, with a remark.
constexpr std::uint64_t most_spans = std::uint64_t{1} << 22U;

/// The most watched parts of pages.
constexpr std::size_t most_watched = 64;

bool conflict(std::uint64_t uses, std::uint64_t others) {
    const auto disturbs = [](std::uint64_t one, std::uint64_t other) {
        const bool writes = (one & AccessedSpan::writes) != 0 && other != 0;
        const bool replaces = (one & AccessedSpan::atomic) != 0 && (other & AccessedSpan::reads) != 0;
        return writes || replaces;
    };
    return disturbs(uses, others) || disturbs(others, uses);
}

struct Meeting {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t first_uses = 0, second_uses = 0;
};

/// The first bytes that both access and at least one writes.
std::optional<Meeting> meeting_of(const std::vector<AccessedSpan>& first, const std::vector<AccessedSpan>& second) {
    auto a = first.begin();
    auto b = second.begin();
    while (a != first.end() && b != second.end()) {
        const std::uint64_t begin = std::max(a->address, b->address);
        const std::uint64_t end = std::min(a->address + a->bytes, b->address + b->bytes);
        if (begin < end && conflict(a->uses, b->uses)) return Meeting{begin, end - begin, a->uses, b->uses};
        if (a->address + a->bytes < b->address + b->bytes)
            ++a;
        else
            ++b;
    }
    return std::nullopt;
}

/// Sorts the spans by address and merges those that overlap.
void put_in_order(std::vector<AccessedSpan>& spans) {
    std::sort(spans.begin(), spans.end(),
              [](const AccessedSpan& a, const AccessedSpan& b) { return a.address < b.address; });
    std::vector<AccessedSpan> apart;
    for (const AccessedSpan& span : spans) {
        if (apart.empty() || apart.back().address + apart.back().bytes <= span.address) {
            apart.push_back(span);
            continue;
        }
        AccessedSpan& last = apart.back();
        last.bytes = std::max(last.bytes, span.address + span.bytes - last.address);
        last.uses |= span.uses;
    }
    spans = std::move(apart);
}

bool changes(std::uint64_t uses) { return (uses & (AccessedSpan::writes | AccessedSpan::atomic)) != 0; }

/// The bytes at a device address, by a mapping that is never guarded.
const void* bytes_of(std::uint64_t device) { return Runtime::get().window(reinterpret_cast<const void*>(device)); }

void allow(std::uint64_t begin, std::uint64_t end, int access) {
    mprotect(reinterpret_cast<void*>(begin), end - begin, access);
}

}  // namespace

std::uint64_t WorkOrder::lane_of(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy) return legacy_lane;
    if (stream != cudaStreamPerThread) return stream->id;
    static std::atomic<std::uint64_t> next{std::uint64_t{1} << 63U};  // past the numbers of streams
    thread_local const std::uint64_t of_thread = next++;
    return of_thread;
}

void WorkOrder::add_lane(std::uint64_t number, bool blocking) { lanes_[number].blocking = blocking; }

bool WorkOrder::has_concurrent_lanes() const {
    constexpr std::size_t legacy_and_another = 2;
    return lanes_.size() > legacy_and_another ||
           std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return !lane.second.blocking; });
}

void WorkOrder::begin(std::uint64_t number) {
    Lane& own = lanes_[number];
    own.before.include(host_);
    if (number == legacy_lane) {
        for (const auto& [other, of_other] : lanes_)
            if (of_other.blocking) own.before.include(of_other.before);
    } else if (own.blocking) {
        own.before.include(lanes_[legacy_lane].before);
    }
    own.before.include(number, ++own.works);
}

WorkOrder::Work::Work(WorkOrder& order, cudaStream_t stream)
    : order_(order), outermost_(!std::exchange(order.working_, true)) {
    if (!outermost_) return;
    order.report_changes();
    order.current_ = lane_of(stream);
    order.begin(order.current_);
}

WorkOrder::Work::~Work() {
    if (!outermost_) return;
    order_.working_ = false;
    for (Watched& watched : order_.watched_)  // the operation may have changed the bytes
        std::memcpy(watched.bytes.data(), bytes_of(watched.device), watched.bytes.size());
    if (std::exchange(order_.guards_more_, false)) order_.forget_ended();
}

WorkOrder::Branches::Branches(WorkOrder& order)
    : order_(order), trunk_(order.current_), before_(order.lanes_[order.current_].before) {
    order.has_graphs_ = true;
}

WorkOrder::Branches::~Branches() {
    Lane& trunk = order_.lanes_[trunk_];
    trunk.before.include(before_);
    for (const Ended& node : nodes_) trunk.before.include(node);
    order_.current_ = trunk_;
}

void WorkOrder::Branches::begin_node(const std::vector<std::size_t>& after) {
    Ended ended = before_;
    for (const std::size_t node : after) ended.include(nodes_[node]);
    order_.current_ = order_.lane_for_node(trunk_, ended);
    Lane& lane = order_.lanes_[order_.current_];
    ended.include(order_.current_, ++lane.works);
    lane.before = ended;
    nodes_.push_back(std::move(ended));
}

/// A lane of the graph in which every operation ends before the node begins, else a new lane.
std::uint64_t WorkOrder::lane_for_node(std::uint64_t trunk, const Ended& before) {
    const auto continues = [&](std::uint64_t number) { return lanes_[number].works <= before.of(number); };
    if (continues(trunk)) return trunk;
    for (const std::uint64_t number : lanes_[trunk].branches)
        if (continues(number)) return number;
    const std::uint64_t made = next_branch_++;
    lanes_[trunk].branches.push_back(made);
    lanes_[made].trunk = trunk;
    lanes_[made].blocking = false;  // the trunk waits for it
    return made;
}

/// The lane of the stream that a branch's graph was launched in.
std::uint64_t WorkOrder::trunk_of(std::uint64_t number) const {
    for (auto lane = lanes_.find(number); lane != lanes_.end() && lane->second.trunk; lane = lanes_.find(number))
        number = *lane->second.trunk;
    return number;
}

void WorkOrder::accesses(std::uint64_t step, std::vector<AccessedSpan> spans) {
    if (!working_ || spans.empty()) return;
    put_in_order(spans);
    Lane& own = lanes_[current_];
    for (const auto& [number, other] : lanes_) {
        if (number == current_) continue;
        for (auto earlier = other.known.rbegin(); earlier != other.known.rend(); ++earlier) {
            if (earlier->number <= own.before.of(number)) break;
            const auto meeting = meeting_of(earlier->spans, spans);
            if (!meeting) continue;
            UnorderedFacts facts;
            facts.earlier = earlier->step;
            facts.later = step;
            facts.earlier_writes = changes(meeting->first_uses) ? 1 : 0;
            facts.later_writes = changes(meeting->second_uses) ? 1 : 0;
            facts.in_one_graph = trunk_of(number) == trunk_of(current_) ? 1 : 0;
            Runtime::get().unordered(facts, meeting->address, meeting->bytes);
        }
    }
    spans_ += spans.size();
    own.known.push_back({own.works, step, std::move(spans)});
    if (spans_ <= most_spans) return;
    Runtime::get().remark(
        "the order of operations in streams is checked only in part: the host leaves too many without a wait");
    for (auto& [number, other] : lanes_) other.known.clear();
    spans_ = 0;
}

void WorkOrder::host_waits_for(cudaStream_t stream) { host_waits_for(recorded(stream)); }

void WorkOrder::host_waits_for(const Ended& ended) {
    if (!working_) report_changes();
    host_.include(ended);
    forget_ended();
}

void WorkOrder::host_waits_for_work() {
    if (working_) host_waits_for(lanes_[current_].before);
}

void WorkOrder::host_waits_for_all() {
    if (!working_) report_changes();
    for (const auto& [number, other] : lanes_) host_.include(other.before);
    forget_ended();
}

Ended WorkOrder::recorded(cudaStream_t stream) {
    if (working_) return lanes_[current_].before;  // a node of a graph records it
    const std::uint64_t number = lane_of(stream);
    begin(number);  // an event in the legacy default stream includes the streams that it waits for
    return lanes_[number].before;
}

void WorkOrder::stream_waits(cudaStream_t stream, const Ended& ended) { lanes_[lane_of(stream)].before.include(ended); }

void WorkOrder::forget_ended() {
    for (auto& [number, of_lane] : lanes_) {
        while (!of_lane.known.empty() && of_lane.known.front().number <= host_.of(number)) {
            spans_ -= of_lane.known.front().spans.size();
            of_lane.known.pop_front();
        }
    }
    const auto ended = [&](const Guard& guard) { return guard.number <= host_.of(guard.lane); };
    for (const Guard& guard : guards_)
        if (ended(guard)) allow(guard.begin, guard.end, PROT_READ | PROT_WRITE);
    guards_.erase(std::remove_if(guards_.begin(), guards_.end(), ended), guards_.end());
    watched_.erase(std::remove_if(watched_.begin(), watched_.end(),
                                  [&](const Watched& watched) { return watched.number <= host_.of(watched.lane); }),
                   watched_.end());
    // A page may be guarded for several operations.
    for (const Guard& guard : guards_)
        if (!guard.work_writes) allow(guard.begin, guard.end, PROT_READ);
    for (const Guard& guard : guards_)
        if (guard.work_writes) allow(guard.begin, guard.end, PROT_NONE);
}

/// Reports watched bytes that host code has changed since the last operation.
void WorkOrder::report_changes() {
    for (Watched& watched : watched_) {
        const auto* const now = static_cast<const unsigned char*>(bytes_of(watched.device));
        const auto [was, is] = std::mismatch(watched.bytes.begin(), watched.bytes.end(), now);
        if (was == watched.bytes.end()) continue;
        const std::uint64_t at = watched.device + static_cast<std::uint64_t>(was - watched.bytes.begin());
        std::copy(now, now + watched.bytes.size(), watched.bytes.begin());
        const auto conflict = host_accesses(at, true);
        if (conflict && !conflict->signals)
            Runtime::get().unordered({conflict->step, UnorderedFacts::host_code_before, conflict->writes ? 1U : 0U, 1U},
                                     at, 1);
    }
}

std::optional<WorkOrder::Conflict> WorkOrder::host_accesses(std::uint64_t address, bool writes) const {
    for (const auto& [number, of_lane] : lanes_)
        for (auto work = of_lane.known.rbegin(); work != of_lane.known.rend(); ++work) {
            const auto after =
                std::upper_bound(work->spans.begin(), work->spans.end(), address,
                                 [](std::uint64_t wanted, const AccessedSpan& span) { return wanted < span.address; });
            if (after == work->spans.begin()) continue;
            const AccessedSpan& span = *(after - 1);
            if (address - span.address >= span.bytes) continue;
            const bool changed = changes(span.uses);
            if (changed || writes) return Conflict{work->step, changed, (span.uses & AccessedSpan::signals) != 0};
        }
    return std::nullopt;
}

void WorkOrder::guard(std::uint64_t begin, std::uint64_t end, bool work_writes) {
    // A process can have 65,530 mappings; a kernel with scattered accesses could need more.
    constexpr std::size_t most_guards = 8192;
    if (!working_ || begin >= end) return;
    guards_more_ = true;
    const std::uint64_t number = lanes_[current_].works;
    // A later operation of the lane ends after the earlier ones, so one guard serves for all.
    const auto same = std::find_if(guards_.begin(), guards_.end(), [&](const Guard& guard) {
        return guard.lane == current_ && guard.begin == begin && guard.end == end && guard.work_writes == work_writes;
    });
    if (same != guards_.end()) {
        same->number = number;
        return;
    }
    if (!guards_.empty()) {
        Guard& last = guards_.back();
        if (last.lane == current_ && last.number == number && last.work_writes == work_writes && begin >= last.begin &&
            begin <= last.end) {
            last.end = std::max(last.end, end);
            return;
        }
    }
    if (guards_.size() >= most_guards) {
        Runtime::get().not_known(
            "whether host code waits for all work before it accesses pinned memory; the accesses are too "
            "scattered");
        return;
    }
    Guard made;
    made.begin = begin;
    made.end = end;
    made.lane = current_;
    made.number = number;
    made.work_writes = work_writes;
    guards_.push_back(made);
}

void WorkOrder::watch(std::uint64_t device, std::uint64_t bytes) {
    if (!working_ || bytes == 0) return;
    guards_more_ = true;
    const std::uint64_t number = lanes_[current_].works;
    for (Watched& watched : watched_)
        if (watched.device == device && watched.bytes.size() == bytes && watched.lane == current_) {
            watched.number = number;
            return;
        }
    if (watched_.size() >= most_watched) return;
    Watched made;
    made.device = device;
    made.lane = current_;
    made.number = number;
    made.bytes.resize(bytes);
    watched_.push_back(std::move(made));
}

void WorkOrder::lift_guards_of(std::uint64_t step) {
    for (const auto& [number, of_lane] : lanes_)
        for (const Enqueued& work : of_lane.known) {
            if (work.step != step) continue;
            const auto of_work = [lane = number, &work](const Guard& guard) {
                return guard.lane == lane && guard.number == work.number;
            };
            for (const Guard& guard : guards_)
                if (of_work(guard)) allow(guard.begin, guard.end, PROT_READ | PROT_WRITE);
            guards_.erase(std::remove_if(guards_.begin(), guards_.end(), of_work), guards_.end());
        }
    forget_ended();
}

void WorkOrder::lift_guard(std::uint64_t address) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t begin = address / page * page;
    std::vector<Guard> rest;
    for (const Guard& guard : guards_) {
        if (guard.begin > begin || begin >= guard.end) {
            rest.push_back(guard);
            continue;
        }
        Guard before = guard, after = guard;
        before.end = begin;
        after.begin = begin + page;
        if (before.begin < before.end) rest.push_back(before);
        if (after.begin < after.end) rest.push_back(after);
    }
    guards_ = std::move(rest);
    allow(begin, begin + page, PROT_READ | PROT_WRITE);
    forget_ended();
}

}  // namespace lanescope::host
