// The search field: finds commands, kernels, recent files and panels, and completes paths of files.
#pragma once

#include "ui/panel.h"

#include <functional>
#include <string>
#include <vector>

namespace lanescope::ui {

class Shell;

class Search {
  public:
    /// Opens it over the panels until a choice, Escape or a click elsewhere. `text` is the initial text.
    void open(std::string text);
    void close() { open_ = false; }
    [[nodiscard]] bool is_open() const { return open_; }
    void draw(const Context& context, Shell& shell);

  private:
    struct Entry {
        std::string name, detail, keys;
        bool enabled = true;
        std::function<void(Shell&)> act;
        std::string completes;  // a folder: completes the path instead of acting
    };
    void collect(const Shell& shell);
    void list_paths();
    void list_commands(const Shell& shell);
    /// True when the entry was chosen.
    bool row(const Look& look, const Entry& entry, bool current);
    void choose(Shell& shell, const Entry& entry);

    bool open_ = false, opened_now_ = false;
    std::string text_, collected_for_;
    bool stale_ = true;
    bool scroll_ = false;      // scroll the current entry into view
    std::string replacement_;  // replaces the text of the field, which ImGui owns during editing
    std::vector<Entry> entries_;
    std::size_t current_ = 0;
};

}  // namespace lanescope::ui
