#include "cli/options.h"

#include "base/command_line.h"
#include "base/grouped.h"
#include "base/near_names.h"
#include "cli/flags.h"
#include "render/image/animation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace lanescope::cli {

namespace {

std::string full_name(const CLI::App& command) {
    return command.get_parent() == nullptr ? "lanescope" : "lanescope " + command.get_name();
}

// --- CLI11's errors in our words ------------------------------------------------------------------------------------

std::vector<std::string> flags_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

/// An unexpected argument of a command, or of the flags `known` within one of its words.
Problem unexpected_argument(const std::vector<std::string>& extras, const CLI::App& known, const std::string& command) {
    const std::string extra = extras.empty() ? "" : extras.front();
    const std::string name = extra.substr(0, extra.find('='));
    Problem problem;
    if (name.starts_with('-')) {
        problem.what = fmt::format("there is no flag {}", name);
        problem.remedy = did_you_mean(name, flags_of(known));
        if (problem.remedy.empty()) problem.remedy = fmt::format("See `{} --help`.", command);
    } else {
        problem.what = fmt::format("unexpected argument \"{}\"", extra);
        problem.remedy = fmt::format("See `{} --help`; a value with spaces needs quotes.", command);
    }
    return problem;
}

/// The problem of several words, the first neither a command nor anything to open: `lanescope run saxpy.cu`.
std::optional<UsageProblem> unknown_command(CommandLine& line, const std::vector<std::string>& arguments) {
    const CLI::App& command = line.chosen();
    if (&command != &line.app || arguments.empty() || arguments.front().starts_with('-')) return std::nullopt;
    const std::string& word = arguments.front();
    std::error_code error;
    if (session::find_program(word) != nullptr || std::filesystem::exists(word, error)) return std::nullopt;
    std::vector<std::string> names;
    for (const CLI::App* known : line.app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(known->get_name());
    Problem problem{
        .what = fmt::format("there is no command \"{}\"", word), .where = {}, .remedy = did_you_mean(word, names)};
    if (problem.remedy.empty())
        problem.remedy = fmt::format("See `{} --help`; `lanescope trace FILE` runs a file.", full_name(command));
    return UsageProblem{std::move(problem), full_name(command)};
}

/// "--block: MESSAGE" in two.
std::pair<std::string, std::string> flag_and_message(const CLI::ParseError& error) {
    const std::string text = error.what();
    const std::size_t colon = text.find(": ");
    return colon == std::string::npos ? std::pair(std::string(), text)
                                      : std::pair(text.substr(0, colon), text.substr(colon + 2));
}

Problem no_file_specified() {
    return {.what = "no file to write is specified",
            .where = {},
            .remedy = "Name one with -o, as -o passes.svg or -o passes.png."};
}

Problem problem_of(CommandLine& line, const CLI::ParseError& error) {
    const auto [flag, message] = flag_and_message(error);
    const std::string see = fmt::format("See `{} --help`.", full_name(line.chosen()));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return {.what = fmt::format("{} needs a value", flag), .where = {}, .remedy = see};
    if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
        const std::size_t line_end = std::min(message.find('\n'), message.size());
        return {.what = fmt::format("{} {}", flag, message.substr(0, line_end)),
                .where = {},
                .remedy = message.substr(std::min(line_end + 1, message.size()))};
    }
    if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {  // "--all excludes WHAT"
        constexpr std::string_view verb = " excludes ";
        const std::size_t at = message.find(verb);
        const std::string other = message.substr(std::min(at + verb.size(), message.size()));
        return {.what = fmt::format("{} and {} exclude each other", message.substr(0, at),
                                    other == "WHAT" ? "a kernel's name" : other),
                .where = {},
                .remedy = "Specify one of them."};
    }
    if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {  // "--per requires --animate"
        constexpr std::string_view verb = " requires ";
        const std::size_t at = message.find(verb);
        return {.what = fmt::format("{} has no effect without {}", message.substr(0, at),
                                    message.substr(std::min(at + verb.size(), message.size()))),
                .where = {},
                .remedy = see};
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        if (line.chosen().get_name() == "open")
            return {.what = "no link is specified", .where = {}, .remedy = "Copy link in the window writes one."};
        if (message.starts_with("--out")) return no_file_specified();
        return {.what = "no kernel, .cu or .ptx file, or saved trace is specified",
                .where = {},
                .remedy = "`lanescope list` shows the kernels."};
    }
    return {.what = error.what(), .where = {}, .remedy = see};
}

/// A picture or an animation is wanted, and --pass and --step name a moment of a picture.
std::optional<Problem> problem_of(const RenderOptions& render) {
    const bool moment = render.pass.has_value() || render.step.has_value();
    if (!render.animation.empty() && render.files.empty() && moment)
        return Problem{.what = fmt::format("{} has no effect on an animation, which shows all of the run",
                                           render.pass ? "--pass" : "--step"),
                       .where = {},
                       .remedy = "Omit it, or draw that moment with -o."};
    if (render.animation.empty()) return render.files.empty() ? std::optional(no_file_specified()) : std::nullopt;
    if (auto possible = render::can_animate(render.animation); !possible) return possible.error();
    if (render.panel == "timing" || render.request.program.ends_with(".json"))
        return Problem{
            .what = "--animate: the timing panel is the same at every pass", .where = {}, .remedy = "Draw it with -o."};
    return std::nullopt;
}

/// The order in which blocks and threads execute has no effect on machine code.
std::optional<Problem> problem_of(const session::LaunchValues& disassembled) {
    using enum session::LaunchField;
    for (const session::LaunchField field : {schedule, order, resident})
        if (!disassembled[field].empty())
            return Problem{.what = fmt::format("--{} has no effect on the machine code", session::name_of(field)),
                           .where = {},
                           .remedy = "Omit it."};
    return std::nullopt;
}

// --- Rules across flags ----------------------------------------------------------------------------------------------

/// The command as it was typed, with file names only: a recording contains none of the machine's folders.
std::string typed_command(const std::vector<std::string>& arguments,
                          std::initializer_list<std::filesystem::path> files) {
    std::vector<std::string> words{"lanescope"};
    for (const std::string& argument : arguments) {
        const bool file = std::ranges::find(files, std::filesystem::path(argument)) != files.end();
        words.push_back(file ? std::filesystem::path(argument).filename().string() : argument);
    }
    return command_text(words);
}

void finish(UsualSizes& sizes, const session::LaunchValues& launch) {
    sizes.launch = session::request_of(launch);
    if (!launch[session::LaunchField::view].empty()) sizes.view = sizes.launch.view;
}

Options options_of(CommandLine& line, const std::vector<std::string>& arguments) {
    const CLI::App* const command = &line.chosen();
    if (command == line.list) return line.list_options;
    if (command == line.open) {
        line.window.launch[session::LaunchField::program] = line.link;
        return line.window;
    }
    if (command == line.trace) {
        line.trace_options.request = session::request_of(line.trace_launch);
        line.trace_options.request.check_all_blocks = line.trace_checks_all_blocks;
        return line.trace_options;
    }
    if (command == line.sass) {
        line.sass_options.request = session::request_of(line.sass_launch);
        return line.sass_options;
    }
    if (command == line.schedule) {
        line.schedule_options.request = session::request_of(line.schedule_launch);
        return line.schedule_options;
    }
    if (command == line.render) {
        line.render_options.request = session::request_of(line.render_launch);
        if (line.render_options.chart) line.render_options.panel = "timing";
        return line.render_options;
    }
    if (command == line.compare) return line.compare_options;
    if (command == line.lecture) return line.lecture_options;
    if (command == line.check) return line.check_options;
    if (command == line.time) {
        line.time_options.command = typed_command(arguments, {line.time_options.out, line.time_options.resume});
        line.time_options.launch = session::request_of(line.time_launch);
        return line.time_options;
    }
    if (command == line.verify) {
        VerifyOptions& verify = line.verify_options;
        finish(verify.sizes, line.verify_launch);
        if (verify.command.empty()) verify.command = typed_command(arguments, {verify.save});
        return verify;
    }
    if (command == line.counters) {
        CountersOptions& counters = line.counters_options;
        finish(counters.sizes, line.counters_launch);
        counters.command = typed_command(arguments, {counters.out});
        return counters;
    }
    if (command == line.timeline) {
        TimelineOptions& timeline = line.timeline_options;
        timeline.launch = session::request_of(line.timeline_launch);
        if (!line.timeline_launch[session::LaunchField::view].empty()) timeline.view = timeline.launch.view;
        if (timeline.command.empty()) timeline.command = typed_command(arguments, {timeline.out});
        return timeline;
    }
    if (command == line.version || line.asks_version) return line.version_options;
    return line.window;
}

// --- Two launches of one command line --------------------------------------------------------------------------------

/// "128,256" -> "128", "256"; a single value is for all launches.
std::vector<std::string> values_of_each(const std::string& text) {
    std::vector<std::string> values;
    std::istringstream in(text);
    for (std::string value; std::getline(in, value, ',');) values.push_back(value);
    return values;
}

/// The flags within the quotes of "my.cu --block 128", into the launch.
std::optional<UsageProblem> take_own_flags(CommandLine& line, const std::string& what, session::LaunchValues& values) {
    std::error_code error;
    std::optional<std::vector<std::string>> words;
    const bool is_whole = session::find_program(what) != nullptr || std::filesystem::exists(what, error);
    if (!is_whole) words = command_words(what);
    values[session::LaunchField::program] = words && !words->empty() ? words->front() : what;
    if (!words || words->size() < 2) return std::nullopt;
    CLI::App own;
    own.set_help_flag();
    add_own_flags(own, values);
    std::vector<std::string> flags(words->begin() + 1, words->end());
    std::ranges::reverse(flags);  // CLI11 takes them last first
    const std::string command = full_name(line.chosen());
    try {
        own.parse(std::move(flags));
    } catch (const CLI::ExtrasError&) {
        Problem problem = unexpected_argument(own.remaining(), own, command);
        problem.what = fmt::format("\"{}\": {}", what, problem.what);
        return UsageProblem{std::move(problem), command};
    } catch (const CLI::ParseError& refusal) {
        return UsageProblem{problem_of(line, refusal), command};
    }
    return std::nullopt;
}

std::optional<UsageProblem> take_compared(CommandLine& line) {
    const session::LaunchValues& given = line.compare_launch;
    const auto refuse = [&](std::string what, std::string remedy) {
        return UsageProblem{{.what = std::move(what), .where = {}, .remedy = std::move(remedy)},
                            full_name(line.chosen())};
    };
    std::size_t launches = std::max<std::size_t>(line.compare_what.size(), 2);
    const auto each_field = [&](const auto& act) {
        for (std::size_t at = 0; at < given.text.size(); ++at) {
            const auto field = static_cast<session::LaunchField>(at);
            if (has_value_for_each(field)) act(field, values_of_each(given[field]));
        }
    };
    if (line.compare_what.size() == 1)
        each_field([&](auto, const auto& values) { launches = std::max(launches, values.size()); });
    std::optional<UsageProblem> problem;
    each_field([&](session::LaunchField field, const auto& values) {
        if (values.size() > 1 && values.size() != launches)
            problem = refuse(fmt::format("--{} has {} for {}", session::name_of(field), counted(values.size(), "value"),
                                         counted(launches, "launch")),
                             "Specify one value for all launches, or one for each.");
    });
    if (problem) return problem;
    std::vector<session::LaunchValues> all(launches, given);
    for (std::size_t launch = 0; launch < launches; ++launch) {
        each_field([&](session::LaunchField field, const auto& values) {
            if (values.size() > 1) all[launch][field] = values[launch];
        });
        const std::string& what = line.compare_what.size() == 1 ? line.compare_what.front() : line.compare_what[launch];
        if (auto wrong = take_own_flags(line, what, all[launch])) return wrong;
        if (std::find(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(launch), all[launch]) !=
            all.begin() + static_cast<std::ptrdiff_t>(launch))
            return refuse(launches == 2 ? "both launches are the same" : "two of the launches are the same",
                          "Name another kernel, or specify several values, such as --block 128,256.");
        line.compare_options.launches.push_back(session::request_of(all[launch]));
    }
    return std::nullopt;
}

/// Puts the words after "--", main's arguments, into the launch of the command.
std::optional<UsageProblem> pass_on(CommandLine& line, const std::vector<std::string>& words) {
    const CLI::App& command = line.chosen();
    session::LaunchValues* const launch = &command == line.trace      ? &line.trace_launch
                                          : &command == line.sass     ? &line.sass_launch
                                          : &command == line.schedule ? &line.schedule_launch
                                          : &command == line.render   ? &line.render_launch
                                          : &command == line.verify   ? &line.verify_launch
                                          : &command == line.counters ? &line.counters_launch
                                          : &command == line.timeline ? &line.timeline_launch
                                          : &command == &line.app     ? &line.window.launch
                                                                      : nullptr;
    if (launch == nullptr)
        return UsageProblem{{.what = "this command does not pass on the words after --",
                             .where = {},
                             .remedy = "`lanescope trace FILE.cu -- ARG...` does."},
                            full_name(command)};
    (*launch)[session::LaunchField::command_line] = lanescope::command_text(words);
    return std::nullopt;
}

}  // namespace

std::expected<Options, UsageProblem> parse(const std::vector<std::string>& arguments) {
    CommandLine line;
    // All words after "--", flags included, are arguments of the program that runs.
    const auto rest = std::ranges::find(arguments, "--");
    try {
        std::vector<std::string> own(arguments.begin(), rest);
        std::ranges::reverse(own);  // CLI11 takes them last first
        line.app.parse(std::move(own));
    } catch (const CLI::CallForHelp&) {
        return TextOptions{line.app.help()};
    } catch (const CLI::ExtrasError&) {
        const CLI::App& command = line.chosen();
        if (auto problem = unknown_command(line, arguments)) return std::unexpected(std::move(*problem));
        return std::unexpected(UsageProblem{unexpected_argument(line.app.remaining(true), command, full_name(command)),
                                            full_name(command)});
    } catch (const CLI::ParseError& error) {
        return std::unexpected(UsageProblem{problem_of(line, error), full_name(line.chosen())});
    }
    if (rest != arguments.end())
        if (auto problem = pass_on(line, {rest + 1, arguments.end()})) return std::unexpected(std::move(*problem));
    if (&line.chosen() == line.render) {
        const auto render = std::get<RenderOptions>(options_of(line, arguments));
        if (auto problem = problem_of(render))
            return std::unexpected(UsageProblem{*std::move(problem), full_name(line.chosen())});
    }
    if (&line.chosen() == line.sass)
        if (auto problem = problem_of(line.sass_launch))
            return std::unexpected(UsageProblem{*std::move(problem), full_name(line.chosen())});
    if (&line.chosen() == line.compare)
        if (auto problem = take_compared(line)) return std::unexpected(std::move(*problem));
    return options_of(line, arguments);
}

std::vector<std::string> command_names() {
    return {"list", "trace", "sass", "schedule", "render",   "compare",  "lecture",
            "open", "check", "time", "verify",   "counters", "timeline", "version"};
}

}  // namespace lanescope::cli
