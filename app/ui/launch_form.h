// The launch fields of the top bar: what was typed, what of it is a request, what is wrong with the rest, and undo.
#pragma once

#include "session/session.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

enum class Field : std::uint8_t { program, kernel, block, grid, n, input, view, count };
[[nodiscard]] std::string_view name_of(Field field);  ///< as session::Refusal names it

/// What the fields ask for, as text. Empty: the program's own default.
struct LaunchValues {
    std::array<std::string, static_cast<std::size_t>(Field::count)> text;  ///< view: "written" or "compiled"

    [[nodiscard]] std::string& operator[](Field field) { return text[static_cast<std::size_t>(field)]; }
    [[nodiscard]] const std::string& operator[](Field field) const { return text[static_cast<std::size_t>(field)]; }
    friend bool operator==(const LaunchValues&, const LaunchValues&) = default;
};

class LaunchForm {
  public:
    explicit LaunchForm(LaunchValues values = {}) : values_(std::move(values)) {}

    /// Sets a field. True: ask for `request()` now. False: nothing changed, or the text cannot be (see `problem`).
    [[nodiscard]] bool set(Field field, std::string text);
    /// Another program: it keeps what a person has typed for the one before, where both are of the catalog.
    [[nodiscard]] bool set_program(const std::string& program, const std::string& kernel = {});
    [[nodiscard]] bool undo();
    [[nodiscard]] bool redo();
    /// The newest request was stopped: the fields say what they said before it.
    void withdraw();
    [[nodiscard]] bool can_undo() const { return !past_.empty(); }
    [[nodiscard]] bool can_redo() const { return !future_.empty(); }

    /// What to run, from the fields.
    [[nodiscard]] session::Request request() const;

    /// The answer to the newest request. After a refusal that another program's left-over field caused, true: the field
    /// was given up, ask for `request()` again.
    void accepted(const session::Run& run);
    [[nodiscard]] bool refused(const session::Refusal& refusal);

    [[nodiscard]] const LaunchValues& values() const { return values_; }
    /// What the field shows: what was typed, else what the shown run used.
    [[nodiscard]] const std::string& shown(Field field) const;
    /// Why the field's text was refused; nothing when it is fine. A problem of no field in particular is the program's.
    [[nodiscard]] const std::optional<Problem>& problem(Field field) const;

  private:
    void remember();
    void forgive();

    LaunchValues values_;   // of the newest request
    LaunchValues used_;     // of the run on the screen
    LaunchValues refused_;  // text that cannot be, kept in its field until it is changed
    std::array<std::optional<Problem>, static_cast<std::size_t>(Field::count)> problems_;
    std::vector<LaunchValues> past_, future_;
    bool left_over_ = false;  // fields were typed for the program before
};

/// "256", "2^20", "1k" (1024), "4M" as a number.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace lanescope::ui
