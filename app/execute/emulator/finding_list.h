// The list of a trace's findings. Those of one kind at one line are one finding with a count: it describes the first.
#pragma once

#include "trace/trace.h"
#include "trace/writer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lanescope::execute {

class FindingList {
  public:
    static constexpr std::size_t unlisted = ~std::size_t{0};

    /// At most `limit` findings of each kind are listed.
    FindingList(trace::Writer& writer, std::uint64_t limit) : writer_(writer), limit_(limit) {}

    /// Returns its index in Trace::findings, or unlisted. `from_data`: the address of the access depends on input data.
    std::size_t report(trace::Finding finding, bool from_data = false);
    /// The same for Trace::remarks.
    std::size_t remark(trace::Finding finding);
    /// Withdraws the findings for which `wrong` returns true. All indices change.
    void withdraw(const std::function<bool(const trace::Finding&, bool from_data)>& wrong);
    /// Leaves out the remarks at lines of findings, and reports how many findings are not listed. `launch`: the number
    /// of the launch that has ended.
    void finish(std::uint32_t launch);

  private:
    /// The key by which findings are merged into one.
    using Line = std::pair<bool, std::uint32_t>;
    using Key = std::tuple<trace::Finding::Kind, std::uint32_t, Line, Line, std::string>;
    [[nodiscard]] static Key key_of(const trace::Finding& finding);
    /// Counts the listed finding once more, where `same` happened.
    void count_again(std::vector<trace::Finding>& listed, std::size_t index, const trace::Finding& same);

    trace::Writer& writer_;
    std::uint64_t limit_;
    std::map<Key, std::size_t> known_;                        ///< index in Trace::findings, or unlisted
    std::map<Key, std::size_t> remarked_;                     ///< index in Trace::remarks, or unlisted
    std::map<trace::Finding::Kind, std::uint64_t> distinct_;  ///< findings of a kind, listed or not
    std::set<std::size_t> from_data_;  ///< indices in Trace::findings: the address depends on input data
};

}  // namespace lanescope::execute
