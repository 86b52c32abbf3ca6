#include "ui/launch_form.h"

#include "base/text.h"
#include "model/device_limits.h"
#include "session/launch_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::ui {
namespace {

bool from_catalog(const std::string& program) { return program.empty() || (session::find_program(program) != nullptr); }

}  // namespace

void LaunchForm::remember() {
    if (!refused_now_) past_.push_back(values_);
    refused_now_ = false;
    future_.clear();
}

// Another program takes other arguments of main; a kernel alone takes none.
void LaunchForm::forget_words() {
    values_[Field::command_line].clear();
    values_[Field::standard_input].clear();
    values_[Field::function].clear();
    values_[Field::working_folder].clear();
    values_[Field::time_limit].clear();
    values_.sanitize = false;
}

void LaunchForm::forgive() {
    by_rule_ = false;
    problems_.fill(std::nullopt);
    argument_problems_.clear();
    refused_ = {};
}

bool LaunchForm::set(Field field, std::string text) {
    if (field != Field::standard_input) text = std::string(trimmed(text));
    const auto index = static_cast<std::size_t>(field);
    if (text == shown(field)) return false;
    problems_[index].reset();
    refused_[field].clear();
    // The current value again: drops the refused text.
    if (text == values_[field] || (values_[field].empty() && text == used_[field])) return false;
    if (auto problem = text.empty() ? std::nullopt : session::problem_of(field, text)) {
        problems_[index] = std::move(problem);
        refused_[field] = std::move(text);
        return false;
    }
    remember();
    by_rule_ = false;
    // Another size must respect the limit again.
    const bool size = field != Field::view && field != Field::banks && field != Field::input &&
                      field != Field::multiprocessors && field != Field::resident && field != Field::order &&
                      field != Field::schedule;
    values_.anyway = values_.anyway && !size;
    values_[field] = std::move(text);
    // A schedule names lines of the PTX.
    if (field == Field::view || field == Field::kernel || field == Field::type || field == Field::compiler)
        values_[Field::schedule].clear();
    // Arguments and template arguments belong to one kernel.
    if (field == Field::kernel) {
        values_[Field::type].clear();
        values_.arguments.clear();
        forget_words();
    }
    last_set_ = field;
    last_argument_.clear();
    left_over_ = false;
    return true;
}

bool LaunchForm::set_argument(const std::string& parameter, std::string plan) {
    plan = std::string(trimmed(plan));
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

bool LaunchForm::set_sanitize(bool wanted) {
    if (wanted == values_.sanitize) return false;
    remember();
    values_.sanitize = wanted;
    last_argument_.clear();
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
        for (Field field : {Field::block, Field::grid, Field::n, Field::input, Field::multiprocessors, Field::resident})
            values_[field].clear();
    }
    // The order names blocks of the other grid, the schedule lines of the other kernel.
    values_[Field::order].clear();
    values_[Field::schedule].clear();
    values_.anyway = false;
    values_[Field::program] = program;
    values_[Field::kernel] = kernel;
    values_[Field::type].clear();
    values_[Field::shared].clear();
    values_[Field::compiler].clear();
    values_.arguments.clear();
    forget_words();
    last_set_ = Field::program;
    last_argument_.clear();
    left_over_ = keep;
    return true;
}

bool LaunchForm::set_launch(const std::string& program, const std::string& kernel,
                            const std::vector<std::pair<Field, std::string>>& fields) {
    bool changed = set_program(program, kernel);
    for (const auto& [field, text] : fields) {
        if (text == values_[field] || session::problem_of(field, text)) continue;
        if (!changed) {
            remember();
            forgive();
            values_.anyway = false;
        }
        changed = true;
        values_[field] = text;
        last_set_ = field;
    }
    return changed;
}

LaunchValues LaunchForm::without_launch(LaunchValues values) {
    for (const Field field : {Field::block, Field::grid, Field::n, Field::input, Field::type, Field::banks,
                              Field::shared, Field::multiprocessors, Field::resident, Field::order, Field::schedule})
        values[field].clear();
    values.arguments.clear();
    values.anyway = false;
    return values;
}

bool LaunchForm::reset() {
    forgive();
    LaunchValues plain = without_launch(values_);
    if (plain == values_) return false;
    remember();
    values_ = std::move(plain);
    last_set_ = Field::program;
    last_argument_.clear();
    left_over_ = false;
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
    // Drops later requests; a cancelled undo is undone.
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
    LaunchValues values = values_;
    // Template arguments belong to a kernel: the one that is shown, where none is chosen.
    if (!values[Field::type].empty() && values[Field::kernel].empty()) values[Field::kernel] = used_[Field::kernel];
    return session::request_of(values);
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
    used_[Field::block] = session::extent_text(launch.block);
    used_[Field::grid] = session::extent_text(launch.grid);
    used_[Field::shared] = fmt::format("{}", launch.dynamic_shared_bytes);
    used_[Field::banks] = fmt::format("{}", run.trace().origin.banks);
    const session::PlacementText& placement = run.program.recipe.placement;
    used_[Field::multiprocessors] = placement.multiprocessors;
    if (values_[Field::multiprocessors].empty()) used_[Field::resident] = placement.resident;
    used_[Field::order] = placement.order;
    // If none was requested: the recipe's schedule, or the one that a saved trace ran under.
    used_[Field::schedule] = values_[Field::schedule].empty() ? run.trace().schedule : placement.schedule;
    used_[Field::n] = fmt::format("{}", run.n);
    used_[Field::input] = run.input;
    used_[Field::view] = session::name_of(run.trace().origin.view);
    for (const session::ArgumentPlan& argument : run.arguments) used_.arguments[argument.parameter] = argument.plan;
}

bool LaunchForm::refused(const session::Refusal& refusal) {
    Field field = session::launch_field(refusal.field).value_or(Field::program);
    if (field == Field::arch || field == Field::record) field = Field::program;  // they have no place in the bar
    if (left_over_ && field != Field::program && field != Field::kernel && !values_[field].empty()) {
        values_[field].clear();
        return true;
    }
    refused_now_ = true;
    by_rule_ = refusal.by_rule;
    if (refusal.field == "argument") {
        // The session names the parameter only in its message; it is the one that was set.
        const bool named = !last_argument_.empty();
        if (named || !values_.arguments.empty()) {
            argument_problems_[named ? last_argument_ : values_.arguments.begin()->first] = refusal.problem;
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

std::string LaunchForm::banks_text(bool half_warps) {
    return std::to_string(half_warps ? model::half_warp_banks() : model::emulated_device().banks);
}

}  // namespace lanescope::ui
