#include "session/lecture_edits.h"

#include "base/files.h"
#include "base/text.h"
#include "session/catalog.h"
#include "session/lecture_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

namespace lanescope::session {

namespace {

/// The keys of a step, as they are read.
std::string keys_of(const Lecture& lecture, const LectureStep& step) {
    std::string text = "```lanescope\n";
    const auto key = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
    };
    if (step.launch && step.own_program) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(LaunchField::count); ++i) {
            const auto field = static_cast<LaunchField>(i);
            std::string value = (*step.launch)[field];
            if (field == LaunchField::program && find_program(value) == nullptr && !lecture.file.empty()) {
                std::error_code error;
                const auto own = std::filesystem::absolute(lecture.file, error).parent_path();
                const auto near = std::filesystem::path(value).lexically_relative(own);
                if (!near.empty() && *near.begin() != "..") value = near.string();
            }
            key(name_of(field), value);
        }
        for (const auto& [parameter, plan] : step.launch->arguments) key("argument " + parameter, plan);
        if (step.launch->anyway) key("anyway", "yes");
    }
    key("layout", step.layout);
    key("panels", fmt::format("{}", fmt::join(step.panels, ", ")));
    key("maximize", step.maximized);
    key("place", text_of(step.place));
    key("select", step.selected);
    return text + "```\n";
}

std::string text_of(const Lecture& lecture, const LectureStep& step) {
    std::string text = fmt::format("## {}\n", step.heading);
    if (step.launch) text += "\n" + keys_of(lecture, step);
    if (!step.caption.empty()) text += fmt::format("\n{}\n", step.caption);
    if (!step.notes.empty()) text += fmt::format("\n### Notes\n\n{}\n", step.notes);
    for (const LectureStep::Question& question : step.questions) {
        text += fmt::format("\n### Question\n\n{}\n", question.ask);
        if (!question.answer.empty()) text += fmt::format("\n### Answer\n\n{}\n", question.answer);
    }
    return text;
}

/// The part of the text with a blank line at its end, so that another part can follow.
std::string ended(std::string_view text) {
    std::string whole(text);
    while (!whole.ends_with("\n\n")) whole += '\n';
    return whole;
}

std::size_t past_step(const Lecture& lecture, std::optional<std::size_t> after) {
    if (after) return lecture.steps[*after].whole.end;
    return lecture.steps.empty() ? lecture.text.size() : lecture.steps.front().whole.begin;
}

/// The lecture with another text.
Result<Lecture> reread(const Lecture& lecture, std::string text) {
    while (text.ends_with("\n\n")) text.pop_back();
    auto read = read_lecture(std::move(text), lecture.file);
    if (read) read->built_in = lecture.built_in;
    return read;
}

/// Makes each step that shows the launch of an earlier step name that launch itself.
Result<Lecture> with_own_launches(const Lecture& lecture) {
    std::string text = lecture.text;
    for (std::size_t at = lecture.steps.size(); at-- > 0;) {
        LectureStep step = lecture.steps[at];
        if (!step.launch || step.own_program) continue;
        step.own_program = true;
        text.replace(step.keys_at.begin, step.keys_at.end - step.keys_at.begin, keys_of(lecture, step));
    }
    return reread(lecture, std::move(text));
}

/// The lecture with its steps in `order`, their numbers before.
Result<Lecture> in_order(const Lecture& lecture, const std::vector<std::size_t>& order) {
    std::string text = lecture.text.substr(0, lecture.steps.front().whole.begin);
    for (const std::size_t step : order) {
        const LectureRange& range = lecture.steps[step].whole;
        text += ended(std::string_view(lecture.text).substr(range.begin, range.end - range.begin));
    }
    return reread(lecture, std::move(text));
}

/// The same, but each step still shows the launch that it showed before.
Result<Lecture> reordered(const Lecture& lecture, const std::vector<std::size_t>& order) {
    auto made = in_order(lecture, order);
    const auto same = [&] {
        for (std::size_t at = 0; at < order.size(); ++at)
            if (made->steps[at].launch != lecture.steps[order[at]].launch) return false;
        return true;
    };
    if (made && same()) return made;
    const auto own = with_own_launches(lecture);
    return own ? in_order(*own, order) : own;
}

}  // namespace

Lecture new_lecture(const std::string& title, const std::string& file) {
    const std::string shown = title.find(": ") == std::string::npos ? title : fmt::format("\"{}\"", title);
    auto made = read_lecture(fmt::format("---\ntitle: {}\n---\n", shown), file);
    assert(made);
    return *std::move(made);
}

Result<Lecture> with_step(const Lecture& lecture, std::optional<std::size_t> after, const LectureStep& step) {
    const auto insert = [&](const Lecture& into) {
        const std::size_t at = past_step(into, after);
        const std::string_view text = into.text;
        return reread(into, ended(text.substr(0, at)) + ended(text_of(into, step)) + std::string(text.substr(at)));
    };
    auto made = insert(lecture);
    if (made && made->steps.size() != lecture.steps.size() + 1)
        return fail("a line of the step begins with ##, which begins another step");
    for (std::size_t at = after ? *after + 1 : 0; made && at < lecture.steps.size(); ++at)
        if (made->steps[at + 1].launch != lecture.steps[at].launch) {
            const auto own = with_own_launches(lecture);
            return own ? insert(*own) : own;
        }
    return made;
}

Result<Lecture> without_step(const Lecture& lecture, std::size_t step) {
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < lecture.steps.size(); ++at)
        if (at != step) order.push_back(at);
    return reordered(lecture, order);
}

Result<Lecture> with_step_moved(const Lecture& lecture, std::size_t from, std::size_t to) {
    if (from == to || to >= lecture.steps.size()) return lecture;
    std::vector<std::size_t> order(lecture.steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    return reordered(lecture, order);
}

Result<Lecture> with_words(const Lecture& lecture, std::size_t step, const std::string& heading,
                           const std::string& caption) {
    const LectureStep& old = lecture.steps[step];
    std::string text = lecture.text;
    if (without_blank_lines(caption) != old.caption) {
        const LectureRange& at = old.caption_at;
        std::string words(without_blank_lines(caption));
        words = words.empty() ? "\n" : fmt::format("\n{}\n", words);
        // The blank line before the next part stays.
        if (at.end < text.size()) words = ended(words);
        text.replace(at.begin, at.end - at.begin, words);
    }
    if (trimmed(heading) != old.heading) {
        const std::size_t end = std::min(text.find('\n', old.whole.begin), text.size());
        text.replace(old.whole.begin, end - old.whole.begin, fmt::format("{}{}", heading_mark, trimmed(heading)));
    }
    auto made = reread(lecture, std::move(text));
    if (!made) return made;
    if (made->steps.size() != lecture.steps.size() || made->steps[step].caption != without_blank_lines(caption) ||
        made->steps[step].notes != old.notes || made->steps[step].questions.size() != old.questions.size())
        return fail("the caption would become other parts of the lecture", {},
                    "Lines that begin with ## begin a step; ### Notes, ### Question and ### Answer are parts of one.");
    return made;
}

Result<void> save_lecture(const Lecture& lecture) {
    if (const auto written = write_file(lecture.file, lecture.text); !written)
        return fail("the lecture cannot be written: " + written.error(), {lecture.file, 0, 0},
                    "Choose another location.");
    return {};
}

}  // namespace lanescope::session
