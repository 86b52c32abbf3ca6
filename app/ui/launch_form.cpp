#include "ui/launch_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lanescope::ui {
namespace {

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

bool is_count(Field field) { return field == Field::block || field == Field::grid || field == Field::n; }

// What the field would have to be, when its text is no number at all. Limits that depend on the program are the session's.
Problem not_a_count(Field field, std::string_view text) {
    switch (field) {
        case Field::block:
            return {fmt::format("“{}” is no block size", text), {}, "Type a whole number of threads, 1 to 1024."};
        case Field::grid:
            return {fmt::format("“{}” is no grid size", text), {}, "Type a whole number of blocks, 1 or more."};
        default:
            return {fmt::format("“{}” is no number of elements", text), {}, "Type a whole number, such as 16 or 2^20."};
    }
}

bool from_catalog(const std::string& program) { return program.empty() || (session::find_program(program) != nullptr); }

}  // namespace

std::string_view name_of(Field field) {
    switch (field) {
        case Field::program: return "program";
        case Field::kernel: return "kernel";
        case Field::block: return "block";
        case Field::grid: return "grid";
        case Field::n: return "n";
        case Field::input: return "input";
        case Field::view: return "view";
        case Field::count: break;
    }
    return "";
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t number = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc{} || number == 0) return std::nullopt;
    const std::string_view suffix(end, static_cast<std::size_t>(last - end));
    if (suffix.empty()) return number;
    constexpr std::uint64_t limit = std::uint64_t{1} << 40;  // far above any size that runs; keeps products in range
    std::uint64_t factor = 0;
    if (suffix == "k" || suffix == "K") factor = 1U << 10;
    if (suffix == "m" || suffix == "M") factor = 1U << 20;
    if (factor != 0) return number <= limit / factor ? std::optional(number * factor) : std::nullopt;
    if (suffix.front() != '^') return std::nullopt;
    unsigned exponent = 0;
    const auto [power_end, power_error] = std::from_chars(end + 1, last, exponent);
    if (power_error != std::errc{} || power_end != last || exponent > 40) return std::nullopt;
    std::uint64_t power = 1;
    for (unsigned i = 0; i < exponent; ++i) {
        if (power > limit / number) return std::nullopt;
        power *= number;
    }
    return power;
}

void LaunchForm::remember() {
    past_.push_back(values_);
    future_.clear();
}

void LaunchForm::forgive() {
    problems_.fill(std::nullopt);
    refused_ = {};
}

bool LaunchForm::set(Field field, std::string text) {
    text = trimmed(text);
    const auto index = static_cast<std::size_t>(field);
    if (text == shown(field)) return false;
    problems_[index].reset();
    refused_[field].clear();
    // Back to what runs already: the refused text is simply withdrawn.
    if (text == values_[field] || (values_[field].empty() && text == used_[field])) return false;
    if (is_count(field) && !text.empty() && !parse_count(text)) {
        problems_[index] = not_a_count(field, text);
        refused_[field] = std::move(text);
        return false;
    }
    remember();
    values_[field] = std::move(text);
    left_over_ = false;
    return true;
}

bool LaunchForm::set_program(const std::string& program, const std::string& kernel) {
    if (program == values_[Field::program] && kernel == values_[Field::kernel]) return false;
    remember();
    forgive();
    const bool keep = from_catalog(program) && from_catalog(values_[Field::program]);
    if (!keep) {
        for (Field field : {Field::block, Field::grid, Field::n, Field::input}) values_[field].clear();
    }
    values_[Field::program] = program;
    values_[Field::kernel] = kernel;
    left_over_ = keep;
    return true;
}

bool LaunchForm::undo() {
    if (past_.empty()) return false;
    forgive();
    future_.push_back(values_);
    values_ = past_.back();
    past_.pop_back();
    left_over_ = false;
    return true;
}

bool LaunchForm::redo() {
    if (future_.empty()) return false;
    forgive();
    past_.push_back(values_);
    values_ = future_.back();
    future_.pop_back();
    return true;
}

void LaunchForm::withdraw() {
    if (past_.empty()) return;
    forgive();
    values_ = past_.back();
    past_.pop_back();
}

session::Request LaunchForm::request() const {
    session::Request request;
    request.program = values_[Field::program];
    request.kernel = values_[Field::kernel];
    request.n = parse_count(values_[Field::n]);
    request.grid = parse_count(values_[Field::grid]);
    if (const auto block = parse_count(values_[Field::block])) {
        // Too large for the type is too large for any device: the session says so of the largest that fits.
        request.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(*block, ~std::uint32_t{0}));
    }
    request.input = values_[Field::input];
    request.view = values_[Field::view] == "compiled" ? trace::View::compiled : trace::View::written;
    return request;
}

void LaunchForm::accepted(const session::Run& run) {
    forgive();
    left_over_ = false;
    used_[Field::program] = run.program.name;
    used_[Field::kernel] = run.kernel;
    used_[Field::block] = fmt::format("{}", run.block);
    used_[Field::grid] = fmt::format("{}", run.grid);
    used_[Field::n] = fmt::format("{}", run.n);
    used_[Field::input] = run.input;
    used_[Field::view] = run.trace().origin.view == trace::View::compiled ? "compiled" : "written";
}

bool LaunchForm::refused(const session::Refusal& refusal) {
    Field field = Field::program;
    for (std::size_t index = 0; index < problems_.size(); ++index) {
        if (refusal.field == name_of(static_cast<Field>(index))) field = static_cast<Field>(index);
    }
    if (left_over_ && field != Field::program && field != Field::kernel && !values_[field].empty()) {
        values_[field].clear();
        return true;
    }
    problems_[static_cast<std::size_t>(field)] = refusal.problem;
    return false;
}

const std::string& LaunchForm::shown(Field field) const {
    if (!refused_[field].empty()) return refused_[field];
    return values_[field].empty() ? used_[field] : values_[field];
}

const std::optional<Problem>& LaunchForm::problem(Field field) const {
    return problems_[static_cast<std::size_t>(field)];
}

}  // namespace lanescope::ui
