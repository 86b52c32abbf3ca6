#include "ui/glossary.h"

#include "base/text.h"
#include "ui/fact_strip.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cmath>

namespace lanescope::ui {
namespace {

// Short enough to be read in a tooltip during a lecture.
constexpr std::array terms = {
    Term{"active lanes",
         "Lanes that execute the instruction, useful or not, divided by 32 lanes per warp instruction. Predicated-off "
         "lanes are not active. Shown where it is not known which lanes are useful."},
    Term{"address",
         "The byte offset of a location: in the block's shared memory, in the thread's local memory, or in global "
         "memory."},
    Term{"address work",
         "Combinations of two values that decide only where a value goes, or whether: a scan of flags."},
    Term{"as compiled",
         "The kernel compiled with optimization (-lineinfo): loops of constant length are unrolled and values stay "
         "in registers. This is what the hardware runs."},
    Term{"as written",
         "The kernel compiled for debugging, without optimization (-G): every access of the source survives, and "
         "variables keep their names."},
    Term{"atomic",
         "An atomic operation reads, modifies and writes a word without interference from other threads. Lanes that "
         "access the same word are serialized."},
    Term{"bank",
         "Shared memory is divided into 32 banks (16 on compute capability 1.x). Word w is in bank w mod 32 (or "
         "mod 16). Each bank serves one word per wavefront."},
    Term{"bank conflict",
         "Lanes of one access request different words in the same bank, so the access needs more than one "
         "wavefront. Lanes that request the same word do not conflict."},
    Term{"barrier",
         "__syncthreads(): every thread of the block waits here for all others. Writes before the barrier are "
         "visible to all of them after it."},
    Term{"block", "Threads that share memory and synchronize at barriers."},
    Term{"broadcast", "Several lanes read the same word. It is fetched once and delivered to all of them."},
    Term{"divergence",
         "Lanes of a warp take different branches. The warp executes one path after the other, each with the lanes "
         "of the other path masked off."},
    Term{"efficiency",
         "Useful lanes divided by 32 lanes per warp instruction. “?”: not known, because blocks that are not recorded "
         "may read the results."},
    Term{"estimated time",
         "The share of a pass in the time of the run, estimated from the counts of both by a cost model that is "
         "fitted to a GPU's measurements. The rest is the time of launches and blocks, which belongs to no pass."},
    Term{"event",
         "A step of a warp that Next step goes to: a memory access, a branch, a shuffle or vote, a synchronization, "
         "and the first step of a pass. Arithmetic and copies between registers are passed over."},
    Term{"finding",
         "An error in the kernel: a race, an out-of-bounds access, a divergent barrier, a read of uninitialized "
         "memory."},
    Term{"global memory", "The device memory that all blocks and the host access."},
    Term{"grid", "All thread blocks of one launch."},
    Term{"instruction",
         "One instruction of one warp, executed by at least one lane. 32 threads that execute it together count "
         "once."},
    Term{"lane",
         "One of the 32 threads of a warp, numbered 0 to 31. All lanes of a warp execute the same instruction."},
    Term{"last writer", "The pass, the thread and the line that wrote the current value."},
    Term{"launch", "One execution of a kernel: <<<grid, block>>>."},
    Term{"local memory", "Memory private to a thread: arrays and values that do not fit into registers."},
    Term{"masked off",
         "The lane is inactive in this instruction: it is on another path of a branch, or its predicate is false."},
    Term{"never written", "The location is uninitialized: no store has reached it. A read returns an undefined value."},
    Term{"occupancy", "Resident warps of a multiprocessor divided by the most that it supports."},
    Term{"operation",
         "One lane combines two values that both depend on the input: an addition of a reduction, for example. "
         "Index arithmetic and copies do not count."},
    Term{"pass",
         "The code between two synchronizations that order memory accesses: barriers, shuffles or __syncwarp(). "
         "Pass 0 is the load."},
    Term{"race",
         "Two threads access the same word, at least one of them writes, and no synchronization orders the two "
         "accesses."},
    Term{"reference", "The expected result, computed sequentially on the CPU. The kernel's result must be equal."},
    Term{"register", "Private storage of a lane, where it keeps the values that it computes with."},
    Term{"remark",
         "Behavior that is not an error but may be unintended: a race in which all threads write the same value."},
    Term{"sector",
         "32 bytes of global memory, the smallest unit of a transfer. Lanes that access the same sector share one "
         "transfer."},
    Term{"shared memory", "Fast on-chip memory of a block, divided into 32 banks (16 on compute capability 1.x)."},
    Term{"shuffle", "__shfl_sync(): lanes of a warp read each other's registers without going through memory."},
    Term{"span",
         "The longest chain of dependent operations: the number of steps that remains with any number of "
         "processors."},
    Term{"step",
         "One execution of one instruction by one warp. The step buttons go from event to event; with Alt, and while "
         "Source shows PTX alone, from instruction to instruction."},
    Term{"useful lane",
         "The lane is active, and its result reaches an output: as data, as an address or through a condition. "
         "Efficiency is the share of useful lanes; useful threads are the threads of such lanes."},
    Term{"useful threads",
         "Threads that load, combine, store or pass on data in this pass as useful lanes, divided by the threads of "
         "the block."},
    Term{"warp", "32 threads of a block that execute the same instruction together."},
    Term{"wasted lane", "The lane is active, but its result reaches no output."},
    Term{"wavefront",
         "A part of a request that the shared memory pipeline processes at once: at most one word from each bank. An "
         "access without conflicts needs one wavefront; each further one costs time."},
    Term{"ways", "The degree of the worst bank conflict: a 2-way conflict takes twice as long."},
    Term{"work",
         "The operations that contribute to the outputs. A work-efficient algorithm needs no more of them, up to a "
         "constant factor, than a sequential one."},
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
    std::optional<TermInText> found;
    for (const Term& term : terms) {
        const std::size_t size = term.name.size();
        if (term.name == "work" || (found && size <= found->term->name.size())) continue;
        for (std::size_t begin = at + 1 > size + 2 ? at - size - 1 : 0; begin <= at && begin + size <= text.size();
             ++begin) {
            const std::string_view here = text.substr(begin, size);
            if (begin > 0 && is_identifier_character(text[begin - 1])) continue;
            if (!std::ranges::equal(here, term.name, {}, lower, lower)) continue;
            std::size_t past = begin + size;
            for (const std::string_view plural : {std::string_view("es"), std::string_view("s")}) {
                const std::size_t longer = past + plural.size();
                if (text.substr(past).starts_with(plural) &&
                    (longer == text.size() || !is_identifier_character(text[longer]))) {
                    past = longer;
                    break;
                }
            }
            if (at >= past || (past < text.size() && is_identifier_character(text[past]))) continue;
            found = TermInText{&term, begin, past};
        }
    }
    return found;
}

void show_meaning(const Look& look, const Term& term, std::string_view here) {
    if (docks_words())
        return keep_words(term.name, std::string(term.meaning) + (here.empty() ? "" : " ") + std::string(here));
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
    // Wraps as ImGui does.
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
    // Above the text, so that it does not cover the following lines.
    ImGui::SetNextWindowPos({x_of(begin), at.y - look.px(gap)}, ImGuiCond_Always, {0, 1});
    show_meaning(look, *found->term);
}

}  // namespace lanescope::ui
