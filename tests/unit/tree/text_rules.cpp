#include "unit/tree/text_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace lanescope::tree {
namespace {

/// Calls `visit` with each line and its number, from 1.
void each_line(std::string_view text, const auto& visit) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        visit(text.substr(0, end), number);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

/// UTF-8: every byte but a continuation begins a character.
std::size_t characters(std::string_view line) {
    return static_cast<std::size_t>(
        std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool in_path(char c) { return in_word(c) || c == '/' || c == '.' || c == '-'; }

/// The extension of a path's last part; empty: a folder, or a name without one.
std::string_view extension(std::string_view path) {
    const std::string_view last = path.substr(path.find_last_of('/') + 1);
    const std::size_t dot = last.find_last_of('.');
    return dot == std::string_view::npos || dot == 0 ? std::string_view() : last.substr(dot);
}

/// `app/ui/app.h` and `tests/cases` are files of the tree; `reduce/sequential`, `my_kernel.cu` and `--json` are none.
bool is_path(std::string_view word) {
    if (word.empty() || !std::ranges::all_of(word, in_path) || word.starts_with('/') || word.contains(".."))
        return false;
    constexpr std::array folders = {"app/", "kernels/", "shaders/", "assets/", "tests/"};
    if (std::ranges::any_of(folders, [&](std::string_view folder) { return word.starts_with(folder); })) return true;
    constexpr std::array sources = {".h", ".cpp", ".inc", ".cmake", ".sh", ".md"};
    return std::ranges::find(sources, extension(word)) != sources.end();
}

/// Calls `visit` with what stands between `begin` and `end` on a line, each time.
void each_between(std::string_view line, std::string_view begin, char end, const auto& visit) {
    for (std::size_t at = line.find(begin); at != std::string_view::npos; at = line.find(begin, at)) {
        at += begin.size();
        const std::size_t past = line.find(end, at);
        if (past == std::string_view::npos) return;
        visit(line.substr(at, past - at));
        at = past + 1;
    }
}

}  // namespace

std::vector<std::string> check_line_length(std::string_view path, std::string_view text, std::size_t longest) {
    std::vector<std::string> violations;
    each_line(text, [&](std::string_view line, std::size_t number) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (extension(path) == ".md" && begin != std::string_view::npos && (line[begin] == '|' || line[begin] == '>'))
            return;
        if (const std::size_t length = characters(line); length > longest)
            violations.push_back(fmt::format("{}:{}: {} characters, at most {}", path, number, length, longest));
    });
    return violations;
}

std::vector<std::string> check_file_comment(std::string_view path, std::string_view text) {
    if (text.starts_with("// ") || text.starts_with("/* ")) return {};
    return {fmt::format("{}:1: begins without a comment that says which question it answers", path)};
}

std::vector<std::string> check_words(std::string_view path, std::string_view text,
                                     const std::vector<Retired>& retired) {
    std::vector<std::string> violations;
    each_line(text, [&](std::string_view line, std::size_t number) {
        for (const auto& [word, instead] : retired) {
            for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
                const std::size_t end = at + word.size();
                if ((at > 0 && in_word(line[at - 1]) && in_word(word.front())) ||
                    (end < line.size() && in_word(line[end]) && in_word(word.back())))
                    continue;
                violations.push_back(fmt::format("{}:{}: says \"{}\", now \"{}\"", path, number, word, instead));
            }
        }
    });
    return violations;
}

std::vector<std::string> check_spelling(std::string_view path, std::string_view text) {
    // Prefixes of words, or of parts of a name; the first letter may be a capital.
    static constexpr std::pair<std::string_view, std::string_view> british[] = {
        {"olour", "olor"},        {"eighbour", "eighbor"}, {"ehaviour", "ehavior"},    {"avour", "avor"},
        {"onour", "onor"},        {"entre", "enter"},      {"ptimis", "ptimiz"},       {"pecialis", "pecializ"},
        {"asteris", "asteriz"},   {"aximis", "aximiz"},    {"ynchronis", "ynchroniz"}, {"arallelise", "arallelize"},
        {"nitialis", "nitializ"}, {"ectoris", "ectoriz"},  {"ecognis", "ecogniz"},     {"andomis", "andomiz"},
        {"inimis", "inimiz"},     {"rivatis", "rivatiz"},  {"abelled ", "abeled "},    {"odelled", "odeled"},
        {"raveller", "raveler"},  {"nalyse ", "nalyze "},  {"icence", "icense"},       {"efence", "efense"},
        {"poilt", "poiled"},      {" grey", " gray"},      {"eneralis", "eneraliz"},   {"ormalis", "ormaliz"},
        {"erialis", "erializ"},   {"rganis", "rganiz"}};
    const bool document = extension(path) == ".md";
    std::vector<std::string> violations;
    each_line(text, [&](std::string_view line, std::size_t number) {
        if (document && line.starts_with('>')) return;
        std::string said(line);
        // Keys of recordings and of settings that exist.
        for (const std::string_view key : {"\"optimised\"", "\"maximised\""}) {
            if (const std::size_t at = said.find(key); at != std::string::npos) said.erase(at, key.size());
        }
        if (document)
            each_between(line, "\"", '"', [&](std::string_view quoted) {
                said.replace(static_cast<std::size_t>(quoted.data() - line.data()), quoted.size(), quoted.size(), ' ');
            });
        for (const auto& [word, instead] : british) {
            if (said.contains(word))
                violations.push_back(fmt::format("{}:{}: says \"{}\", now \"{}\"", path, number, word, instead));
        }
    });
    return violations;
}

std::vector<std::string> check_named_files(std::string_view path, std::string_view text,
                                           const std::function<bool(std::string_view)>& exists) {
    std::vector<std::string> violations;
    const auto want = [&](std::string_view named, std::size_t number) {
        if (!exists(named))
            violations.push_back(fmt::format("{}:{}: names {}, which does not exist", path, number, named));
    };
    each_line(text, [&](std::string_view line, std::size_t number) {
        each_between(line, "`", '`', [&](std::string_view code) {
            if (is_path(code)) want(code, number);
        });
        each_between(line, "](", ')', [&](std::string_view target) {
            // Neither an address ("https:...", "lanescope:pass/3") nor a heading of the document itself.
            if (!target.contains(':') && !target.starts_with('#')) want(target.substr(0, target.find('#')), number);
        });
    });
    return violations;
}

std::vector<std::string> check_counted_nouns(std::string_view path, std::string_view text) {
    // Plurals that are no verbs as well: "{} runs", "{} loads" may say what a thread does.
    constexpr std::string_view nouns[] = {
        "addresses",    "arguments",  "arrays", "banks",    "blocks",    "bytes",      "columns",
        "cycles",       "elements",   "files",  "findings", "frames",    "functions",  "grids",
        "instructions", "kernels",    "lanes",  "launches", "lines",     "members",    "multiprocessors",
        "operations",   "parameters", "passes", "programs", "registers", "rows",       "sectors",
        "steps",        "threads",    "times",  "values",   "warps",     "wavefronts", "words",
        "measurements", "characters", "points", "buffers"};
    std::vector<std::string> violations;
    each_line(text, [&](std::string_view line, std::size_t number) {
        for (const std::string_view before : {"{} ", "+ \" "}) {
            for (std::size_t at = line.find(before); at != std::string_view::npos; at = line.find(before, at + 1)) {
                const std::string_view rest = line.substr(at + before.size());
                const auto noun = std::ranges::find_if(nouns, [&](std::string_view each) {
                    return rest.starts_with(each) && (rest.size() == each.size() || !in_word(rest[each.size()]));
                });
                if (noun == std::end(nouns)) continue;
                violations.push_back(fmt::format("{}:{}: a number with \"{}\"", path, number, *noun));
            }
        }
    });
    return violations;
}

std::vector<std::vector<std::string>> code_by_line(std::string_view text) {
    std::vector<std::vector<std::string>> lines;
    each_line(text, [&](std::string_view line, std::size_t) {
        each_between(line, "`", '`',
                     [&, &code = lines.emplace_back()](std::string_view each) { code.emplace_back(each); });
    });
    return lines;
}

const std::vector<Retired>& retired_identifiers() {
    static const std::vector<Retired> words = {
        {"restless", "seconds_until_redraw"},
        {"Seat", "Bookmark"},
        {"give_back", "return_from_call"},
        {"let_go", "released_early"},
        {"Answers", "ReplaySource"},
        {"FedAnswers", "ReplaySource"},
        {"wild", "uninitialized"},
        {"Deeds", "PassActivity"},
        {"deeds_of", "activity_of"},
        {"Teller", "Narrator"},
        {"further_counts", "extrapolated_counts"},
        {"ninth_relative", "p90_relative"},
        {"keep_freed_memory", "tune_malloc"},
        {"umbrella", "cub_header"},
        {"unended", "unterminated_declaration"},
        {"who_waits", "waiting_threads"},
        {"power_or_number", "size_text"},
        {"gathering", "waits_at_sync"},
        {"gathers", "waits_at_sync"},
        {"idle_", "unevaluated"},
        {"after_", "past_last_launch"},
        {"told_by", "recorded_counters"},
        {"tell_unfollowed_main", "explain_missing_main"},
        {"RecordingShelf", "RecordingLibrary"},
        {"derived", "input_dependent"},
        {"gathered", "waits_at_sync"},
        {"speaks", "signals_other_blocks"},
        {"tell_guesses", "report_guesses"},
    };
    return words;
}

const std::vector<Retired>& retired_phrases() {
    static const std::vector<Retired> words = {
        {"Hold against this GPU", "Verify on this GPU"},
        {"Do it again", "Redo"},
        {"Ordinary size", "Reset zoom"},
        {"The panel under the mouse alone", "Maximize panel"},
        {"Stop the run under way", "Cancel run"},
        {"Run what is refused, anyway", "Run anyway"},
        {"Run it anyway", "Run anyway"},
        {"Motion: values travel along their arcs", "Animate steps"},
        {"unwritten-read", "uninitialized-read"},
        {"executed what is no instruction", "illegal instruction"},
        {"at an address that its width forbids", "misaligned address"},
        {"takes the argument in: where that array begins", "fetches the address of"},
        {"which kernel loses its time where", "bottleneck"},
        {"nobody will jump", "branch not taken"},
        {"nobody", "no thread, no block, no user"},
        {"operator application", "operation"},
        {"operator applications", "operations"},
        {"hold against", "compare with"},
        {"at wf", "atomic wf"},
        {"held against", "compared with"},
        {"eff.", "efficiency"},
        {"ld wf", "load wf"},
        {"st wf", "store wf"},
        {"falls in bank", "is in bank"},
        {"goes round as often", "iterates"},
        {"deadlocked; waiting are", "is deadlocked: threads 0 to 31 wait"},
        {"of which no thread", "but no thread"},
        {": a second time", ": double free"},
        {"up to and with", "up to and including"},
        {"turns the sign of", "negates"},
        {"turns every bit of", "inverts the bits of"},
        {"puts the bits of", "computes the bitwise OR of"},
        {"looks what kind of number", "tests the class of"},
        {"looks in which memory", "tests the state space of"},
        {"As a command:", "Did you mean the command"},
        {"is one argument too many", "unexpected argument"},
        {"contradict each other", "exclude each other"},
        {"has no place here", "unexpected"},
        {"means nothing here", "unexpected"},
        {"Stand at the end of this pass", "Start at the end of this pass"},
        {"A picture of the window instead of the window", "Screenshot instead of a window"},
        {"Print what was drawn", "Print the drawn state"},
        {"its predicate says no", "is predicated off"},
        {"its guard says no", "its guard is false"},
        {"stands at another instruction", "is at another instruction"},
        {"Hover a cell for its story", "Hover over a cell for details"},
        {"were looked for in", "were checked for"},
        {"finds a fault in it", "has a finding"},
        {"0 fine, 1 the kernel is wrong", "0 success, 1 wrong result or findings"},
        {"what is no instruction", "illegal instruction"},
        {"Mend the call", "Correct the call"},
        {"somebody else's memory", "external memory"},
        {"has yet to read", "has not read yet"},
        {"had yet to write", "had not written yet"},
        {"Back among the other panels", "Restore panel"},
        {"Choose another place", "Choose another location"},
        {"The kernel states this limit itself", "The limit is the kernel's own"},
        {"another warp repeats itself", "another warp executes the same loop"},
        {"always comes out the same", "always has the same value"},
        {"there is no oracle", "there is no CPU reference"},
        {"on this computer", "on this machine"},
        {"CUDA runtime of ours", "Lanescope's CUDA runtime"},
        {"and nothing orders the two", "without synchronization between the two"},
        {"is no name of a variable", "is not the name of a variable"},
        {"Search a schedule", "Find a schedule"},
        {"searches a schedule", "searches for a schedule"},
        {"searching a schedule", "searching for a schedule"},
        {"searches one", "searches for one"},
        {"searches an order", "searches for an order"},
        {"hands the mouse back", "finds the shape under the mouse"},
        {"took its turns", "scheduling order"},
        {"told of", "reported"},
        {"is told", "is reported"},
        {"with a lane on", "that at least one lane executes"},
        {"the begin of", "the start of"},
        {"'s begin", "'s start"},
        {"has no place where", "is unexpected where"},
        {"of ours", "of Lanescope"},
        {"Neither of both", "Neither"},
        {"speak without it", "send messages without it"},
        {"anew", "again"},
        {": nothing orders the two", ", without synchronization between the two"},
        {"nothing orders this and", "no synchronization with"},
        {"ours takes", "the kernel takes"},
        {"schedule was searched", "schedule was tried"},
        {"beyond the least", "excessive"},
        {"the same again drops", "repeat the command to discard"},
        {"which no pass has alone", "it belongs to no pass"},
    };
    return words;
}

}  // namespace lanescope::tree
