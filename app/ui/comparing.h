// The other programs of a comparison (B, C and D; A is the window's own): their runs, and all programs kept at
// corresponding passes. No ImGui.
#pragma once

#include "analysis/comparison/comparison.h"
#include "timing/compared_times.h"
#include "ui/file_watch.h"
#include "ui/workspace.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

class Comparing {
  public:
    /// `folder`: the user's own recordings; empty: none.
    explicit Comparing(std::filesystem::path folder);
    ~Comparing();
    Comparing(const Comparing&) = delete;
    Comparing& operator=(const Comparing&) = delete;

    static constexpr std::size_t most = 3;  ///< others

    /// Runs B in the background. B may run the files that the user has permitted for A.
    void begin(const Workspace& one, LaunchValues values);
    /// Runs one more program, after the others.
    void add(const Workspace& one, LaunchValues values);
    [[nodiscard]] bool can_add() const { return running() && others_.size() < most; }
    /// Closes B: C becomes B. Without another one the comparison ends.
    void close_first();
    void end();
    [[nodiscard]] bool running() const { return !others_.empty(); }
    [[nodiscard]] std::size_t others() const { return others_.size(); }
    /// B, which the panels beside A's show; null where nothing is compared.
    [[nodiscard]] Workspace* other() { return running() ? others_.front()->workspace.get() : nullptr; }
    [[nodiscard]] const Workspace* other() const { return running() ? others_.front()->workspace.get() : nullptr; }
    [[nodiscard]] const Workspace& other(std::size_t number) const { return *others_[number]->workspace; }
    /// Makes the program with that number B; the former B takes its letter.
    void bring_forward(std::size_t number);

    /// Takes finished runs, and moves the programs that the user did not move to the corresponding place. Once a frame.
    void follow(Workspace& one);
    /// A becomes B, and B becomes A, without running again.
    void swap(std::unique_ptr<Workspace>& one);
    /// A program runs, its finished run has not been taken, or times are being estimated.
    [[nodiscard]] bool is_busy() const;
    /// Runs the programs again whose files have changed on disk.
    void look_at_disk();

    /// All blocks of A and of one of the others; null until both have run.
    [[nodiscard]] const analysis::Comparison* comparison(std::size_t number = 0) const {
        return number < others() && others_[number]->comparison ? &*others_[number]->comparison : nullptr;
    }
    /// The names of A and B.
    [[nodiscard]] const std::pair<std::string, std::string>& names() const;
    /// The names of all, A first; for a program that has not run, the requested one.
    [[nodiscard]] std::vector<std::string> all_names(const Workspace& one) const;
    [[nodiscard]] const std::string& caveat(std::size_t number = 0) const { return others_[number]->caveat; }
    /// Null until they are known.
    [[nodiscard]] const timing::ComparedTimes* times(std::size_t number = 0) const {
        return number < others() && others_[number]->times ? &*others_[number]->times : nullptr;
    }
    /// Changes whenever one of the above does.
    [[nodiscard]] std::uint64_t version() const { return version_; }
    /// Row of comparison() with A's current pass; nothing where A shows a pass that the whole grid does not have.
    [[nodiscard]] std::optional<std::size_t> row(const Workspace& one) const;
    /// The pass in a row: moves both.
    void seek_row(Workspace& one, std::size_t row);

    /// The pass of B that corresponds to A's pass; nothing where it has none, or nothing is compared.
    [[nodiscard]] std::optional<std::size_t> counterpart(std::size_t pass_of_one) const;
    /// Whether the pass at the cursor of A, or of that other one, has a counterpart.
    [[nodiscard]] bool have_counterparts(const Workspace& one, std::size_t number = 0) const;

    bool link_zoom = true;  ///< the pictures of the passes have one zoom

  private:
    struct Work;
    /// A place of a program: the block, by Shown::id, and the position in it.
    struct Seen {
        std::uint64_t id = 0;
        std::size_t position = 0;
        friend bool operator==(const Seen&, const Seen&) = default;
    };
    /// One program, compared with A.
    struct Other {
        std::unique_ptr<Workspace> workspace;
        std::unique_ptr<Work> work;
        FileWatch watch;
        std::shared_ptr<const session::Run> run_of_one, run;  // that are compared
        std::optional<analysis::Comparison> comparison;
        std::pair<std::string, std::string> names;
        std::string caveat;
        std::optional<timing::ComparedTimes> times;
        analysis::AlignedPasses aligned;                 // of the blocks that are shown
        std::pair<std::uint64_t, std::uint64_t> blocks;  // Shown::id of both
        Seen seen;                                       // after the last frame
    };
    static Seen seen_of(const Workspace& workspace);
    void compare_runs(const Workspace& one, Other& other);
    static void align_blocks(const Workspace& one, Other& other);
    static void move_to_other(Workspace& one, Other& other);
    static void move_to_one(const Workspace& one, Other& other);
    [[nodiscard]] char letter_of(const Other& other) const;

    std::filesystem::path folder_;
    std::vector<std::unique_ptr<Other>> others_;  // B, C, D
    std::uint64_t version_ = 0;
    Seen one_seen_;  // after the last frame
};

}  // namespace lanescope::ui
