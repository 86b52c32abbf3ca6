// The history of one element of memory: a floating list of its writers and readers, in order; a click goes there.
#pragma once

#include "analysis/panels/element_history.h"
#include "ui/panel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::ui {

class ValueHistory {
  public:
    /// Opens the history of the selected cell. An error says why there is none.
    [[nodiscard]] Result<void> open(const Workspace& workspace);
    void open(const Workspace& workspace, const analysis::Element& element);
    void close() { open_ = false; }
    [[nodiscard]] bool is_open() const { return open_; }
    void draw(const Context& context);

    [[nodiscard]] const analysis::ElementHistory& history() const { return history_; }

  private:
    /// True when it was clicked.
    bool row(const Context& context, std::size_t index);
    static void go_to(Workspace& workspace, const analysis::ElementAccess& access);

    bool open_ = false, appeared_ = false;
    analysis::Element element_;
    analysis::ElementHistory history_;
    std::shared_ptr<const session::Run> of_;  // the run that the list describes: another run closes it
};

}  // namespace lanescope::ui
