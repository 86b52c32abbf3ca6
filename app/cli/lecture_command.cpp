#include "cli/commands.h"
#include "cli/lecture_picture.h"
#include "cli/panel_picture.h"
#include "cli/report.h"
#include "cli/table.h"
#include "render/image/image.h"
#include "render/image/pdf.h"
#include "scene/handout_scene.h"
#include "scene/theory_scene.h"
#include "session/lecture_figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <ostream>
#include <system_error>
#include <utility>
#include <variant>

namespace lanescope::cli {

namespace {

const std::string this_command = "lanescope lecture";

constexpr std::string_view timing_title = "Timing", timing_name = "timing";  // a picture of recordings

/// The panel to print for a step: the maximized one, else the last one in front, else Passes.
std::string_view picture_of(const session::LectureStep& step) {
    std::vector<std::string> titles = step.panels;
    titles.push_back(step.maximized);
    for (std::size_t at = titles.size(); at-- > 0;) {
        if (titles[at] == timing_title) return timing_name;
        if (titles[at].empty()) continue;
        const auto found = std::ranges::find(drawn_panels(), titles[at], &DrawnPanel::title);
        if (found != drawn_panels().end()) return found->name;
    }
    return drawn_panels().front().name;
}

std::size_t elided_texts(const scene::Scene& picture) {
    return static_cast<std::size_t>(std::ranges::count_if(picture.shapes, [](const scene::Shape& shape) {
        const auto* const text = std::get_if<scene::Text>(&shape);
        return text != nullptr && text->text.contains("…");
    }));
}

/// Paper has no tooltips for elided text. Of the widths at which text is still legible after the picture is reduced to
/// the page, uses the first with the fewest elided texts.
scene::Scene drawn_for_paper(float width, const std::function<scene::Scene(float width)>& draw) {
    scene::Scene best = draw(width);
    std::size_t elided = elided_texts(best);
    for (const float times : {1.25F, 1.5F, 1.75F}) {
        if (elided == 0) break;
        scene::Scene wider = draw(width * times);
        if (const std::size_t left = elided_texts(wider); left < elided) {
            best = std::move(wider);
            elided = left;
        }
    }
    return best;
}

/// The picture of a step, run and drawn, and its words with the figures of the run.
struct ShownStep {
    scene::Scene picture;
    session::LectureWords words;
};
Result<ShownStep> show(const session::LectureStep& step, Progress& progress) {
    const session::Request request = session::request_of(*step.launch);
    ShownStep shown{.picture = {}, .words = session::words_without_figures(step)};
    const std::string_view panel = picture_of(step);
    std::shared_ptr<const session::Run> run;
    if (panel != timing_name || session::has_figures(step)) {
        const auto finished = session::run(request, progress);
        if (!finished) return std::unexpected(finished.error().problem);
        run = *finished;
        auto words = session::words_with_figures(step, *run);
        if (!words) return std::unexpected(words.error());
        shown.words = *std::move(words);
    }
    float width = scene::handout_picture_width();
    // In a single column the picture would be reduced to the height of the page.
    if (panel == "theory") width = std::max(width, scene::theory_two_columns);
    Result<scene::Scene> picture;
    if (panel == timing_name) {
        picture = timing_picture({.request = request, .width = width}, progress);
    } else {
        const auto place = session::find_place(*run, step.place, step.selected);
        if (!place) return std::unexpected(place.error());
        const Moment moment{.launch = place->launch,
                            .block = place->block,
                            .position = place->position,
                            .named = true,
                            .selected = place->selected};
        picture = drawn_for_paper(
            width, [&](float drawn_width) { return panel_picture(*run, moment, panel, drawn_width, progress); });
    }
    if (!picture) return std::unexpected(picture.error());
    shown.picture = *std::move(picture);
    return shown;
}

std::string words_of(const session::Lecture& lecture, std::size_t number, const session::LectureWords& shown,
                     const std::optional<Problem>& problem, bool notes) {
    std::string words = fmt::format("# {}\n\n{}\n\n", lecture.steps[number].heading,
                                    session::caption_of(lecture, number, shown.caption));
    if (problem) words += fmt::format("**Not shown:** {}\n\n", problem->message());
    for (const session::LectureStep::Question& question : shown.questions) {
        words += fmt::format("## Question\n\n{}\n\n", question.ask);
        if (!question.answer.empty()) words += fmt::format("## Answer\n\n{}\n\n", question.answer);
    }
    if (notes && !shown.notes.empty()) words += fmt::format("## Notes\n\n{}\n\n", shown.notes);
    return words;
}

/// The name without its folder, if the file was found.
std::string name_of_program(const session::LaunchValues& launch) {
    const std::filesystem::path program = launch[session::LaunchField::program];
    return (program.is_absolute() ? program.filename() : program).string();
}

int list_lectures(const LectureOptions& options, Environment& environment) {
    if (options.json) {
        nlohmann::ordered_json json = nlohmann::ordered_json::array();
        for (const session::Lecture& each : session::shipped_lectures())
            json.push_back({{"name", each.name}, {"title", each.title}, {"steps", each.steps.size()}});
        environment.out << dump(json);
        return fine;
    }
    Table table({{{"lecture"}, false}, {{"title"}, false}, {{"steps"}, true}});
    for (const session::Lecture& each : session::shipped_lectures())
        table.add({each.name, each.title, std::to_string(each.steps.size())});
    environment.out << table.text();
    return fine;
}

Result<void> write_pages(const std::vector<scene::Scene>& pages, std::size_t first, const LectureOptions& options) {
    if (options.out.extension() == ".pdf") return render::write_pdf(pages, options.theme, options.out);
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) return fail(fmt::format("the folder cannot be made: {}", error.message()), {options.out.string(), 0, 0});
    for (std::size_t page = 0; page < pages.size(); ++page) {
        const auto written = render::write_image(pages[page], options.theme,
                                                 options.out / fmt::format("step-{:02}.svg", first + page + 1));
        if (!written) return written;
    }
    return {};
}

}  // namespace

LecturePage lecture_page(const session::Lecture& lecture, std::size_t number, bool notes, Progress& progress) {
    const session::LectureStep& step = lecture.steps[number];
    LecturePage page;
    session::LectureWords words = session::words_without_figures(step);
    if (step.launch) {
        auto shown = show(step, progress);
        if (shown) {
            page.picture = std::move(shown->picture);
            words = std::move(shown->words);
        } else {
            page.problem = shown.error();
        }
    }
    page.scene = scene::handout_page({.title = lecture.title,
                                      .number = number + 1,
                                      .count = lecture.steps.size(),
                                      .words = words_of(lecture, number, words, page.problem, notes),
                                      .picture = page.picture ? &*page.picture : nullptr});
    return page;
}

int lecture(const LectureOptions& options, Environment& environment) {
    if (options.lecture.empty()) return list_lectures(options, environment);
    const auto opened = session::open_lecture(options.lecture);
    const auto refuse = [&](const Problem& problem) {
        complain(environment, this_command, problem);
        return request_wrong;
    };
    if (!opened) return refuse(opened.error());
    const std::size_t count = opened->steps.size();
    if (count == 0)
        return refuse({"the lecture has no steps", {opened->file, 0, 0}, "A line `## HEADING` begins one."});
    if (options.step && *options.step > count)
        return refuse({fmt::format("--step {}: there is no such step", *options.step),
                       {},
                       fmt::format("The steps of this lecture are 1 to {}.", count)});
    const std::size_t first = options.step ? *options.step - 1 : 0, past = options.step ? *options.step : count;
    std::vector<scene::Scene> pages;
    std::size_t wrong = 0;
    nlohmann::ordered_json json{{"lecture", opened->name}, {"title", opened->title}};
    for (std::size_t number = first; number < past; ++number) {
        const session::LectureStep& step = opened->steps[number];
        LecturePage page = lecture_page(*opened, number, options.notes, environment.progress);
        if (environment.progress.cancelled()) {
            environment.err << this_command << ": cancelled\n";
            return interrupted;
        }
        pages.push_back(std::move(page.scene));
        wrong += page.problem ? 1 : 0;
        const std::string program = step.launch ? name_of_program(*step.launch) : std::string();
        const std::string problem = page.problem ? page.problem->message() : std::string();
        if (options.json) {
            json["steps"].push_back({{"number", number + 1},
                                     {"heading", step.heading},
                                     {"program", program},
                                     {"place", step.launch ? session::text_of(step.place) : std::string()},
                                     {"problem", problem}});
            continue;
        }
        environment.out << fmt::format("{:3}  {}", number + 1, step.heading);
        if (!program.empty()) environment.out << fmt::format("  ({}, {})", program, session::text_of(step.place));
        environment.out << '\n';
        if (page.problem) environment.out << fmt::format("     not shown: {}\n", problem);
    }
    if (!options.out.empty())
        if (const auto written = write_pages(pages, first, options); !written) return refuse(written.error());
    if (options.json) environment.out << dump(json);
    return wrong == 0 ? fine : kernel_wrong;
}

}  // namespace lanescope::cli
