// The order that streams, events and waits impose on a program's operations (CUDA C++ Programming Guide, "Streams",
// "Default Stream", "Events"), and conflicting accesses that it leaves unordered: on a GPU either may come first,
// although here every operation completes when it is enqueued.
#pragma once

#include "host/protocol.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::host {

/// The operations that have ended, or that end before another: the number of each lane's first ones. (A vector clock.)
class Ended {
  public:
    [[nodiscard]] std::uint64_t of(std::uint64_t lane) const {
        const auto found = works_.find(lane);
        return found == works_.end() ? 0 : found->second;
    }
    void include(std::uint64_t lane, std::uint64_t works) {
        std::uint64_t& known = works_[lane];
        if (known < works) known = works;
    }
    void include(const Ended& other) {
        for (const auto& [lane, works] : other.works_) include(lane, works);
    }

  private:
    std::map<std::uint64_t, std::uint64_t> works_;
};

class WorkOrder {
  public:
    // A lane is a stream or a branch of a graph, with a number that is never reused.
    static constexpr std::uint64_t legacy_lane = 0;
    [[nodiscard]] static std::uint64_t lane_of(cudaStream_t stream);
    /// `blocking`: it synchronizes with the legacy default stream.
    void add_lane(std::uint64_t lane, bool blocking);

    /// Whether the accesses of kernels must be known: there is more than one lane, or a graph may have several.
    [[nodiscard]] bool has_lanes() const { return lanes_.size() > 1 || has_graphs_; }

    /// Whether two lanes are concurrent, not both ordered by the legacy default stream: a kernel may then wait for a
    /// kernel of another lane.
    [[nodiscard]] bool has_concurrent_lanes() const;

    /// An operation enqueued in a stream, from its start to its end. A nested one is part of the outer one.
    class Work {
      public:
        Work(WorkOrder& order, cudaStream_t stream);
        ~Work();
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

      private:
        WorkOrder& order_;
        bool outermost_;
    };

    /// The nodes of a launched graph, executed one after the other within the operation of its stream. A node is
    /// ordered only after the nodes that its edges name; a branch that is concurrent with others gets its own lane.
    class Branches {
      public:
        explicit Branches(WorkOrder& order);
        ~Branches();
        Branches(const Branches&) = delete;
        Branches& operator=(const Branches&) = delete;
        /// Begins the next node; `after`: the numbers of earlier nodes that it depends on.
        void begin_node(const std::vector<std::size_t>& after);

      private:
        WorkOrder& order_;
        std::uint64_t trunk_;
        Ended before_;              ///< ended before the graph begins
        std::vector<Ended> nodes_;  ///< ended when each node ends
    };

    /// Whether an operation is being enqueued; the host does not wait for it.
    [[nodiscard]] bool is_working() const { return working_; }

    /// Adds the accesses of the current operation, whose step is `step`. Reports each earlier operation that accesses
    /// the same bytes if one of the two writes and nothing orders them.
    void accesses(std::uint64_t step, std::vector<AccessedSpan> spans);

    // The host waits.
    void host_waits_for(cudaStream_t stream);
    void host_waits_for(const Ended& ended);
    void host_waits_for_work();  ///< for the current operation
    void host_waits_for_all();

    // Events.
    [[nodiscard]] Ended recorded(cudaStream_t stream);
    void stream_waits(cudaStream_t stream, const Ended& ended);

    /// An operation that the host has not waited for and whose access conflicts with the host's.
    struct Conflict {
        std::uint64_t step = 0;
        bool writes = false;   ///< the operation writes
        bool signals = false;  ///< it may have signaled the host by a flag that the access is over
    };
    [[nodiscard]] std::optional<Conflict> host_accesses(std::uint64_t address, bool writes) const;
    /// Guards whole pages of pinned memory that the current operation accesses, from its end until the host has waited
    /// for it: an access by host code faults meanwhile.
    void guard(std::uint64_t begin, std::uint64_t end, bool work_writes);
    /// The same for bytes in pages that also hold other data. A host write is detected by the changed bytes at the next
    /// operation or wait; a host read is not detected.
    void watch(std::uint64_t device, std::uint64_t bytes);
    /// Lets the host access the page of that byte.
    void lift_guard(std::uint64_t address);
    /// Lets the host access the memory of the operation with that step.
    void lift_guards_of(std::uint64_t step);

  private:
    struct Enqueued {
        std::uint64_t number = 0, step = 0;
        std::vector<AccessedSpan> spans;  ///< ascending
    };
    struct Lane {
        bool blocking = true;
        std::uint64_t works = 0;
        Ended before;                         ///< ended before the lane's next operation
        std::deque<Enqueued> known;           ///< operations that the host has not waited for, ascending
        std::optional<std::uint64_t> trunk;   ///< for a branch: the lane that its graph was launched in
        std::vector<std::uint64_t> branches;  ///< lanes of the graphs that were launched in it
    };
    struct Guard {
        std::uint64_t begin = 0, end = 0;  ///< whole pages
        std::uint64_t lane = 0, number = 0;
        bool work_writes = false;
    };
    struct Watched {
        std::uint64_t device = 0;  ///< where kernels reach it
        std::uint64_t lane = 0, number = 0;
        std::vector<unsigned char> bytes;  ///< as the last operation left them
    };
    void report_changes();
    void begin(std::uint64_t lane);
    [[nodiscard]] std::uint64_t lane_for_node(std::uint64_t trunk, const Ended& before);
    [[nodiscard]] std::uint64_t trunk_of(std::uint64_t lane) const;
    void forget_ended();

    std::map<std::uint64_t, Lane> lanes_{{legacy_lane, {}}};
    Ended host_;
    bool working_ = false, has_graphs_ = false;
    std::uint64_t current_ = legacy_lane;                  ///< lane of the current operation
    std::uint64_t next_branch_ = std::uint64_t{1} << 62U;  ///< past the numbers of streams, before those of threads
    std::vector<Guard> guards_;
    bool guards_more_ = false;  ///< the current operation has added guards
    std::vector<Watched> watched_;
    std::uint64_t spans_ = 0;  ///< of all known operations
};

}  // namespace lanescope::host
