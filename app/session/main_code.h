// A file's main -> what it does, as far as that can be told without running a kernel; remembered of the last file, for
// reading a file and running it both ask.
#pragma once

#include "base/result.h"
#include "session/catalog.h"
#include "session/host_code.h"

#include <memory>
#include <string>

namespace lanescope::session {

struct FollowedMain {
    std::shared_ptr<const HostRun> run;
    bool looks =
        false;  ///< at results, which were taken to be zeros: it is followed again where they are known, and may be cut
};

/// Fails where main cannot be followed, or launches nothing when it is run without words on its command line.
[[nodiscard]] Result<FollowedMain> follow_main(const std::string& source, const std::string& source_name);

/// Of a followed main that launches in one place: the kernel, which a request for another launch shows alone. Else
/// empty.
[[nodiscard]] std::string kernel_alone(const Program& program);

}  // namespace lanescope::session
