// What the window shows, as one small state: the run, the block, the position, the selection, the launch fields.
// Panels read it and call it; they compute nothing themselves. No ImGui, no OpenGL: tests drive it without a display.
#pragma once

#include "analysis/panels/warp_progress.h"
#include "analysis/passes_picture/picture.h"
#include "session/session.h"
#include "ui/gpu_check.h"
#include "ui/launch_form.h"
#include "ui/navigation.h"
#include "ui/settings.h"
#include "ui/source_map.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

/// A cell of the Passes picture, and the value it holds.
struct Selection {
    std::uint32_t row = 0, column = 0;
    analysis::ValueId value;
    friend bool operator==(const Selection&, const Selection&) = default;
};

/// One lane of the block shown.
struct Lane {
    WarpId warp;
    unsigned number = 0;  ///< in its warp
    friend bool operator==(const Lane&, const Lane&) = default;
};

/// Where a person is in a run: what the next start returns to.
struct Bookmark {
    std::uint32_t launch = 0;
    BlockId block{0};
    std::size_t position = 0;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> selected;  ///< row and column of the Passes picture
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// One recorded block of one run, with what the panels need of it. Immutable but for its lazily computed parts below
/// it.
struct Shown {
    std::shared_ptr<const session::Run> run;
    std::uint32_t launch = 0;
    BlockId block{0};
    std::shared_ptr<const SourceMap> map;
    const analysis::BlockPasses* passes = nullptr;  ///< of the run's analysis
    const analysis::Picture* picture = nullptr;
    std::shared_ptr<const analysis::WarpProgress> courses;
    std::vector<analysis::FaultMark> faults;  ///< of the block, in its picture
    std::uint64_t id = 0;                     ///< another number for every other run or block: a key for caches

    [[nodiscard]] const trace::Trace& trace() const { return run->trace(); }
    [[nodiscard]] const ptx::Module& module() const { return run->module(); }
    [[nodiscard]] const analysis::Analysis& analysis() const { return *run->analysis; }
    [[nodiscard]] analysis::BlockView view() const { return run->analysis->view(*passes); }
    [[nodiscard]] unsigned threads() const;  ///< of the block
    /// Of the block's step number `index`; where that is a library's or the compiler's own, the line that the warp is
    /// still at.
    [[nodiscard]] std::uint32_t cuda_line_at(std::size_t index) const;
};

class Workspace {
  public:
    explicit Workspace(Settings settings);

    // --- the run ---
    /// Asks for a first run; nothing before it can be undone.
    void begin(LaunchValues values);
    /// The same; when it has run, the bookmark is taken as far as it is there.
    void begin(LaunchValues values, Bookmark bookmark);
    /// Stops the run under way; the fields say again what is on the screen.
    void cancel();
    /// Takes what the runner has finished. True when the picture changed.
    bool poll();
    /// The same with an answer at hand.
    void answer(std::expected<std::shared_ptr<const session::Run>, session::Refusal> answer);
    [[nodiscard]] bool busy() const { return runner_.busy(); }
    /// True once after a person stopped a run.
    [[nodiscard]] bool take_stopped() { return std::exchange(stopped_, false); }
    [[nodiscard]] bool has_answer() const { return runner_.has_answer(); }  ///< for poll()
    [[nodiscard]] double busy_seconds() const { return runner_.seconds(); }
    [[nodiscard]] float busy_share() const { return runner_.share(); }  ///< 0..1; below 0: not known

    /// A file dropped, chosen or given: .cu, .ptx or trace. Also a name of the catalog.
    void open(const std::string& program, const std::string& kernel = {});
    void set_field(Field field, std::string text);
    void set_argument(const std::string& parameter, std::string plan);
    /// Runs the same again: the file may have changed.
    void run_anyway() {
        if (form_.run_anyway()) submit();
    }
    void reload() { submit(); }
    /// The file that is asked for, absolute; empty where it is a kernel of the catalog.
    [[nodiscard]] std::string file() const;
    void undo();
    void redo();
    [[nodiscard]] const LaunchForm& form() const { return form_; }
    /// What the compiler said of the newest request, refused or not.
    [[nodiscard]] const std::vector<compile::Diagnostic>& diagnostics() const { return diagnostics_; }
    /// The file that the compiler refused, to be shown with what it said; empty where the newest request compiled.
    [[nodiscard]] const std::string& refused_source() const { return refused_source_; }
    /// The file that is asked for while nothing has run: who waits for it, or stopped it, wants to read it. Empty
    /// otherwise.
    [[nodiscard]] const std::string& unrun_source() const { return unrun_source_; }

    /// What is shown was read from a trace: there is nothing to launch.
    [[nodiscard]] bool of_trace() const { return of_trace_; }

    // --- is it what this machine's GPU does? ---
    [[nodiscard]] GpuCheck& gpu_check() { return gpu_check_; }
    [[nodiscard]] const GpuCheck& gpu_check() const { return gpu_check_; }
    /// Something is shown that can be launched.
    [[nodiscard]] bool can_check() const { return shown_ && !of_trace_; }
    /// Asks it about the launch that is shown.
    void check_on_gpu();
    /// To the block, the thread and the instruction that differ first; as near as they are recorded.
    void seek_difference();

    // --- what is shown ---
    [[nodiscard]] const Shown* shown() const { return shown_ ? &*shown_ : nullptr; }
    void show_block(std::uint32_t launch, BlockId block);
    [[nodiscard]] Bookmark bookmark() const;

    // --- time ---
    [[nodiscard]] const Navigation& at() const { return navigation_; }
    void forward(Unit unit);
    void back(Unit unit);
    void seek(std::size_t position);  ///< to the followed warp's stop at or before it
    void seek_exactly(std::size_t position);
    void seek_pass(std::size_t pass);
    void seek_line(std::uint32_t cuda_line);  ///< to its next execution, or from the start again
    void seek_ptx_line(PtxLine line);         ///< likewise
    /// To the instruction, the lane and the line of Trace::findings[index]; as near as they are known.
    void seek_finding(std::size_t index);
    void home() { seek_exactly(0); }
    void finish();
    void play(bool on);
    [[nodiscard]] bool playing() const { return playing_; }
    /// Lets `seconds` pass; true when the position changed.
    bool advance(double seconds);
    void faster(int octaves);  ///< speed times 2^octaves, within 1/4 .. 64
    [[nodiscard]] double seconds_to_next_step() const;

    [[nodiscard]] std::size_t position() const { return navigation_.position(); }
    [[nodiscard]] StepId next_step() const;  ///< that executes next; invalid past the end
    [[nodiscard]] PtxLine next_ptx_line() const;
    /// Shown::cuda_line_at() of the next step; 0 past the end.
    [[nodiscard]] std::uint32_t next_cuda_line() const;
    [[nodiscard]] std::size_t pass() const;  ///< index of the pass that the position is in

    // --- selection, one for all panels ---
    [[nodiscard]] const std::optional<Selection>& selection() const { return selection_; }
    void select(std::uint32_t row, std::uint32_t column);
    /// Steps go as this warp does from now on; with a lane, the words are of it and every panel marks it.
    void choose(WarpId warp, std::optional<unsigned> lane);
    /// The lane chosen, else the one that wrote the value selected.
    [[nodiscard]] const std::optional<Lane>& lane() const { return lane_; }
    void clear_selection();

    // --- words, computed once a position ---
    [[nodiscard]] const std::string& narration() const;
    [[nodiscard]] const std::string& expression() const;  ///< of the selected value; empty without one

    Settings settings;            ///< theme, scale, speed, ...: written by panels, saved by the window
    std::uint32_t goto_line = 0;  ///< a CUDA line that the Source panel is to bring into view; 0: none

  private:
    /// To the followed warp's next step at a line of PTX that is wanted, or from the start again.
    void seek_next(const std::function<bool(PtxLine)>& wanted);
    void submit();  // the answer comes through poll()
    /// To the start of another launch of the program, in the same block if it was recorded. False where there is
    /// none.
    bool enter(std::uint32_t launch);
    void take(const std::shared_ptr<const session::Run>& run, const Bookmark& bookmark);
    void show(std::shared_ptr<const session::Run> run, std::uint32_t launch, BlockId block, const Place& place);

    session::Runner runner_;
    LaunchForm form_;
    std::vector<compile::Diagnostic> diagnostics_;
    std::string refused_source_, unrun_source_;
    bool stopped_ = false;
    std::optional<Shown> shown_;
    bool of_trace_ = false;
    GpuCheck gpu_check_;
    std::optional<Bookmark> awaited_;  // to be taken when the first run is there
    Navigation navigation_;
    std::optional<Selection> selection_;
    std::optional<Lane> lane_;
    bool playing_ = false;
    double waited_ = 0;     // seconds since the last step while playing
    bool by_pass_ = false;  // the last move was by pass: speak of the whole pass
    std::uint64_t last_id_ = 0;

    struct Spoken {
        std::uint64_t id = 0;
        std::size_t position = 0;
        bool by_pass = false;
        std::optional<Selection> selection;
        std::optional<Lane> lane;
        friend bool operator==(const Spoken&, const Spoken&) = default;
    };
    mutable Spoken spoken_for_, expressed_for_;
    mutable std::string narration_, expression_;
};

}  // namespace lanescope::ui
