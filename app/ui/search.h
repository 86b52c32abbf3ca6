// One field that finds everything: commands, kernels of the catalog, files opened before, panels; and files by their
// path.
#pragma once

#include "ui/panel.h"

#include <functional>
#include <string>
#include <vector>

namespace lanescope::ui {

class Shell;

class Search {
  public:
    /// Over the panels, until something is chosen, Escape, or a click beside it. `text` stands in the field.
    void open(std::string text);
    void close() { open_ = false; }
    [[nodiscard]] bool is_open() const { return open_; }
    void draw(const Context& context, Shell& shell);

  private:
    struct Entry {
        std::string name, detail, keys;
        bool enabled = true;
        std::function<void(Shell&)> act;
        std::string completes;  // a folder: goes on typing instead of acting
    };
    void collect(const Shell& shell);
    void list_paths();
    void list_commands(const Shell& shell);
    /// True when the entry was chosen.
    bool row(const Look& look, const Entry& entry, bool current);
    void choose(Shell& shell, Entry entry);

    bool open_ = false, opened_now_ = false;
    std::string text_, collected_for_;
    bool stale_ = true;
    bool scroll_ = false;      // the current entry is to be brought into view
    std::string replacement_;  // for the text of the field, which ImGui owns while it is edited
    std::vector<Entry> entries_;
    std::size_t current_ = 0;
};

}  // namespace lanescope::ui
