#include "session/recorded_figures.h"

#include "base/grouped.h"
#include "base/whole_number.h"
#include "session/launch_size.h"
#include "timing/recording_library.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

struct Asked {
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string program;
};

/// "2^22 in 128", "2^30 in 256 of reduce/sequential".
std::optional<Asked> read_asked(std::string_view text, const std::string& program) {
    const std::size_t in = text.find(" in "), of = text.find(" of ");
    if (in == std::string_view::npos) return std::nullopt;
    const auto n = parse_count(text.substr(0, in));
    const std::size_t end = of == std::string_view::npos ? text.size() : of;
    const auto block = whole_number<std::uint32_t>(text.substr(in + 4, end - std::min(end, in + 4)));
    if (!n || !block) return std::nullopt;
    return Asked{*n, *block, of == std::string_view::npos ? program : std::string(text.substr(of + 4))};
}

/// Where several grids were measured, the fastest.
const timing::Point* find_point(const timing::Recording& recording, const Asked& asked) {
    const timing::Point* best = nullptr;
    for (const timing::Point& point : recording.points) {
        if (point.kernel != asked.program || point.n != asked.n || point.block != asked.block ||
            point.element != "int" || point.time.median <= 0)
            continue;
        if (best == nullptr || point.time.median < best->time.median) best = &point;
    }
    return best;
}

std::string microseconds(double time) { return time < 100 ? fmt::format("{:.1f}", time) : rounded(time); }

}  // namespace

std::optional<Result<std::string>> recorded_figure(std::string_view figure, const std::string& program) {
    const timing::RecordingLibrary& library = timing::shipped_recordings();
    const auto largest = library.largest();
    if (!largest) return std::nullopt;
    const timing::Recording& recording = library[*largest].recording;
    if (figure == "recorded device") return recording.device;
    if (figure == "recorded date") return recording.date;
    if (figure == "peak bandwidth") return rounded(recording.peak);
    if (figure == "launch time") return fmt::format("{:.2f}", recording.overhead.median);
    if (figure == "read bandwidth") {
        const auto most = std::ranges::max_element(recording.sweeps, {}, &timing::Recording::Sweep::bytes);
        if (most == recording.sweeps.end()) return fail("no read-only kernel was recorded");
        return rounded(most->bandwidth());
    }
    for (const std::string_view kind : {"recorded time at ", "recorded bandwidth at ", "peak share at "}) {
        if (!figure.starts_with(kind)) continue;
        const auto asked = read_asked(figure.substr(kind.size()), program);
        if (!asked) return std::nullopt;
        const timing::Point* const point = find_point(recording, *asked);
        if (point == nullptr)
            return fail(fmt::format("{} was not recorded at {} in blocks of {}", asked->program, size_text(asked->n),
                                    asked->block));
        if (kind.find("time") != std::string_view::npos) return microseconds(point->time.median);
        if (kind.find("share") == std::string_view::npos) return rounded(point->bandwidth());
        return recording.peak > 0 ? Result<std::string>(rounded(100 * point->bandwidth() / recording.peak))
                                  : fail("the peak of the recorded device is not known");
    }
    return std::nullopt;
}

}  // namespace lanescope::session
