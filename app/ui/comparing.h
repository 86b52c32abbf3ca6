// The second program of a comparison, B, beside the window's own, A: its run, and the two kept at corresponding passes.
// No ImGui.
#pragma once

#include "analysis/comparison/comparison.h"
#include "timing/compared_times.h"
#include "ui/workspace.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lanescope::ui {

class Comparing {
  public:
    /// `folder`: the user's own recordings; empty: none.
    explicit Comparing(std::filesystem::path folder);
    ~Comparing();
    Comparing(const Comparing&) = delete;
    Comparing& operator=(const Comparing&) = delete;

    /// Runs B in the background. What the user has permitted A to run, B may run, too.
    void begin(const Workspace& one, LaunchValues values);
    void end();
    [[nodiscard]] bool running() const { return other_ != nullptr; }
    /// B; null where nothing is compared.
    [[nodiscard]] Workspace* other() { return other_.get(); }
    [[nodiscard]] const Workspace* other() const { return other_.get(); }

    /// Takes what has run, and moves the one of the two that was not moved to the place that corresponds. Once a frame.
    void follow(Workspace& one);
    /// A becomes B, and B becomes A, without running again.
    void swap(std::unique_ptr<Workspace>& one);
    /// B has run, and its answer is to be taken; or it runs; or times are being estimated.
    [[nodiscard]] bool is_busy() const;

    /// All blocks of both; null until both have run.
    [[nodiscard]] const analysis::Comparison* comparison() const { return comparison_ ? &*comparison_ : nullptr; }
    [[nodiscard]] const std::pair<std::string, std::string>& names() const { return names_; }
    [[nodiscard]] const std::string& caveat() const { return caveat_; }
    /// Null until they are known.
    [[nodiscard]] const timing::ComparedTimes* times() const { return times_ ? &*times_ : nullptr; }
    /// Changes whenever one of the above does.
    [[nodiscard]] std::uint64_t version() const { return version_; }
    /// Row of comparison() with A's current pass; nothing where A shows a pass that the whole grid does not have.
    [[nodiscard]] std::optional<std::size_t> row(const Workspace& one) const;
    /// The pass in a row: moves both.
    void seek_row(Workspace& one, std::size_t row);

    /// The pass of B that corresponds to A's pass; nothing where it has none, or nothing is compared.
    [[nodiscard]] std::optional<std::size_t> counterpart(std::size_t pass_of_one) const;
    /// Whether the pass at the cursor of A, or of B, has a counterpart.
    [[nodiscard]] bool have_counterparts(const Workspace& one) const;

    bool link_zoom = true;  ///< the pictures of the passes have one zoom

  private:
    struct Work;
    /// A place of one of the two.
    struct Seen {
        std::uint64_t id = 0;
        std::size_t position = 0;
        friend bool operator==(const Seen&, const Seen&) = default;
    };
    static Seen seen_of(const Workspace& workspace);
    void compare_runs(const Workspace& one);
    void align_blocks(const Workspace& one);

    std::filesystem::path folder_;
    std::unique_ptr<Workspace> other_;
    std::unique_ptr<Work> work_;
    std::shared_ptr<const session::Run> run_of_one_, run_of_other_;  // that are compared
    std::optional<analysis::Comparison> comparison_;
    std::pair<std::string, std::string> names_;
    std::string caveat_;
    std::optional<timing::ComparedTimes> times_;
    std::uint64_t version_ = 0;
    analysis::AlignedPasses aligned_;                 // of the blocks that are shown
    std::pair<std::uint64_t, std::uint64_t> blocks_;  // Shown::id of both
    Seen one_seen_, other_seen_;                      // after the last frame
};

}  // namespace lanescope::ui
