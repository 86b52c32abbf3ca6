#include "ui/launch_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace lanescope::ui {
namespace {

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

bool is_extent(Field field) { return field == Field::block || field == Field::grid; }

// Whether the text is a size, as far as that is known without the program.
bool is_readable(Field field, std::string_view text) {
    if (text.empty()) return true;
    if (is_extent(field)) return parse_count(text) || parse_extent(text);
    if (field == Field::shared) return text == "0" || parse_count(text);
    return field != Field::n || parse_count(text);
}

std::string extent_text(const trace::Dim3& extent) {
    if (extent.z > 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
    if (extent.y > 1) return fmt::format("{}x{}", extent.x, extent.y);
    return fmt::format("{}", extent.x);
}

// What to enter where the text is not a number. The session checks limits that depend on the program.
Problem not_a_count(Field field, std::string_view text) {
    switch (field) {
        case Field::block:
            return {fmt::format("“{}” is not a block size", text),
                    {},
                    "Enter a number of threads, 1 to 1024, or an extent such as 16x16."};
        case Field::grid:
            return {fmt::format("“{}” is not a grid size", text),
                    {},
                    "Enter a number of blocks, 1 or more, or an extent such as 8x8."};
        case Field::shared:
            return {fmt::format("“{}” is not a shared memory size", text), {}, "Enter a number of bytes."};
        default:
            return {fmt::format("“{}” is not a number of elements", text), {}, "Enter a number, such as 16 or 2^20."};
    }
}

bool from_catalog(const std::string& program) { return program.empty() || (session::find_program(program) != nullptr); }

}  // namespace

std::string_view name_of(Field field) {
    switch (field) {
        case Field::program: return "program";
        case Field::kernel: return "kernel";
        case Field::type: return "template";
        case Field::block: return "block";
        case Field::grid: return "grid";
        case Field::n: return "n";
        case Field::input: return "input";
        case Field::view: return "view";
        case Field::banks: return "banks";
        case Field::shared: return "shared";
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

std::optional<trace::Dim3> parse_extent(std::string_view text) {
    std::array<std::uint32_t, 3> sides = {1, 1, 1};
    for (std::uint32_t& side : sides) {
        const std::size_t end = text.find_first_of("x,");
        const auto count = parse_count(trimmed(text.substr(0, end)));
        if (!count || *count > ~std::uint32_t{0}) return std::nullopt;
        side = static_cast<std::uint32_t>(*count);
        if (end == std::string_view::npos) return trace::Dim3{sides[0], sides[1], sides[2]};
        text.remove_prefix(end + 1);
    }
    return std::nullopt;
}

void LaunchForm::remember() {
    if (!refused_now_) past_.push_back(values_);
    refused_now_ = false;
    future_.clear();
}

void LaunchForm::forgive() {
    by_rule_ = false;
    problems_.fill(std::nullopt);
    argument_problems_.clear();
    refused_ = {};
}

bool LaunchForm::set(Field field, std::string text) {
    text = trimmed(text);
    const auto index = static_cast<std::size_t>(field);
    if (text == shown(field)) return false;
    problems_[index].reset();
    refused_[field].clear();
    // The current value again: drops the refused text.
    if (text == values_[field] || (values_[field].empty() && text == used_[field])) return false;
    if (!is_readable(field, text)) {
        problems_[index] = not_a_count(field, text);
        refused_[field] = std::move(text);
        return false;
    }
    remember();
    by_rule_ = false;
    // Another size must respect the limit again.
    const bool size = field != Field::view && field != Field::banks && field != Field::input;
    values_.anyway = values_.anyway && !size;
    values_[field] = std::move(text);
    // Arguments and template arguments belong to one kernel.
    if (field == Field::kernel) {
        values_[Field::type].clear();
        values_.arguments.clear();
    }
    last_set_ = field;
    last_argument_.clear();
    left_over_ = false;
    return true;
}

bool LaunchForm::set_argument(const std::string& parameter, std::string plan) {
    plan = trimmed(plan);
    if (plan == shown_argument(parameter)) return false;
    argument_problems_.erase(parameter);
    remember();
    if (plan.empty()) {
        values_.arguments.erase(parameter);
    } else {
        values_.arguments[parameter] = std::move(plan);
    }
    last_argument_ = parameter;
    left_over_ = false;
    return true;
}

bool LaunchForm::run_anyway() {
    if (!by_rule_) return false;
    by_rule_ = false;
    values_.anyway = true;
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
    values_.anyway = false;
    values_[Field::program] = program;
    values_[Field::kernel] = kernel;
    values_[Field::type].clear();
    values_[Field::shared].clear();
    values_.arguments.clear();
    last_set_ = Field::program;
    last_argument_.clear();
    left_over_ = keep;
    return true;
}

bool LaunchForm::travel(std::vector<LaunchValues>& from, std::vector<LaunchValues>& to) {
    if (from.empty()) return false;
    forgive();
    if (!refused_now_) to.push_back(values_);
    refused_now_ = false;
    values_ = std::move(from.back());
    from.pop_back();
    left_over_ = false;
    return true;
}

bool LaunchForm::undo() { return travel(past_, future_); }
bool LaunchForm::redo() { return travel(future_, past_); }

void LaunchForm::withdraw() {
    if (!ran_) return;
    forgive();
    // Drops later requests; a canceled undo is undone.
    const auto before = std::ranges::find(past_, *ran_);
    if (before != past_.end()) {
        past_.erase(before, past_.end());
    } else if (!future_.empty() && future_.back() == *ran_) {
        future_.pop_back();
        past_.push_back(values_);
    }
    values_ = *ran_;
    refused_now_ = false;
}

session::Request LaunchForm::request() const {
    session::Request request;
    request.program = values_[Field::program];
    request.kernel = values_[Field::kernel];
    if (!values_[Field::type].empty()) {
        const std::string& kernel = values_[Field::kernel].empty() ? used_[Field::kernel] : values_[Field::kernel];
        request.kernel = fmt::format("{}<{}>", kernel, values_[Field::type]);
    }
    request.n = parse_count(values_[Field::n]);
    request.grid = parse_count(values_[Field::grid]);
    if (!request.grid) request.grid_extent = parse_extent(values_[Field::grid]);
    if (const auto block = parse_count(values_[Field::block])) {
        // Saturates: the session refuses the largest value as well.
        request.block = static_cast<std::uint32_t>(std::min<std::uint64_t>(*block, ~std::uint32_t{0}));
    } else {
        request.block_extent = parse_extent(values_[Field::block]);
    }
    request.input = values_[Field::input];
    request.view = values_[Field::view] == "compiled" ? trace::View::compiled : trace::View::written;
    request.banks = values_[Field::banks] == "16" ? 16 : 32;
    if (values_[Field::shared] == "0") request.shared_bytes = 0;
    if (const auto shared = parse_count(values_[Field::shared])) request.shared_bytes = shared;
    request.arguments = values_.arguments;
    request.anyway = values_.anyway;
    return request;
}

void LaunchForm::accepted(const session::Run& run) {
    forgive();
    left_over_ = false;
    refused_now_ = false;
    // Template arguments belong to a kernel, so the request names it.
    if (!values_[Field::type].empty()) values_[Field::kernel] = run.kernel;
    ran_ = values_;
    const trace::Launch& launch = run.trace().launches.front();
    used_ = {};
    used_[Field::program] = run.program.name;
    used_[Field::kernel] = run.kernel;
    used_[Field::type] = fmt::format("{}", fmt::join(run.program.recipe.template_arguments, ", "));
    used_[Field::block] = extent_text(launch.block);
    used_[Field::grid] = extent_text(launch.grid);
    used_[Field::shared] = fmt::format("{}", launch.dynamic_shared_bytes);
    used_[Field::banks] = fmt::format("{}", run.trace().origin.banks);
    used_[Field::n] = fmt::format("{}", run.n);
    used_[Field::input] = run.input;
    used_[Field::view] = run.trace().origin.view == trace::View::compiled ? "compiled" : "written";
    for (const session::ArgumentPlan& argument : run.arguments) used_.arguments[argument.parameter] = argument.plan;
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
    refused_now_ = true;
    by_rule_ = refusal.by_rule;
    if (refusal.field == "argument") {
        // The session names the parameter only in its message; it is the one that was set.
        const bool told = !last_argument_.empty();
        if (told || !values_.arguments.empty()) {
            argument_problems_[told ? last_argument_ : values_.arguments.begin()->first] = refusal.problem;
            return false;
        }
    }
    // A compiler error after a change of the type belongs to the type.
    const bool of_type = last_set_ == Field::type && (refusal.field == "kernel" || refusal.field == "source");
    problems_[static_cast<std::size_t>(of_type ? Field::type : field)] = refusal.problem;
    return false;
}

const std::string& LaunchForm::shown(Field field) const {
    if (!refused_[field].empty()) return refused_[field];
    return values_[field].empty() ? used_[field] : values_[field];
}

const std::string& LaunchForm::shown_argument(const std::string& parameter) const {
    static const std::string nothing;
    for (const LaunchValues* values : {&values_, &used_}) {
        if (const auto found = values->arguments.find(parameter); found != values->arguments.end())
            return found->second;
    }
    return nothing;
}

const std::optional<Problem>& LaunchForm::argument_problem(const std::string& parameter) const {
    static const std::optional<Problem> none;
    const auto found = argument_problems_.find(parameter);
    return found == argument_problems_.end() ? none : found->second;
}

const std::optional<Problem>& LaunchForm::problem(Field field) const {
    return problems_[static_cast<std::size_t>(field)];
}

}  // namespace lanescope::ui
