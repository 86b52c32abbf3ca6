// The launch fields of the top bar: their text, the request that they form, their errors, undo and redo.
#pragma once

#include "session/launch_values.h"
#include "session/run.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

using Field = session::LaunchField;
using session::LaunchValues;

class LaunchForm {
  public:
    explicit LaunchForm(LaunchValues values = {}) : values_(std::move(values)) {}

    /// Sets a field. True: submit request() now. False: nothing changed, or the text is invalid (see problem()).
    [[nodiscard]] bool set(Field field, std::string text);
    /// The same for a kernel argument, "input(n) as ones" or "0.5".
    [[nodiscard]] bool set_argument(const std::string& parameter, std::string plan);
    /// Whether host code is built with AddressSanitizer.
    [[nodiscard]] bool set_sanitize(bool wanted);
    /// Requests the launch that the kernel's own limit refused. False: there is none.
    [[nodiscard]] bool run_anyway();
    [[nodiscard]] bool can_run_anyway() const { return by_rule_; }
    /// Selects another program. Between kernels of the catalog the typed values are kept.
    [[nodiscard]] bool set_program(const std::string& program, const std::string& kernel = {});
    /// Selects another program and sets these fields, as one change to undo. True: submit request() now.
    [[nodiscard]] bool set_launch(const std::string& program, const std::string& kernel,
                                  const std::vector<std::pair<Field, std::string>>& fields);
    /// Clears what was typed for the launch: program, kernel, view, compiler options and the arguments of main stay.
    [[nodiscard]] bool reset();
    [[nodiscard]] bool can_reset() const { return without_launch(values_) != values_; }
    /// Moves among the launches that have run, without refused ones.
    [[nodiscard]] bool undo();
    [[nodiscard]] bool redo();
    /// The latest request was cancelled: the fields show the previous launch.
    void withdraw();
    [[nodiscard]] bool can_undo() const { return !past_.empty(); }
    [[nodiscard]] bool can_redo() const { return !future_.empty(); }

    /// The launch that the fields describe.
    [[nodiscard]] session::Request request() const;

    /// The result of the latest request. True after a refusal that a value of the previous program caused: the value
    /// was dropped, submit request() again.
    void accepted(const session::Run& run);
    [[nodiscard]] bool refused(const session::Refusal& refusal);
    /// Replaces the launch and clears the undo history. ran() stays that of the run on the screen.
    void restart(LaunchValues values) { become(LaunchForm(std::move(values))); }
    /// Replaces this form by `other`, undo history included. ran() stays that of the run on the screen.
    void become(LaunchForm other) {
        other.ran_ = std::move(ran_);
        *this = std::move(other);
    }
    /// The run is no longer on the screen.
    void forget_run() {
        used_ = {};
        ran_.reset();
    }

    [[nodiscard]] const LaunchValues& values() const { return values_; }
    /// The values that the run on the screen came from.
    [[nodiscard]] const LaunchValues& ran() const { return ran_ ? *ran_ : values_; }
    /// The field's text: what was typed, else the value of the run that is shown.
    [[nodiscard]] const std::string& shown(Field field) const;
    [[nodiscard]] const std::string& shown_argument(const std::string& parameter) const;
    /// Shared memory has the banks of compute capability 1.x, which serve half-warps.
    [[nodiscard]] bool has_half_warp_banks() const { return shown(Field::banks) == banks_text(true); }
    /// The text of Field::banks for such banks, or for the banks of the emulated device.
    [[nodiscard]] static std::string banks_text(bool half_warps);
    /// Why the field's text was refused. A problem without a field belongs to the program.
    [[nodiscard]] const std::optional<Problem>& problem(Field field) const;
    /// Why the argument was refused.
    [[nodiscard]] const std::optional<Problem>& argument_problem(const std::string& parameter) const;

  private:
    void remember();
    void forgive();
    void forget_words();
    [[nodiscard]] static LaunchValues without_launch(LaunchValues values);
    [[nodiscard]] bool travel(std::vector<LaunchValues>& from, std::vector<LaunchValues>& to);

    LaunchValues values_;   // of the latest request
    LaunchValues used_;     // of the run on the screen
    LaunchValues refused_;  // invalid text, kept in its field until it changes
    std::array<std::optional<Problem>, static_cast<std::size_t>(Field::count)> problems_;
    std::map<std::string, std::optional<Problem>> argument_problems_;
    std::vector<LaunchValues> past_, future_;
    std::optional<LaunchValues> ran_;  // the values that the run on the screen came from
    bool refused_now_ = false;         // the latest request was refused: undo skips it
    bool by_rule_ = false;             // the kernel's own limit refused the latest request
    bool left_over_ = false;           // fields were typed for the previous program
    Field last_set_ = Field::program;
    std::string last_argument_;  // if that was an argument
};

}  // namespace lanescope::ui
