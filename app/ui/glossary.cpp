#include "ui/glossary.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cmath>

namespace lanescope::ui {
namespace {

// Meanings as the README and the PTX ISA have them. Short enough to be read from a tooltip while someone talks.
constexpr std::array terms = {
    Term{"address",
         "Where a byte lies: an offset from the beginning of the block's shared memory, or of the thread's local "
         "memory, "
         "or an address in global memory."},
    Term{"as compiled",
         "The kernel as the compiler optimised it: loops of constant length unrolled, values kept in "
         "registers. What the hardware runs."},
    Term{"as written",
         "The kernel compiled without optimisation, so that every access of the source is there and "
         "variables can be told by their names."},
    Term{"atomic",
         "Reads, changes and writes a word as one step that no other thread can come between. Lanes that want "
         "the same word take turns."},
    Term{"bank",
         "Shared memory is spread over 32 banks (16 on compute capability 1.x), word by word: word w lies in bank "
         "w mod 32 (there, mod 16). Each bank serves one word at a time."},
    Term{"bank conflict",
         "Lanes of one access want different words of the same bank, so that some have to wait for "
         "another wavefront. Lanes that want the same word do not wait."},
    Term{"barrier",
         "A place where the threads of a block wait for each other: __syncthreads(). What they wrote before "
         "it, all can read after it."},
    Term{"block", "Threads that share memory and can wait for each other; up to 1024."},
    Term{"broadcast", "Several lanes read the same word: it is fetched once and given to all of them."},
    Term{"divergence",
         "Lanes of a warp take different branches. The warp runs one side after the other, each with the "
         "other side's lanes switched off."},
    Term{"efficiency",
         "Useful lanes as a share of 32 lanes a warp instruction: how much of what the warps were given "
         "was put to use."},
    Term{"finding",
         "Something wrong with the kernel: a race, an access out of bounds, a barrier that not all threads "
         "reach."},
    Term{"global memory", "The device's large memory, which all blocks and the host can reach."},
    Term{"grid", "All blocks of one launch."},
    Term{"instruction",
         "One instruction of one warp, with at least one lane at work. 32 threads that do the same are "
         "one."},
    Term{"lane",
         "One of the 32 places of a warp, each with a thread in it. Lanes of a warp execute the same "
         "instruction."},
    Term{"last writer", "The pass, the thread and the line that wrote what lies there now."},
    Term{"launch", "One start of a kernel, with its grid and its blocks."},
    Term{"local memory", "A thread's own memory: arrays that do not fit into registers."},
    Term{"masked off",
         "A lane that does not take part in an instruction: its branch is not the one being run, or a "
         "predicate says no."},
    Term{"never written",
         "Nothing has put a value there yet. That is not zero: what one would read is left over from "
         "whoever used the memory before."},
    Term{"occupancy", "How many warps a processor holds at once, as a share of how many it could."},
    Term{"operator application",
         "One lane combines two values which each depend on the input: an addition of a "
         "reduction, say. Index arithmetic and copies are none."},
    Term{"oracle", "The same result worked out one element after the other on the CPU. The kernel's must be equal."},
    Term{"pass",
         "From one synchronisation that orders accesses to the next: a barrier, a shuffle, __syncwarp. Pass 0 "
         "is the load."},
    Term{"race",
         "Two threads touch the same word, at least one of them writes, and nothing makes one come before the "
         "other."},
    Term{"register", "Where a lane keeps a value that it computes with. Each lane has its own."},
    Term{"sector", "32 bytes of global memory, the least that is fetched. Lanes that touch the same sector share it."},
    Term{"shared memory", "A block's own fast memory, in 32 banks (16 on compute capability 1.x)."},
    Term{"shuffle", "Lanes of a warp read each other's registers, without any memory."},
    Term{"span",
         "The longest chain of operator applications, one waiting for the other: the steps that no number of "
         "processors can save."},
    Term{"step", "One instruction of one warp, executed."},
    Term{"useful lane", "It takes part, and what it computes reaches an output."},
    Term{"useful threads", "Threads whose work in this pass reaches an output, as a share of the block's."},
    Term{"warp", "32 threads of a block that execute the same instruction together."},
    Term{"wasted lane", "It takes part, but what it computes reaches no output."},
    Term{"wavefront",
         "One visit to shared memory, which serves each bank once. An access without conflicts needs one; "
         "each further wavefront is time lost to a conflict."},
    Term{"ways", "By how much the worst bank conflict slows an access down: 2 ways, twice as long."},
    Term{"work", "Operator applications that the result was made of: the additions one would do by hand."},
};
static_assert(std::ranges::is_sorted(terms, {}, &Term::name));

}  // namespace

std::span<const Term> glossary() { return terms; }

std::string_view meaning_of(std::string_view term) {
    const auto found = std::ranges::lower_bound(terms, term, {}, &Term::name);
    assert(found != terms.end() && found->name == term);
    return found->meaning;
}

std::optional<TermInText> term_in(std::string_view text, std::size_t at) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::optional<TermInText> found;
    for (const Term& term : terms) {
        const std::size_t size = term.name.size();
        if (term.name == "work" || (found && size <= found->term->name.size())) continue;
        for (std::size_t begin = at + 1 > size + 2 ? at - size - 1 : 0; begin <= at && begin + size <= text.size();
             ++begin) {
            const std::string_view here = text.substr(begin, size);
            if (begin > 0 && in_word(text[begin - 1])) continue;
            if (!std::ranges::equal(here, term.name, {}, lower, lower)) continue;
            std::size_t past = begin + size;
            for (const std::string_view plural : {std::string_view("es"), std::string_view("s")}) {
                const std::size_t longer = past + plural.size();
                if (text.substr(past).starts_with(plural) && (longer == text.size() || !in_word(text[longer]))) {
                    past = longer;
                    break;
                }
            }
            if (at >= past || (past < text.size() && in_word(text[past]))) continue;
            found = TermInText{&term, begin, past};
        }
    }
    return found;
}

void show_meaning(const Look& look, const Term& term, std::string_view here) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(12), look.px(10)});
    if (ImGui::BeginTooltip()) {
        {
            const Type headword(look, scene::Font::words_bold, type::heading);
            ImGui::TextUnformatted(term.name.data(), term.name.data() + term.name.size());
        }
        {
            const Type words(look, scene::Font::words, type::label);
            ImGui::PushTextWrapPos(look.px(380));
            ImGui::TextUnformatted(term.meaning.data(), term.meaning.data() + term.meaning.size());
            if (!here.empty()) {
                ImGui::PushStyleColor(ImGuiCol_Text, look.color(scene::Role::soft));
                ImGui::TextUnformatted(here.data(), here.data() + here.size());
                ImGui::PopStyleColor();
            }
            ImGui::PopTextWrapPos();
        }
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
}

void explain(const Look& look, std::string_view term, std::string_view here) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_DelayShort |
                              ImGuiHoveredFlags_NoSharedDelay))
        return;
    const auto found = std::ranges::lower_bound(terms, term, {}, &Term::name);
    assert(found != terms.end() && found->name == term);
    show_meaning(look, *found, here);
}

void explain_terms(const Look& look, std::string_view text, ImVec2 at, float width) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const float size = ImGui::GetFontSize();
    const auto line = static_cast<int>(std::floor((mouse.y - at.y) / size));
    if (line < 0 || mouse.x < at.x || mouse.x > at.x + width) return;
    // As ImGui wraps it.
    const char *from = text.data(), *const end = text.data() + text.size();
    for (int above = 0; above < line && from < end; ++above) {
        from = ImGui::GetFont()->CalcWordWrapPosition(size, from, end, width);
        while (from < end && (*from == ' ' || *from == '\n')) ++from;
    }
    if (from >= end) return;
    const char* const past = ImGui::GetFont()->CalcWordWrapPosition(size, from, end, width);
    const auto x_of = [&](const char* to) { return at.x + ImGui::CalcTextSize(from, to, false, -1).x; };
    const char* under = from;
    while (under < past && x_of(under + 1) <= mouse.x) ++under;
    if (under == past) return;
    const auto found = term_in(text, static_cast<std::size_t>(under - text.data()));
    if (!found) return;
    const char* const begin = std::max(from, text.data() + found->begin);
    const char* const last = std::min(past, text.data() + found->past_last);
    const float y = std::floor(at.y + size * static_cast<float>(line + 1)) - 1;
    ImGui::GetWindowDrawList()->AddLine({x_of(begin), y}, {x_of(last), y}, look.color(scene::Role::soft), look.px(1));
    // Above the text, which one goes on to read.
    ImGui::SetNextWindowPos({x_of(begin), at.y - look.px(gap)}, ImGuiCond_Always, {0, 1});
    show_meaning(look, *found->term);
}

}  // namespace lanescope::ui
