// Omissions of a recording, grouped so that they take few sentences.
#include "timing/measurement.h"

#include <algorithm>

namespace lanescope::timing {

namespace {

template <class Value>
void insert(std::vector<Value>& values, Value value) {
    const auto at = std::ranges::lower_bound(values, value);
    if (at == values.end() || *at != value) values.insert(at, value);
}

}  // namespace

std::vector<OmissionGroup> omission_groups(const Recording& recording) {
    std::vector<OmissionGroup> groups;
    std::vector<const Omission*> firsts;
    for (const Omission& omission : recording.omissions) {
        const auto same = std::ranges::find_if(firsts, [&](const Omission* first) {
            return first->kernel == omission.kernel && first->fault == omission.fault &&
                   (first->remedy.empty() ? first->what == omission.what : first->remedy == omission.remedy);
        });
        const auto at = static_cast<std::size_t>(same - firsts.begin());
        if (same == firsts.end()) {
            firsts.push_back(&omission);
            groups.push_back(
                {.kernel = omission.kernel,
                 .n = {},
                 .block = {},
                 .why = omission.remedy.empty() ? omission.what + "." : omission.what + ". " + omission.remedy,
                 .fault = omission.fault});
        }
        insert(groups[at].n, omission.n);
        insert(groups[at].block, omission.block);
        ++groups[at].count;
    }
    return groups;
}

}  // namespace lanescope::timing
