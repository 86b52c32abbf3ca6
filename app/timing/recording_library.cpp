#include "timing/recording_library.h"

#include "base/embedded.h"
#include "base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace lanescope::timing {

namespace {

constexpr std::string_view folder_inside = "assets/recordings/";

/// Are both of one machine and one day? A recording that was continued on another day has both days: "2026-11-21 and
/// 2026-11-22".
bool together(const Recording& one, const Recording& other) {
    const bool on_a_day = one.date == other.date || (!one.date.empty() && other.date.contains(one.date)) ||
                          (!other.date.empty() && one.date.contains(other.date));
    return one.of_one_machine(other) && on_a_day;
}

/// Replaces the equal item, or appends `item`.
template <class Item, class Alike>
void put(std::vector<Item>& items, const Item& item, Alike alike) {
    const auto found = std::ranges::find_if(items, [&](const Item& each) { return alike(each, item); });
    if (found != items.end()) {
        *found = item;
    } else {
        items.push_back(item);
    }
}

bool about_the_same(const Omission& one, const Omission& other) {
    const auto key = [](const Omission& of) { return std::tie(of.kernel, of.element, of.n, of.block, of.what); };
    return key(one) == key(other);
}

bool is_measured(const Point& point, const Omission& omission) {
    return point.kernel == omission.kernel && point.n == omission.n && point.block == omission.block &&
           (omission.element.empty() || point.element == omission.element);
}

}  // namespace

std::string label(const Recording& recording) {
    return recording.text() + (recording.command.empty() ? ", as printed in the lecture" : "");
}

void merge(Recording& into, const Recording& from) {
    const auto of_one_size = [](const auto& one, const auto& other) { return one.bytes == other.bytes; };
    for (const Recording::Copy& copy : from.copies) put(into.copies, copy, of_one_size);
    for (const Recording::Sweep& sweep : from.sweeps) put(into.sweeps, sweep, of_one_size);
    for (const Recording::ResidentRead& read : from.resident_reads)
        put(into.resident_reads, read, [](const auto& one, const auto& other) { return one.same_as(other); });
    for (const Point& point : from.points)
        put(into.points, point, [](const Point& one, const Point& other) { return one.same_as(other); });
    if (from.date.size() > into.date.size()) into.date = from.date;
    for (const Omission& omission : from.omissions) put(into.omissions, omission, about_the_same);
    // A measurement made later is no longer an omission.
    std::erase_if(into.omissions, [&](const Omission& each) {
        return std::ranges::any_of(into.points, [&](const Point& point) { return is_measured(point, each); });
    });
    if (into.peak == 0) into.peak = from.peak;
    if (into.peak_formula.empty()) into.peak_formula = from.peak_formula;
    if (into.processors == 0) into.processors = from.processors;
    if (into.clock_mhz == 0) into.clock_mhz = from.clock_mhz;
    if (into.overhead.samples == 0) into.overhead = from.overhead;
    add_name(into.library, from.library);
    if (into.command != from.command && !from.command.empty()) into.command += "\n" + from.command;
}

std::size_t RecordingLibrary::add(const Recording& recording, const std::string& file) {
    const auto found =
        std::ranges::find_if(all_, [&](const LibraryEntry& each) { return together(each.recording, recording); });
    if (found == all_.end()) {
        all_.push_back({recording, {file}});
        return all_.size() - 1;
    }
    merge(found->recording, recording);
    if (std::ranges::find(found->files, file) == found->files.end()) found->files.push_back(file);
    return static_cast<std::size_t>(found - all_.begin());
}

Result<std::size_t> RecordingLibrary::add_file(const std::filesystem::path& file) {
    const auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    const auto recording = from_json(*text, file.string());
    if (!recording) return std::unexpected(recording.error());
    return add(*recording, file.string());
}

std::vector<Problem> RecordingLibrary::add_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<Problem> problems;
    for (const std::filesystem::path& file : files) {
        if (const auto added = add_file(file); !added) problems.push_back(added.error());
    }
    return problems;
}

std::optional<std::size_t> RecordingLibrary::largest() const {
    std::optional<std::size_t> best;
    for (std::size_t index = 0; index < all_.size(); ++index) {
        if (all_[index].quoted()) continue;
        if (!best || all_[index].recording.points.size() > all_[*best].recording.points.size()) best = index;
    }
    return best;
}

const Recording* RecordingLibrary::quoted() const {
    const auto found = std::ranges::find_if(all_, &LibraryEntry::quoted);
    return found == all_.end() ? nullptr : &found->recording;
}

const Recording* RecordingLibrary::with_resident_reads(const Recording& recording) const {
    if (!recording.resident_reads.empty()) return &recording;
    const auto found =
        std::ranges::find_if(all_, [](const LibraryEntry& entry) { return !entry.recording.resident_reads.empty(); });
    return found == all_.end() ? nullptr : &found->recording;
}

const RecordingLibrary& shipped_recordings() {
    static const RecordingLibrary shipped = [] {
        RecordingLibrary library;
        for (const EmbeddedFile& file : embedded_files()) {
            // The hardware's counters and traces have folders of their own in the folder of recordings.
            const bool inside = file.path.starts_with(folder_inside);
            if (!inside || file.path.find('/', folder_inside.size()) != std::string_view::npos) continue;
            const auto recording = from_json(std::string(file.bytes), std::string(file.path));
            if (recording) library.add(*recording, std::string(file.path));
        }
        return library;
    }();
    return shipped;
}

RecordingLibrary all_recordings() {
    RecordingLibrary library = shipped_recordings();
    if (const auto folder = configuration_folder(); !folder.empty()) (void)library.add_folder(folder / "recordings");
    return library;
}

}  // namespace lanescope::timing
