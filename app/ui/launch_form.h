// The launch fields of the top bar: what was typed, what of it is a request, what is wrong with the rest, and undo.
#pragma once

#include "session/session.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

enum class Field : std::uint8_t {
    program,
    kernel,
    type,  ///< template arguments: "float, block"
    block,
    grid,
    n,
    input,
    view,   ///< "written" or "compiled"
    banks,  ///< "32" or "16"
    shared,
    count
};
[[nodiscard]] std::string_view name_of(Field field);  ///< as session::Refusal names it

/// What the fields ask for, as text. Empty: the program's own default.
struct LaunchValues {
    std::array<std::string, static_cast<std::size_t>(Field::count)> text;
    std::map<std::string, std::string> arguments;  ///< by parameter, as session::Request has them
    bool anyway = false;                           ///< although the kernel's own rule says that it cannot

    [[nodiscard]] std::string& operator[](Field field) { return text[static_cast<std::size_t>(field)]; }
    [[nodiscard]] const std::string& operator[](Field field) const { return text[static_cast<std::size_t>(field)]; }
    friend bool operator==(const LaunchValues&, const LaunchValues&) = default;
};

class LaunchForm {
  public:
    explicit LaunchForm(LaunchValues values = {}) : values_(std::move(values)) {}

    /// Sets a field. True: ask for `request()` now. False: nothing changed, or the text cannot be (see `problem`).
    [[nodiscard]] bool set(Field field, std::string text);
    /// The same of an argument of the kernel, "input(n) as ones" or "0.5".
    [[nodiscard]] bool set_argument(const std::string& parameter, std::string plan);
    /// What was refused by the kernel's own rule, all the same: it shows what goes wrong. False: nothing was.
    [[nodiscard]] bool run_anyway();
    [[nodiscard]] bool can_run_anyway() const { return by_rule_; }
    /// Another program: it keeps what a person has typed for the one before, where both are of the catalog.
    [[nodiscard]] bool set_program(const std::string& program, const std::string& kernel = {});
    /// Back and forth among what has run; what was refused is not come back to.
    [[nodiscard]] bool undo();
    [[nodiscard]] bool redo();
    /// The newest request was stopped: the fields say what is on the screen.
    void withdraw();
    [[nodiscard]] bool can_undo() const { return !past_.empty(); }
    [[nodiscard]] bool can_redo() const { return !future_.empty(); }

    /// What to run, from the fields.
    [[nodiscard]] session::Request request() const;

    /// The answer to the newest request. After a refusal that another program's left-over field caused, true: the
    /// field was given up, ask for `request()` again.
    void accepted(const session::Run& run);
    [[nodiscard]] bool refused(const session::Refusal& refusal);

    [[nodiscard]] const LaunchValues& values() const { return values_; }
    /// The values that the run on the screen came from.
    [[nodiscard]] const LaunchValues& ran() const { return ran_ ? *ran_ : values_; }
    /// What the field shows: what was typed, else what the shown run used.
    [[nodiscard]] const std::string& shown(Field field) const;
    [[nodiscard]] const std::string& shown_argument(const std::string& parameter) const;
    /// Why the field's text was refused; nothing when it is fine. A problem of no field in particular is the
    /// program's.
    [[nodiscard]] const std::optional<Problem>& problem(Field field) const;
    /// Why the argument was.
    [[nodiscard]] const std::optional<Problem>& argument_problem(const std::string& parameter) const;

  private:
    void remember();
    void forgive();
    [[nodiscard]] bool travel(std::vector<LaunchValues>& from, std::vector<LaunchValues>& to);

    LaunchValues values_;   // of the newest request
    LaunchValues used_;     // of the run on the screen
    LaunchValues refused_;  // text that cannot be, kept in its field until it is changed
    std::array<std::optional<Problem>, static_cast<std::size_t>(Field::count)> problems_;
    std::map<std::string, std::optional<Problem>> argument_problems_;
    std::vector<LaunchValues> past_, future_;
    std::optional<LaunchValues> ran_;  // the values that the run on the screen came from
    bool refused_now_ = false;         // the newest request was: it is no place to come back to
    bool by_rule_ = false;             // the newest request was refused by the kernel's own rule
    bool left_over_ = false;           // fields were typed for the program before
    Field last_set_ = Field::program;
    std::string last_argument_;  // where that was an argument
};

/// "256", "2^20", "1k" (1024), "4M" as a number.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

/// One to three counts, "256", "16x16" or "16, 16, 4"; each fits.
[[nodiscard]] std::optional<trace::Dim3> parse_extent(std::string_view text);

}  // namespace lanescope::ui
