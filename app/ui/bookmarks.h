// Bookmarks: captioned places to return to, kept in the user's file, which is written at every change; and the dialog
// that asks for a caption.
#pragma once

#include "base/result.h"
#include "session/place_link.h"
#include "ui/panel.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

class Notice;

/// The place that the window shows: the launch that has run, the block, the step, the selected cell. Something must be
/// shown.
[[nodiscard]] session::PlaceLink link_of(const Workspace& workspace);

/// A place and the caption that the user gave it.
struct CaptionedPlace {
    std::string caption;
    std::string link;  ///< session/place_link.h
    friend bool operator==(const CaptionedPlace&, const CaptionedPlace&) = default;
};

/// The default caption of the place that is shown, "scan/double-buffered, pass 2"; something must be shown.
[[nodiscard]] std::string usual_caption(const Workspace& workspace);

class Bookmarks {
  public:
    /// Reads the file. Entries that are damaged are not listed, but stay in the file; a file that is no list of
    /// bookmarks is put aside under another name. Empty: they are kept until the window closes.
    explicit Bookmarks(std::filesystem::path file);

    [[nodiscard]] const std::vector<CaptionedPlace>& all() const { return all_; }
    /// The newest comes first. One of the same place gets the new caption; a caption that another place has gets a
    /// number. Fails where the file cannot be written; the next change writes it, too. Windows that change the file at
    /// the same time wait for each other.
    [[nodiscard]] Result<void> add(CaptionedPlace place);
    [[nodiscard]] Result<void> remove(std::string_view link);

    /// Asks for the caption of the place that is shown.
    void ask(const Workspace& workspace);
    [[nodiscard]] bool is_asking() const { return asking_; }
    void close() { asking_ = false; }
    /// What was damaged in the file, and where that is now; empty if nothing was. Returned once.
    [[nodiscard]] std::string take_warning() { return std::exchange(warning_, {}); }
    void draw(const Context& context, Notice& notice);

  private:
    /// A change that the file may lack.
    struct Change {
        bool removes = false;
        CaptionedPlace place;
    };
    [[nodiscard]] Result<void> change(Change change);
    void read();  // another window may have written it
    void put_aside();
    void apply(const Change& change);
    [[nodiscard]] Result<void> write() const;

    std::filesystem::path file_;
    std::vector<CaptionedPlace> all_;
    std::vector<std::string> damaged_;  // JSON: entries of the file that are no bookmarks
    std::vector<Change> unwritten_;
    std::string warning_;
    bool asking_ = false, asked_now_ = false;
    CaptionedPlace asked_;
};

}  // namespace lanescope::ui
