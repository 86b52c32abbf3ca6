// What a program compiles by NVRTC while it runs: its sources under the names by which the trace keeps them, and its
// PTX as written.
#pragma once

#include "trace/trace.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::session {

class NvrtcSources {
  public:
    /// A source that the program compiles; `path`: its name in the PTX. One with the name of a file in the user's own
    /// `folders`, but another content, gets a name of its own.
    void add(std::string_view path, std::string_view text, const std::vector<std::filesystem::path>& folders);
    [[nodiscard]] std::vector<trace::SourceText> texts() const;

    /// The PTX names files in the folder that the program runs in, which is deleted after the run: names them as
    /// texts() does.
    [[nodiscard]] std::string with_names(std::string ptx) const;

    void add_as_written(std::string_view ptx);
    /// The PTX as written since the last call.
    [[nodiscard]] std::string take_as_written() { return std::exchange(as_written_, {}); }

  private:
    /// By the path in the PTX; an empty text: several have that path.
    std::map<std::string, trace::SourceText, std::less<>> sources_;
    std::string as_written_;
};

}  // namespace lanescope::session
