// The numbers typed under "What to look at" in a lesson: each number from `least_number` on is among the counts, values
// and sizes of the runs that the lesson names, or is listed here; and each list of numbers occurs in that order in one
// of these runs.
#include "base/command_line.h"
#include "run_support.h"
#include "session/launch_values.h"
#include "session/lesson.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using F = LaunchField;
using Numbers = std::set<std::string>;

/// Smaller numbers may be threads, elements or lines.
constexpr unsigned least_number = 33;

/// Numbers that no run counts: binary digits, arithmetic that the words show, and the sizes of a picture's axis.
const std::map<std::string, Numbers>& numbers_of_no_run() {
    static const std::map<std::string, Numbers> all{
        {"reduce/any-order", {"16777231"}},            // the exact sum, which is no float
        {"reduce/bitwise-and", {"101"}},               // 5
        {"reduce/bitwise-or", {"11110"}},              // 30
        {"reduce/bitwise-xor", {"1100"}},              // 12
        {"reduce/global-memory", {"69"}},              // 101 - 32
        {"reduce/values-per-thread", {"128", "896"}},  // 128 threads with 1 and with 7 elements
        {"scan/double-buffered", {"1024"}},            // the last N of Theory
    };
    return all;
}

using Sequence = std::vector<std::string>;

/// Lists that are no values in a row and no count of pass after pass.
const std::map<std::string, std::vector<Sequence>>& lists_of_no_run() {
    static const std::map<std::string, std::vector<Sequence>> all{
        {"apply/online-softmax", {{"4", "1", "2", "5"}}},                     // every second element
        {"faulty/divided-bound", {{"9", "11", "2"}}},                         // every second cell
        {"reduce/any-degree-tree", {{"3", "9", "381"}, {"2", "14", "438"}}},  // steps, span and instructions
        {"reduce/any-type", {{"17", "12", "16"}}},                            // wavefronts of loads and stores, sectors
        {"reduce/contiguous-chunks", {{"0", "8", "32", "40"}}},               // elements
        {"reduce/global-memory", {{"2", "1", "9", "5"}}},                     // sectors, and wavefronts
        {"reduce/grid-stride", {{"0", "8", "32", "40"}}},                     // elements
        {"reduce/launch-shapes", {{"1", "4", "7", "8", "9", "11"}}},          // any vt
        {"reduce/warp-shuffle", {{"8", "13", "7"}}},                 // wavefronts of stores and loads, barriers
        {"scan/reduction-distribution", {{"26", "52", "68"}}},       // cells 2, 4 and 6
        {"scan/segmented", {{"0", "3", "5"}, {"26", "26", "100"}}},  // where segments begin, and their last elements
    };
    return all;
}

/// Launches that a lesson describes in words alone.
const std::map<std::string, std::vector<LaunchValues>>& launches_in_words() {
    const auto launch = [](const std::string& program, const std::string& block, const std::string& n,
                           const std::string& kernel = {}) {
        LaunchValues values;
        values[F::program] = program;
        values[F::block] = block;
        values[F::n] = n;
        values[F::kernel] = kernel;
        return values;
    };
    static const std::map<std::string, std::vector<LaunchValues>> all = [&] {
        LaunchValues shapes = launch("reduce/launch-shapes", "128", "100000");
        shapes.arguments = {{"vt", "8"}, {"next_nt", "512"}, {"next_vt", "4"}};
        LaunchValues compiled = launch("reduce/warp-shuffle", "32", "32");
        compiled[F::view] = "compiled";
        return std::map<std::string, std::vector<LaunchValues>>{
            {"reduce/one-thread", {launch("reduce/sequential", "1024", "1024")}},
            {"reduce/any-degree-tree",
             {launch("reduce/any-degree-tree", "64", "64", "reduce<4>"),
              launch("reduce/any-degree-tree", "64", "64", "reduce<64>")}},
            {"reduce/launch-shapes", {shapes}},
            {"reduce/unrolled-last-warp", {launch("reduce/first-add-during-load", "64", "128")}},
            {"reduce/warp-instruction", {launch("reduce/warp-shuffle", "32", "32"), compiled}},
        };
    }();
    return all;
}

void add_value(trace::Element element, std::uint64_t bits, Numbers& into) {
    std::string text = trace::text_of(element, bits);
    std::erase(text, '-');
    into.insert(std::move(text));
}

void add_counts(const trace::Counts& counts, Numbers& into) {
    for (const std::uint64_t count :
         {counts.warp_instructions, counts.operations, counts.shared_load_wavefronts, counts.shared_store_wavefronts,
          counts.shared_atomic_wavefronts, counts.global_load_sectors, counts.global_store_sectors,
          counts.global_atomic_sectors, counts.barriers})
        into.insert(std::to_string(count));
}

void add_block(const Run& run, std::uint32_t launch, BlockId block, Numbers& into) {
    trace::Counts all;
    std::uint64_t work = 0;
    for (const analysis::Pass& pass : run.analysis->block_passes(launch, block).passes) {
        add_counts(pass.counts, into);
        all += pass.counts;
        work += pass.work;
        for (const std::uint64_t number : {pass.work, pass.span, pass.depth, pass.useful_lanes, work,
                                           std::uint64_t{pass.ways}, std::uint64_t{pass.lanes}})
            into.insert(std::to_string(number));
    }
    add_counts(all, into);
    const analysis::Picture& picture = run.analysis->picture(launch, block);
    for (const analysis::PictureRow& row : picture.rows) {
        for (std::uint32_t column = 0; column < row.cells.size(); ++column) {
            const analysis::ColumnGroup& group = picture.group_of(column);
            if (row.cells[column].known)
                add_value(group.element_of(group.cell_of(column)), row.cells[column].bits, into);
        }
    }
}

/// Counts of each pass, block, launch and of the run; values of cells and buffers; sizes; numbers of findings.
Numbers numbers_of(const Run& run) {
    Numbers all;
    const trace::Trace& trace = run.trace();
    for (const std::uint64_t size : {run.n, run.grid, std::uint64_t{run.block}, std::uint64_t{trace.findings.size()}})
        all.insert(std::to_string(size));
    add_counts(run.analysis->totals, all);
    for (const auto& number : {run.analysis->work, run.analysis->span, run.analysis->address_work})
        if (number) all.insert(std::to_string(*number));
    for (std::uint32_t launch = 0; launch < trace.launches.size(); ++launch) {
        all.insert(std::to_string(trace.launches[launch].grid.count()));
        trace::Counts sum;
        for (const trace::Counts& counts : trace.counts[launch]) {
            add_counts(counts, all);
            sum += counts;
        }
        add_counts(sum, all);
        for (const BlockId block : trace.launches[launch].recorded) add_block(run, launch, block, all);
    }
    for (const trace::Buffer& buffer : trace.buffers) {
        const std::uint64_t elements = buffer.bytes / bytes_of(buffer.element);
        for (const auto* contents : {&buffer.initial, &buffer.final})
            for (std::uint64_t i = 0; i < elements && (i + 1) * bytes_of(buffer.element) <= contents->size(); ++i)
                add_value(buffer.element, trace::bits_at(buffer.element, *contents, i), all);
    }
    static const std::regex number(R"(\d+)");
    for (const auto* values : {&run.verdict.expected, &run.verdict.actual})
        for (std::string value : *values) {
            std::erase(value, '-');
            all.insert(std::move(value));
        }
    std::uint64_t occurrences = 0;
    for (const trace::Finding& finding : trace.findings) occurrences += finding.count;
    all.insert(std::to_string(occurrences));
    for (const trace::Finding& finding : trace.findings)
        for (std::sregex_iterator at(finding.message.begin(), finding.message.end(), number), end; at != end; ++at)
            all.insert(at->str());
    return all;
}

/// Each count, and each variable of the loops, in one pass after the other.
void add_passes(const std::vector<analysis::Pass>& passes, std::vector<Sequence>& into) {
    const auto add = [&](auto count) {
        Sequence& counts = into.emplace_back();
        for (const analysis::Pass& pass : passes) counts.push_back(std::to_string(count(pass)));
    };
    add([](const analysis::Pass& pass) { return pass.work; });
    add([](const analysis::Pass& pass) { return pass.counts.operations; });
    add([](const analysis::Pass& pass) { return pass.useful_lanes; });
    add([](const analysis::Pass& pass) { return pass.lanes; });
    add([](const analysis::Pass& pass) { return pass.ways; });
    static const std::regex variable(R"((\w+) = (\d+))");
    std::map<std::string, Sequence> variables;
    for (const analysis::Pass& pass : passes)
        for (std::sregex_iterator at(pass.label.begin(), pass.label.end(), variable), end; at != end; ++at)
            variables[(*at)[1].str()].push_back((*at)[2].str());
    for (auto& [name, values] : variables) into.push_back(std::move(values));
}

/// The rows and columns of a picture.
void add_cells(const analysis::Picture& picture, std::vector<Sequence>& rows, std::vector<Sequence>& into) {
    std::vector<Sequence> columns(picture.columns);
    rows.resize(std::max(rows.size(), picture.rows.size()));
    for (std::size_t r = 0; r < picture.rows.size(); ++r) {
        const analysis::PictureRow& row = picture.rows[r];
        for (std::uint32_t column = 0; column < row.cells.size(); ++column) {
            if (!row.cells[column].known) continue;
            const analysis::ColumnGroup& group = picture.group_of(column);
            const std::string value = trace::text_of(group.element_of(group.cell_of(column)), row.cells[column].bits);
            rows[r].push_back(value);
            columns[column].push_back(value);
        }
    }
    into.insert(into.end(), columns.begin(), columns.end());
}

/// Values that stand side by side in a buffer or in the pictures of a launch's blocks, and what one pass after the
/// other has.
std::vector<Sequence> sequences_of(const Run& run) {
    std::vector<Sequence> all;
    const trace::Trace& trace = run.trace();
    Sequence& grids = all.emplace_back();
    for (const trace::Launch& launch : trace.launches) grids.push_back(std::to_string(launch.grid.count()));
    for (const auto* values : {&run.verdict.expected, &run.verdict.actual}) all.push_back(*values);
    for (const trace::Buffer& buffer : trace.buffers) {
        const std::uint64_t elements = buffer.bytes / bytes_of(buffer.element);
        for (const auto* contents : {&buffer.initial, &buffer.final}) {
            Sequence& values = all.emplace_back();
            for (std::uint64_t i = 0; i < elements && (i + 1) * bytes_of(buffer.element) <= contents->size(); ++i)
                values.push_back(trace::text_of(buffer.element, trace::bits_at(buffer.element, *contents, i)));
        }
    }
    for (std::uint32_t launch = 0; launch < trace.launches.size(); ++launch) {
        std::vector<Sequence> rows;
        for (const BlockId block : trace.launches[launch].recorded) {
            add_passes(run.analysis->block_passes(launch, block).passes, all);
            add_cells(run.analysis->picture(launch, block), rows, all);
        }
        all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
}

/// The programs and launches that a lesson's text names: its own, those of its links and commands, and the programs
/// that it opens, in these launches too.
std::vector<LaunchValues> launches_of(const std::string& program, const std::string& text) {
    std::vector<LaunchValues> own(1), all;
    std::set<std::string> opened{program};
    static const std::regex launch(R"(lanescope:launch\?([^)]*)\))"), open(R"(lanescope:open/([^)]*)\))"),
        command("`(lanescope trace [^`]*)`");
    for (std::sregex_iterator at(text.begin(), text.end(), launch), end; at != end; ++at) {
        LaunchValues values;
        std::istringstream fields((*at)[1].str());
        for (std::string field; std::getline(fields, field, '&');) {
            std::string value = field.substr(field.find('=') + 1);
            std::ranges::replace(value, '+', ' ');
            const std::string name = field.substr(0, field.find('='));
            if (const auto known = name == "template" ? std::optional(F::type) : launch_field(name))
                values[*known] = value;
        }
        own.push_back(values);
    }
    for (std::sregex_iterator at(text.begin(), text.end(), open), end; at != end; ++at) opened.insert((*at)[1].str());
    for (std::sregex_iterator at(text.begin(), text.end(), command), end; at != end; ++at) {
        const auto words = command_words((*at)[1].str());
        if (!words || words->size() < 3) continue;
        LaunchValues values;
        for (std::size_t i = 3; i < words->size(); ++i) {
            if ((*words)[i] == "--anyway") values.anyway = true;
            const auto field = (*words)[i].starts_with("--") ? launch_field((*words)[i].substr(2)) : std::nullopt;
            if (field && i + 1 < words->size()) values[*field] = (*words)[i + 1];
        }
        opened.insert((*words)[2]);
        own.push_back(values);
    }
    for (const std::string& name : opened) {
        for (LaunchValues values : own) {
            values[F::program] = name;
            for (const char* view : {"written", "compiled"}) {
                values[F::view] = view;
                all.push_back(values);
            }
        }
    }
    return all;
}

/// The words, without code, links' targets, lines and shares, and without commas within numbers.
std::string words_of(std::string text) {
    text = std::regex_replace(text, std::regex("`[^`]*`"), "code");
    text = std::regex_replace(text, std::regex(R"(\]\([^)]*\))"), "]");
    text = std::regex_replace(text, std::regex(R"((\d),(?=\d{3}))"), "$1");
    return std::regex_replace(text, std::regex(R"(\blines? \d+|(\d+ (to|or|and) )?\d+ %)"), "");
}

/// The numbers of the words.
std::vector<std::string> typed_in(const std::string& words) {
    std::vector<std::string> numbers;
    static const std::regex number(R"((^|[^\w.^])(\d+)(?![\w.]*\d| ?%|[\w]))");
    for (std::sregex_iterator at(words.begin(), words.end(), number), end; at != end; ++at)
        numbers.push_back((*at)[2].str());
    return numbers;
}

/// Whether the list has a constant step or factor: threads, elements, distances.
bool is_regular(const Sequence& list) {
    std::vector<long long> values;
    for (const std::string& value : list) values.push_back(std::stoll(value));
    bool steps = true, factors = true;
    for (std::size_t i = 2; i < values.size(); ++i) {
        steps = steps && values[i] - values[i - 1] == values[1] - values[0];
        factors = factors && values[i] * values[0] == values[i - 1] * values[1];
    }
    return steps || factors;
}

/// The lists of three whole numbers and more, such as "8, 4, 4 and 1", but the regular ones.
std::vector<Sequence> lists_in(std::string words) {
    std::vector<Sequence> lists;
    static const std::regex name(R"(\b(up|down|xor) \d+)"), list(R"((-?\d+)((,| and|, and)? -?\d+){2,}(?![\w.]*\d))"),
        number(R"(-?\d+)");
    words = std::regex_replace(words, name, "pass");
    for (std::sregex_iterator at(words.begin(), words.end(), list), end; at != end; ++at) {
        const std::string text = at->str();
        Sequence values;
        for (std::sregex_iterator each(text.begin(), text.end(), number); each != end; ++each)
            values.push_back(each->str());
        if (!is_regular(values)) lists.push_back(std::move(values));
    }
    return lists;
}

struct KnownOfRun {
    Numbers numbers;
    std::vector<Sequence> sequences;
};

bool has(const KnownOfRun& run, const Sequence& list) {
    return std::ranges::any_of(run.sequences,
                               [&](const Sequence& of_run) { return !std::ranges::search(of_run, list).empty(); });
}

TEST(SweepLessonNumbers, AreOfTheRunsThatTheLessonNames) {
    std::map<std::string, KnownOfRun> known;  // by the launch
    for (const Program& program : catalog()) {
        if (!runs_at_any_launch(program)) continue;
        std::string text = program.lesson.summary;
        for (const std::string& paragraph : paragraphs_of(program.lesson, section::look)) text += "\n" + paragraph;
        const std::string words = words_of(text);
        std::vector<Sequence> lists = lists_in(words);
        Numbers left;
        for (const std::string& number : typed_in(words))
            if (number.size() > 9 || std::stoul(number) >= least_number) left.insert(number);
        const auto listed = numbers_of_no_run().find(program.name);
        if (listed != numbers_of_no_run().end()) {
            for (const std::string& number : listed->second)
                EXPECT_EQ(left.erase(number), 1U) << program.name << " no longer says " << number;
        }
        std::vector<LaunchValues> launches = launches_of(program.name, text);
        const auto in_words = launches_in_words().find(program.name);
        if (in_words != launches_in_words().end())
            launches.insert(launches.end(), in_words->second.begin(), in_words->second.end());
        for (const LaunchValues& values : launches) {
            if (left.empty() && lists.empty()) break;
            std::string key;
            for (const std::string& field : values.text) key += field + '\n';
            for (const auto& [parameter, plan] : values.arguments) key += parameter + '=' + plan + '\n';
            auto found = known.find(key);
            if (found == known.end()) {
                Progress progress;
                const auto run = session::run(request_of(values), progress);
                found =
                    known.emplace(key, run ? KnownOfRun{numbers_of(**run), sequences_of(**run)} : KnownOfRun{}).first;
            }
            std::erase_if(left, [&](const std::string& number) { return found->second.numbers.contains(number); });
            std::erase_if(lists, [&](const Sequence& list) { return has(found->second, list); });
        }
        const auto listed_lists = lists_of_no_run().find(program.name);
        if (listed_lists != lists_of_no_run().end()) {
            for (const Sequence& list : listed_lists->second)
                EXPECT_EQ(std::erase(lists, list), 1U)
                    << program.name << " no longer says " << fmt::format("{}", fmt::join(list, " "));
        }
        for (const Sequence& list : lists)
            ADD_FAILURE() << program.name << ": no run that the lesson names has in this order "
                          << fmt::format("{}", fmt::join(list, " "));
        EXPECT_TRUE(left.empty()) << program.name << ": no run that the lesson names has "
                                  << fmt::format("{}", fmt::join(left, ", "));
    }
}

}  // namespace
}  // namespace lanescope::session
