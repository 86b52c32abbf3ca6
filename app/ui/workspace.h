// The state that all panels share: the run, the block, the position, the selection, the launch fields. No ImGui, no
// OpenGL: tests drive it without a display.
#pragma once

#include "analysis/panels/notable_steps.h"
#include "session/run.h"
#include "session/runner.h"
#include "ui/breakpoints.h"
#include "ui/gpu_check.h"
#include "ui/launch_form.h"
#include "ui/navigation.h"
#include "ui/playback.h"
#include "ui/schedule_finder.h"
#include "ui/settings.h"
#include "ui/shown.h"
#include "ui/shown_texts.h"
#include "ui/time_shares.h"
#include "ui/timeline_recorder.h"
#include "ui/trusted_files.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

class Workspace {
  public:
    explicit Workspace(Settings settings);
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // --- the run ---
    /// Starts the first run; nothing before it can be undone.
    void begin(LaunchValues values);
    /// The same, and goes to the bookmark once it has run, as far as it exists.
    void begin(LaunchValues values, Bookmark bookmark);
    /// Cancels the run; the fields show the previous launch again.
    void cancel();
    /// Takes a finished run. True when the picture changed.
    bool poll();
    /// The same with a given result.
    void answer(std::expected<std::shared_ptr<const session::Run>, session::Refusal> answer);
    /// Until poll() has taken the result.
    [[nodiscard]] bool busy() const { return runner_.busy() || runner_.has_answer(); }
    /// True once after the user cancelled a run.
    [[nodiscard]] bool take_stopped() { return std::exchange(stopped_, false); }
    /// The cancelled run was shown already, because its first launch had been recorded: the part that ran stays.
    [[nodiscard]] bool keeps_part() const { return keeps_part_; }
    /// The latest run was cancelled: the panels show the result of the previous one.
    [[nodiscard]] bool shows_previous() const { return previous_ && shown_ && !busy(); }
    [[nodiscard]] bool has_answer() const { return runner_.has_answer(); }  ///< for poll()
    [[nodiscard]] double busy_seconds() const { return runner_.seconds(); }
    [[nodiscard]] std::string busy_doing() const { return runner_.doing(); }  ///< "compiling"; empty: not said
    /// Steps of the running program's host code so far; null: none is running.
    [[nodiscard]] std::shared_ptr<const session::LiveSteps> busy_steps() const { return runner_.steps(); }
    [[nodiscard]] float busy_share() const { return runner_.share(); }  ///< 0..1; below 0: unknown

    /// A file whose host code runs only if the user permits it.
    struct Question {
        std::string text;            ///< a sentence: what will happen
        std::string kernel;          ///< that can run alone instead; empty: none
        bool of_other_file = false;  ///< than the one that ran last
    };
    [[nodiscard]] const std::optional<Question>& question() const { return question_; }
    [[nodiscard]] bool asks_of_other_file() const { return question_ && question_->of_other_file; }
    enum class Permission : std::uint8_t { none, once, folder, kernel_alone };
    void answer_question(Permission permission);
    /// The user has named this file where the program was started.
    void permit(const std::string& file) { trusted_.permit(file); }
    /// The files that the user has permitted there, too.
    void permit_as(const Workspace& other) { trusted_.permit_as(other.trusted_); }

    /// Opens a .cu file, a .ptx file, a trace, or a kernel of the catalog.
    void open(const std::string& program, const std::string& kernel = {});
    /// A kernel of the catalog with these fields, as one change to undo.
    void open_launch(const std::string& program, const std::string& kernel,
                     const std::vector<std::pair<Field, std::string>>& fields);
    void reset_launch();  ///< what was typed for the launch
    void set_field(Field field, std::string text);
    /// Runs the program again with that launch recorded, and then shows it.
    void record_launch(std::uint32_t launch);
    void set_argument(const std::string& parameter, std::string plan);
    void set_sanitize(bool wanted);
    /// Runs a launch that the kernel's own limits refuse.
    void run_anyway() {
        if (form_.run_anyway()) submit();
    }
    /// The requested file runs with its main, which reads a command line and standard input.
    [[nodiscard]] bool runs_main() const { return runs_main_; }
    void reload() { submit(); }  ///< runs again: the file may have changed
    /// The requested file, absolute; empty for a kernel of the catalog.
    [[nodiscard]] std::string file() const;
    void undo();  ///< the launch before, at the place where it was left
    void redo();
    /// Keeps the launch, what can be undone and the place for bring_back(); nothing where they are kept already.
    void set_aside();
    void bring_back();
    void forget_aside() { aside_.reset(); }
    [[nodiscard]] bool has_aside() const { return aside_.has_value(); }
    [[nodiscard]] const LaunchForm& form() const { return form_; }
    /// The compiler's messages for the latest request.
    [[nodiscard]] const std::vector<compile::Diagnostic>& diagnostics() const { return diagnostics_; }
    /// diagnostics() are the findings and host steps of a program that launched nothing, not a compiler's messages.
    [[nodiscard]] bool refused_launches() const { return refused_launches_; }
    /// Why the latest request could not be run, or cannot be shown; nothing where it is shown.
    [[nodiscard]] const std::optional<Problem>& refusal() const { return refusal_; }
    /// The text that does not compile; empty if the latest request compiled.
    [[nodiscard]] const std::string& refused_source() const { return refused_source_; }
    /// The text of the requested file while nothing has run yet, so that it can be read meanwhile. Empty otherwise.
    [[nodiscard]] const std::string& unrun_source() const { return unrun_source_; }

    /// A trace is shown: there is nothing to launch.
    [[nodiscard]] bool of_trace() const { return of_trace_; }

    // --- verification on this GPU ---
    [[nodiscard]] GpuCheck& gpu_check() { return gpu_check_; }
    [[nodiscard]] const GpuCheck& gpu_check() const { return gpu_check_; }
    /// Whether the launch that is shown can run on a GPU.
    [[nodiscard]] bool can_check() const { return shown_ && !of_trace_; }
    /// Verifies the launch that is shown.
    void check_on_gpu();
    /// Goes to the first difference: its block, thread and instruction, as far as they are recorded.
    void seek_difference();

    // --- a schedule under which a race makes the result wrong ---
    [[nodiscard]] TimeShares& time_shares() { return time_shares_; }
    [[nodiscard]] const TimeShares& time_shares() const { return time_shares_; }
    [[nodiscard]] ScheduleFinder& schedule_finder() { return schedule_finder_; }
    [[nodiscard]] const ScheduleFinder& schedule_finder() const { return schedule_finder_; }
    /// Whether a schedule can be searched for this finding of the run that is shown.
    [[nodiscard]] bool can_find_schedule(const trace::Finding& finding) const;
    void find_schedule(const trace::Finding& finding);
    /// Takes the result of the search: the program runs under the schedule that was found. True when it has ended.
    bool poll_schedule();

    // --- when this machine's GPU runs each block of the launch that is shown ---
    [[nodiscard]] TimelineRecorder& timeline_recorder() { return timeline_recorder_; }
    [[nodiscard]] const TimelineRecorder& timeline_recorder() const { return timeline_recorder_; }

    // --- what is shown ---
    /// Null as well while a question is about another file: nothing of the previous one is shown beside it.
    [[nodiscard]] const Shown* shown() const { return shown_ && !asks_of_other_file() ? &*shown_ : nullptr; }
    void show_block(std::uint32_t launch, BlockId block);
    void show_launch(std::uint32_t launch) { enter(launch); }  ///< from its start; nothing where no block is recorded
    [[nodiscard]] Bookmark bookmark() const;
    /// Goes to a position of the run that is shown.
    void go_to(const Bookmark& bookmark) {
        if (shown_) take(shown_->run, bookmark);
    }

    // --- time ---
    [[nodiscard]] const Navigation& at() const { return navigation_; }
    /// The unit of a step of the transport: an event, or an instruction while Source shows PTX alone.
    [[nodiscard]] Unit step_unit() const;
    /// The place in the pass: "event 3 of 9", "instruction 12 of 31" between two events; empty without a run.
    [[nodiscard]] std::string step_label() const;
    void forward(Unit unit);
    void back(Unit unit);
    void seek(std::size_t position);  ///< to the last stop of the followed warp at or before it
    void seek_exactly(std::size_t position);
    void seek_pass(std::size_t pass);
    /// To the line's next execution by the followed warp, wrapping around at the end; says so where there is none.
    void seek_line(std::uint32_t cuda_line);
    void seek_ptx_line(PtxLine line);  ///< likewise
    /// Goes to the instruction, lane and line of Trace::findings[index], as far as they are known.
    void seek_finding(std::size_t index);
    void seek_finding(const trace::Finding& finding);
    /// Goes to the nearest step of that kind in the block, after the position or before it, and follows its warp.
    /// False: there is none.
    bool seek_notable(analysis::Notable what, bool forwards);
    /// Likewise to the nearest finding, of any recorded block.
    bool seek_next_finding(bool forwards);
    /// The breakpoints of the program that is shown.
    [[nodiscard]] const Breakpoints& breakpoints() const { return *breakpoints_; }
    void follow_breakpoints();  ///< places them in the run that is shown; there must be one
    /// Sets it, or deletes the one at its line. True: it is set now.
    bool toggle_breakpoint(const Breakpoint& breakpoint);
    /// The condition of the breakpoint at that line, which is set where there is none. An error leaves it as it was.
    [[nodiscard]] Result<void> set_condition(const Breakpoint& breakpoint, const std::string& condition);
    void delete_breakpoints();  ///< all of the program's
    /// Goes to the nearest step before which a breakpoint stops, after the position or before it, in this launch or
    /// another, and follows its warp. False: there is none.
    bool seek_breakpoint(bool forwards);
    /// A sentence for the user, which the window shows once.
    void say(std::string sentence) { said_ = std::move(sentence); }
    [[nodiscard]] std::string take_said() { return std::exchange(said_, {}); }
    void home() { seek_exactly(0); }
    void finish();
    void play(bool on);
    [[nodiscard]] bool playing() const { return playback_.runs(); }
    /// Advances playback by `seconds`; true when the position changed.
    bool advance(double seconds);
    void faster(int octaves);  ///< speed times 2^octaves, within 1/4 .. 64
    [[nodiscard]] double seconds_to_next_step() const { return playback_.seconds_to_next_step(played_a_second()); }

    [[nodiscard]] std::size_t position() const { return navigation_.position(); }
    [[nodiscard]] StepId next_step() const;  ///< the next step; invalid at the end
    [[nodiscard]] PtxLine next_ptx_line() const;
    /// Shown::cuda_line_at() of the next step; 0 at the end.
    [[nodiscard]] std::uint32_t next_cuda_line() const;
    [[nodiscard]] std::size_t pass() const;  ///< index of the current pass

    // --- selection, shared by all panels ---
    [[nodiscard]] const std::optional<Selection>& selection() const { return selection_; }
    void select(std::uint32_t row, std::uint32_t column);
    /// Follows this warp from now on; a chosen lane is marked in every panel and described by the narration.
    void choose(WarpId warp, std::optional<unsigned> lane);
    /// The chosen lane, else the lane that wrote the selected value.
    [[nodiscard]] const std::optional<Lane>& lane() const { return lane_; }
    void clear_selection();

    // --- texts, computed once per position ---
    [[nodiscard]] const std::string& narration() const;
    [[nodiscard]] const std::string& expression() const;  ///< of the selected value; empty without one

    Settings settings;            ///< theme, scale, speed, ...; panels write them, the window saves them
    std::uint32_t goto_line = 0;  ///< a CUDA line for Source to scroll into view; 0: none
    std::string goto_file;        ///< the source that it stands in, of Origin::other_sources; empty: the main one

  private:
    /// Goes to the followed warp's next step at a wanted line of PTX, wrapping around at the end.
    void seek_next(const std::function<bool(PtxLine)>& wanted);
    [[nodiscard]] double played_a_second() const { return steps_per_second * settings.speed; }
    void submit();  // the result arrives through poll()
    /// Once the launch of the fields has run, the cursor returns to the place where that launch was left.
    void return_to_place();
    void leave();
    /// Closes the program that is shown: nothing of it remains.
    void close_shown();
    /// Goes to the start of another launch, in the same block if it was recorded. False without such a launch.
    bool enter(std::uint32_t launch);
    void take(const std::shared_ptr<const session::Run>& run, const Bookmark& bookmark);
    void show(std::shared_ptr<const session::Run> run, std::uint32_t launch, BlockId block, const Place& place);

    session::Runner runner_;
    LaunchForm form_;
    std::vector<compile::Diagnostic> diagnostics_;
    bool refused_launches_ = false;
    std::optional<Problem> refusal_;
    std::string refused_source_, refused_program_, unrun_source_;
    bool stopped_ = false, keeps_part_ = false, previous_ = false;
    bool runs_main_ = false;
    std::optional<Question> question_;
    TrustedFiles trusted_;
    std::optional<Shown> shown_;
    bool of_trace_ = false;
    GpuCheck gpu_check_;
    ScheduleFinder schedule_finder_;
    TimelineRecorder timeline_recorder_;
    TimeShares time_shares_;
    /// Where a launch was left.
    struct Left {
        LaunchValues values;
        Bookmark place;
        WarpId followed;
        std::optional<Lane> lane;
    };
    [[nodiscard]] Left left() const;  ///< the launch that is shown; there must be one
    std::vector<Left> left_;
    /// A launch that another one interrupts, with its undo history.
    struct Aside {
        LaunchForm form;
        std::optional<Left> left;
    };
    std::optional<Aside> aside_;
    std::optional<Bookmark> awaited_;         // for the first run
    std::optional<Left> returning_to_;        // for an undo or a redo
    std::optional<std::uint32_t> recording_;  // the launch that record_launch() shows
    Navigation navigation_;
    std::optional<Selection> selection_;
    std::optional<Lane> lane_;
    /// Stops at the first breakpoint from `from` to the position. True: there was one.
    bool stop_at_breakpoint(std::size_t from);
    void go_to(const Breakpoints::Stop& stop);
    [[nodiscard]] std::optional<BlockId> block_entered(std::uint32_t launch) const;

    std::unique_ptr<Breakpoints> breakpoints_;
    std::string said_;
    Playback playback_;
    bool by_pass_ = false;  // the last move was by pass: describe the whole pass

    mutable ShownTexts texts_;
};

}  // namespace lanescope::ui
