// The form of the button More: template arguments, banks, dynamic shared memory and the kernel's arguments.
#pragma once

#include "ui/panels/bar_item.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

class LaunchMore {
  public:
    /// The button, named after what differs from the default, and the form that it opens.
    [[nodiscard]] BarItem item(Context& context);

  private:
    void rows(Context& context);
    /// The process that runs host code: its arguments, input, folder, limit and checks.
    void program_rows(Context& context);
    void template_rows(Context& context, const std::vector<std::string>& parameters);
    void banks_row(Context& context);
    void argument_rows(Context& context, const session::Run& run);
    /// Where the blocks run.
    void residency_rows(Context& context);
    /// True when the text was changed: it is in `typed`. `lines`: the field has several lines.
    bool row(Context& context, const char* id, const std::string& label, const std::string& shown,
             const std::optional<Problem>& problem, std::string_view note, std::string& typed, bool lines = false);

    std::map<std::string, std::string> typed_;  // texts of the form, by row
};

}  // namespace lanescope::ui
