// The order that streams, events and waits give to a program's work (CUDA C++ Programming Guide, "Streams", "Default
// Stream", "Events"), and accesses of the same bytes that it leaves without one: on a GPU either may come first, though
// here all work is done when it is enqueued.
#pragma once

#include "host/protocol.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::host {

/// Work that has ended, or ends before: how much of each lane's.
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
    // A lane is a stream, by a number that no other stream ever has.
    static constexpr std::uint64_t legacy_lane = 0;
    [[nodiscard]] static std::uint64_t lane_of(cudaStream_t stream);
    /// `blocking`: it waits for the legacy default stream, which waits for it.
    void add_lane(std::uint64_t lane, bool blocking);

    /// Accesses of kernels must be known: there is more than one lane, or may be within a graph.
    [[nodiscard]] bool has_lanes() const { return lanes_.size() > 1 || has_graphs_; }

    /// Whether some two lanes are not ordered by the legacy default stream alone: a kernel may wait for another lane's.
    [[nodiscard]] bool has_concurrent_lanes() const;

    /// The work that is enqueued in a stream, from its start to its end. Within another it is part of that.
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

    /// The nodes of a graph that is launched, one after the other, within the work of its stream: each is ordered after
    /// the nodes that its edges name alone. A lane of its own is a branch that runs beside those that began before.
    class Branches {
      public:
        explicit Branches(WorkOrder& order);
        ~Branches();
        Branches(const Branches&) = delete;
        Branches& operator=(const Branches&) = delete;
        /// The next node: `after` are numbers of nodes that were begun before it.
        void begin_node(const std::vector<std::size_t>& after);

      private:
        WorkOrder& order_;
        std::uint64_t trunk_;
        Ended before_;              ///< the graph
        std::vector<Ended> nodes_;  ///< what has ended with each
    };

    /// Whether a work is enqueued, for which the host would not wait.
    [[nodiscard]] bool is_working() const { return working_; }

    /// The accesses of the current work. Reports each earlier work that accesses the same bytes, where one of the two
    /// writes and nothing orders them. `step`: the number of its step.
    void accesses(std::uint64_t step, std::vector<AccessedSpan> spans);

    // The host waits.
    void host_waits_for(cudaStream_t stream);
    void host_waits_for(const Ended& ended);
    void host_waits_for_work();  ///< the current one
    void host_waits_for_all();

    // Events.
    [[nodiscard]] Ended recorded(cudaStream_t stream);
    void stream_waits(cudaStream_t stream, const Ended& ended);

    /// Whether the host's access of a byte conflicts with a work that it has not waited for: the number of its step.
    struct Conflict {
        std::uint64_t step = 0;
        bool writes = false;   ///< the work does
        bool signals = false;  ///< it may have told the host by a flag that the access is over
    };
    [[nodiscard]] std::optional<Conflict> host_accesses(std::uint64_t address, bool writes) const;
    /// Whole pages of pinned memory that the current work accesses and the host does not wait for: the host's access of
    /// them faults until then. They are guarded when the work ends.
    void guard(std::uint64_t begin, std::uint64_t end, bool work_writes);
    /// The same of bytes in pages that other data is in. A write by the host is seen by the bytes' change, before the
    /// next work or wait; a read is not.
    void watch(std::uint64_t device, std::uint64_t bytes);
    /// The host may access the page of that byte from now on.
    void lift_guard(std::uint64_t address);
    /// The host may access what that work accesses from now on.
    void lift_guards_of(std::uint64_t step);

  private:
    struct Enqueued {
        std::uint64_t number = 0, step = 0;
        std::vector<AccessedSpan> spans;  ///< ascending
    };
    struct Lane {
        bool blocking = true;
        std::uint64_t works = 0;
        Ended before;                         ///< whatever follows in the lane
        std::deque<Enqueued> known;           ///< that the host has not waited for, ascending
        std::optional<std::uint64_t> trunk;   ///< of a branch: the lane of its graph
        std::vector<std::uint64_t> branches;  ///< of the graphs that were launched in it
    };
    struct Guard {
        std::uint64_t begin = 0, end = 0;  ///< whole pages
        std::uint64_t lane = 0, number = 0;
        bool work_writes = false;
    };
    struct Watched {
        std::uint64_t device = 0;  ///< where kernels reach it
        std::uint64_t lane = 0, number = 0;
        std::vector<unsigned char> bytes;  ///< after the last work
    };
    void report_changes();
    void begin(std::uint64_t lane);
    [[nodiscard]] std::uint64_t lane_for_node(std::uint64_t trunk, const Ended& before);
    [[nodiscard]] std::uint64_t trunk_of(std::uint64_t lane) const;
    void forget_ended();

    std::map<std::uint64_t, Lane> lanes_{{legacy_lane, {}}};
    Ended host_;
    bool working_ = false, has_graphs_ = false;
    std::uint64_t current_ = legacy_lane;                  ///< lane of the work
    std::uint64_t next_branch_ = std::uint64_t{1} << 62U;  ///< past the numbers of streams, before those of threads
    std::vector<Guard> guards_;
    bool guards_more_ = false;  ///< since the current work began
    std::vector<Watched> watched_;
    std::uint64_t spans_ = 0;  ///< of all known works
};

}  // namespace lanescope::host
