#include "ui/commands.h"

#include "base/grouped.h"
#include "session/place_link.h"
#include "ui/shell.h"
#include "ui/value_history.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <vector>

namespace lanescope::ui {
namespace {

constexpr ImGuiKeyChord ctrl = ImGuiMod_Ctrl, shift = ImGuiMod_Shift, alt = ImGuiMod_Alt;

bool runs(const Shell& shell) { return shell.workspace().shown() != nullptr; }

template <Unit unit>
void forward(Shell& shell) {
    shell.workspace().forward(unit);
}
template <Unit unit>
void back(Shell& shell) {
    shell.workspace().back(unit);
}

void step_forward(Shell& shell) { shell.workspace().forward(shell.workspace().step_unit()); }
void step_back(Shell& shell) { shell.workspace().back(shell.workspace().step_unit()); }

template <analysis::Notable what, bool forwards>
void seek_notable(Shell& shell) {
    if (shell.workspace().seek_notable(what, forwards)) return;
    shell.notice().say(std::string(forwards ? "No later " : "No earlier ") +
                       (what == analysis::Notable::conflict ? "bank conflict" : "divergent branch") +
                       " in this block.");
}

template <bool forwards>
void seek_finding(Shell& shell) {
    if (shell.workspace().seek_next_finding(forwards)) return;
    shell.notice().say(forwards ? "No later finding in the recorded blocks."
                                : "No earlier finding in the recorded blocks.");
}

template <bool forwards>
void seek_breakpoint(Shell& shell) {
    Workspace& workspace = shell.workspace();
    if (workspace.seek_breakpoint(forwards)) return;
    shell.notice().say(workspace.breakpoints().kept().empty()
                           ? "There is no breakpoint. Click a line number in Source to set one."
                       : forwards ? "No later breakpoint is reached in the recorded blocks that stepping enters."
                                  : "No earlier breakpoint is reached in the recorded blocks that stepping enters.");
}

void open_history(Shell& shell) {
    const auto opened = shell.value_history().open(shell.workspace());
    if (!opened) shell.notice().say(opened.error().message());
}

/// Adds a choice for every kernel of the catalog; `act` receives the kernel's name.
void add_catalog(std::vector<Choice>& choices, void (*act)(Shell&, const std::string&)) {
    for (const session::Program& program : session::catalog()) {
        choices.push_back(
            {.name = program.name, .detail = program.lesson.title, .checked = {}, .act = [act, &program](Shell& each) {
                 act(each, program.name);
             }});
    }
}

/// Adds a choice for every recent file; `act` receives the path.
void add_recent(std::vector<Choice>& choices, const Shell& shell, void (*act)(Shell&, const std::string&)) {
    for (const std::string& path : shell.workspace().settings.recent) {
        choices.push_back({.name = path.substr(path.find_last_of('/') + 1),
                           .detail = path,
                           .checked = {},
                           .act = [act, path](Shell& each) { act(each, path); }});
    }
}

void open_program(Shell& shell, const std::string& program) { shell.workspace().open(program); }

std::vector<Choice> recent_files(const Shell& shell) {
    std::vector<Choice> choices;
    add_recent(choices, shell, open_program);
    return choices;
}

std::vector<Choice> catalog_kernels(const Shell&) {
    std::vector<Choice> choices;
    add_catalog(choices, open_program);
    return choices;
}

std::vector<Choice> panel_switches(const Shell& shell) {
    std::vector<Choice> choices;
    for (const std::unique_ptr<Panel>& panel : shell.panels()) {
        const std::string title = panel->title();
        choices.push_back({.name = title, .detail = {}, .checked = panel->open, .act = [title](Shell& each) {
                               each.toggle_panel(title);
                           }});
    }
    return choices;
}

std::vector<Choice> panel_fronts(const Shell& shell) {
    std::vector<Choice> choices;
    for (const std::unique_ptr<Panel>& panel : shell.panels()) {
        const std::string title = panel->title();
        choices.push_back(
            {.name = title, .detail = {}, .checked = {}, .act = [title](Shell& each) { each.bring_up(title); }});
    }
    return choices;
}

bool lectures(const Shell& shell) { return shell.presentation().running(); }
bool steps(const Shell& shell) { return lectures(shell) || runs(shell); }
bool has_step(const Shell& shell) { return shell.presentation().current() != nullptr; }

std::vector<Choice> shipped_lectures(const Shell&) {
    std::vector<Choice> choices;
    for (const session::Lecture& lecture : session::shipped_lectures()) {
        choices.push_back({.name = lecture.title, .detail = {}, .checked = {}, .act = [&lecture](Shell& shell) {
                               shell.open_lecture(lecture.name);
                           }});
    }
    choices.push_back({.name = "A file...", .detail = {}, .checked = {}, .act = [](Shell& shell) {
                           shell.choose_file(FileDialog::Chooses::lecture);
                       }});
    return choices;
}

std::vector<Choice> lecture_steps(const Shell& shell) {
    std::vector<Choice> choices;
    if (!lectures(shell)) return choices;
    const std::vector<session::LectureStep>& steps = shell.presentation().lecture().steps;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        const bool here = at == shell.presentation().step();
        choices.push_back({.name = std::to_string(at + 1) + "  " + steps[at].heading,
                           .detail = {},
                           .checked = here ? std::optional(true) : std::nullopt,
                           .act = [at](Shell& each) { each.presentation().go(each, at); }});
    }
    return choices;
}

/// The program of a bookmark, and what distinguishes it from others of the program.
std::string detail_of(const CaptionedPlace& place) {
    const auto link = session::read_link(place.link);
    if (!link) return {};
    const std::string& program = link->launch[Field::program];
    return fmt::format("{}, step {}", program.substr(program.find_last_of('/') + 1), grouped(link->place.position));
}

std::vector<Choice> bookmarks(const Shell& shell) {
    std::vector<Choice> choices;
    for (const CaptionedPlace& place : shell.bookmarks().all())
        choices.push_back(
            {.name = place.caption, .detail = detail_of(place), .checked = {}, .act = [link = place.link](Shell& each) {
                 each.open_link(link);
             }});
    return choices;
}

std::vector<Choice> bookmarks_to_delete(const Shell& shell) {
    std::vector<Choice> choices = bookmarks(shell);
    for (std::size_t at = 0; at < choices.size(); ++at)
        choices[at].act = [link = shell.bookmarks().all()[at].link](Shell& each) {
            if (const auto removed = each.bookmarks().remove(link); !removed)
                each.notice().say(removed.error().message(), true);
        };
    return choices;
}

bool compares(const Shell& shell) { return shell.comparing().running(); }
/// Whether the launch can be compared with another one: it has run, and can run again.
bool is_comparable(const Shell& shell) { return runs(shell) && !shell.workspace().of_trace(); }

/// Compares with the launch that is shown with one field changed, as B.
void compare_with_field(Shell& shell, Field field, std::string text) {
    LaunchValues values = shell.workspace().form().ran();
    values[field] = std::move(text);
    shell.compare_with(std::move(values));
}

/// Compares with the same launch of another program.
void compare_with_program(Shell& shell, const std::string& program) {
    LaunchForm form(shell.workspace().form().ran());
    (void)form.set_program(program);
    shell.compare_with(form.values());
}

/// Adds the same launch of another program to the comparison.
void add_program_to_comparison(Shell& shell, const std::string& program) {
    LaunchForm form(shell.workspace().form().ran());
    (void)form.set_program(program);
    shell.add_to_comparison(form.values());
}

bool can_add_to_comparison(const Shell& shell) { return is_comparable(shell) && shell.comparing().can_add(); }

std::vector<Choice> kernels_to_add(const Shell& shell) {
    std::vector<Choice> choices;
    if (!can_add_to_comparison(shell)) return choices;
    add_catalog(choices, add_program_to_comparison);
    add_recent(choices, shell, add_program_to_comparison);
    return choices;
}

std::vector<Choice> kernels_to_compare(const Shell& shell) {
    std::vector<Choice> choices;
    if (!runs(shell)) return choices;
    add_catalog(choices, compare_with_program);
    return choices;
}

std::vector<Choice> files_to_compare(const Shell& shell) {
    std::vector<Choice> choices;
    if (!runs(shell)) return choices;
    add_recent(choices, shell, compare_with_program);
    return choices;
}

template <Arrangement arrangement>
void arrange(Shell& shell) {
    shell.arrange(arrangement);
}
template <Arrangement arrangement>
bool arranged(const Shell& shell) {
    return shell.arrangement() == arrangement;
}

constexpr std::array table = {
    Command{.name = "Open file...",
            .menu = "File",
            .key = {ctrl | ImGuiKey_O, 0, "Ctrl + O"},
            .act = [](Shell& shell) { shell.choose_file(FileDialog::Chooses::file); }},
    Command{.name = "Open folder...",
            .menu = "File",
            .key = {ctrl | shift | ImGuiKey_O, 0, "Ctrl + Shift + O"},
            .act = [](Shell& shell) { shell.choose_file(FileDialog::Chooses::folder); }},
    Command{.name = "Open recent", .menu = "File", .choices = recent_files, .verb = "Open"},
    Command{.name = "Open kernel", .menu = "File", .choices = catalog_kernels, .verb = "Open"},
    Command{.name = "Open lecture", .menu = "File", .choices = shipped_lectures, .verb = "Open lecture"},
    Command{.name = "Run again",
            .menu = "File",
            .key = {ctrl | ImGuiKey_R, 0, "Ctrl + R"},
            .other_key = {ImGuiKey_F5, 0, "F5"},
            .act = [](Shell& shell) { shell.workspace().reload(); }},
    Command{.name = "Save picture...",
            .menu = "File",
            .key = {ctrl | ImGuiKey_S, 0, "Ctrl + S"},
            .ruled = true,
            .act = [](Shell& shell) { shell.export_picture(); },
            .possible = runs},
    Command{.name = "Copy source",
            .menu = "File",
            .key = {ctrl | ImGuiKey_C, 0, "Ctrl + C"},
            .act = [](Shell& shell) { shell.copy_source(); }},
    Command{.name = "Copy picture",
            .menu = "File",
            .key = {ctrl | alt | ImGuiKey_C, 0, "Ctrl + Alt + C"},
            .act = [](Shell& shell) { shell.copy_picture(); },
            .possible = runs},
    Command{.name = "Copy link",
            .menu = "File",
            .key = {ctrl | shift | ImGuiKey_C, 0, "Ctrl + Shift + C"},
            .act = [](Shell& shell) { shell.copy_link(); },
            .possible = runs},
    Command{.name = "Close window",
            .menu = "File",
            .key = {ctrl | ImGuiKey_Q, 0, "Ctrl + Q"},
            .ruled = true,
            .act = [](Shell& shell) { shell.close_window(); }},

    Command{
        .name = "Undo",
        .menu = "Launch",
        .key = {ctrl | ImGuiKey_Z, 0, "Ctrl + Z"},
        .repeats = true,
        .act =
            [](Shell& shell) {
                if (shell.workspace().form().can_undo()) return shell.workspace().undo();
                shell.tour().end(shell);
            },
        .possible =
            [](const Shell& shell) { return shell.workspace().form().can_undo() || shell.workspace().has_aside(); }},
    Command{.name = "Redo",
            .menu = "Launch",
            .key = {ctrl | ImGuiKey_Y, 0, "Ctrl + Y"},
            .other_key = {ctrl | shift | ImGuiKey_Z, 0, "Ctrl + Shift + Z"},
            .repeats = true,
            .act = [](Shell& shell) { shell.workspace().redo(); },
            .possible = [](const Shell& shell) { return shell.workspace().form().can_redo(); }},
    Command{
        .name = "Reset launch",
        .menu = "Launch",
        .key = {ctrl | alt | ImGuiKey_R, 0, "Ctrl + Alt + R"},
        .act = [](Shell& shell) { shell.workspace().reset_launch(); },
        .possible =
            [](const Shell& shell) { return !shell.workspace().of_trace() && shell.workspace().form().can_reset(); }},
    Command{.name = "Run anyway",
            .menu = "Launch",
            .key = {ctrl | ImGuiKey_Enter, 0, "Ctrl + Enter"},
            .act = [](Shell& shell) { shell.workspace().run_anyway(); },
            .possible = [](const Shell& shell) { return shell.workspace().form().can_run_anyway(); }},
    Command{.name = "16 banks (compute capability 1.x)",
            .menu = "Launch",
            .key = {ctrl | ImGuiKey_B, 0, "Ctrl + B"},
            .act =
                [](Shell& shell) {
                    const bool few = shell.workspace().form().has_half_warp_banks();
                    shell.workspace().set_field(Field::banks, LaunchForm::banks_text(!few));
                },
            .checked = [](const Shell& shell) { return shell.workspace().form().has_half_warp_banks(); }},
    Command{.name = "Cancel run",
            .menu = "Launch",
            .key = {ctrl | ImGuiKey_Period, 0, "Ctrl + ."},
            .ruled = true,
            .act = [](Shell& shell) { shell.workspace().cancel(); },
            .possible = [](const Shell& shell) { return shell.workspace().busy(); }},
    Command{.name = "Verify on this GPU",
            .menu = "Launch",
            .key = {ctrl | ImGuiKey_G, 0, "Ctrl + G"},
            .ruled = true,
            .act = [](Shell& shell) { shell.check_on_gpu(); },
            .possible =
                [](const Shell& shell) {
                    return shell.workspace().can_check() && !shell.workspace().gpu_check().running();
                }},

    Command{.name = "Compare with kernel", .menu = "Compare", .choices = kernels_to_compare, .verb = "Compare with"},
    Command{.name = "Compare with recent file", .menu = "Compare", .choices = files_to_compare, .verb = "Compare with"},
    Command{.name = "Keep this launch as B",
            .menu = "Compare",
            .key = {ctrl | ImGuiKey_D, 0, "Ctrl + D"},
            .ruled = true,
            .act = [](Shell& shell) { shell.compare_with(shell.workspace().form().ran()); },
            .possible = is_comparable},
    Command{.name = "Compare as written with as compiled",
            .menu = "Compare",
            .key = {ctrl | alt | ImGuiKey_V, 0, "Ctrl + Alt + V"},
            .act =
                [](Shell& shell) {
                    const bool written = shell.workspace().shown()->trace().origin.view == trace::View::written;
                    const trace::View other = written ? trace::View::compiled : trace::View::written;
                    compare_with_field(shell, Field::view, session::name_of(other));
                },
            .possible = is_comparable},
    Command{.name = "Compare 16 with 32 banks",
            .menu = "Compare",
            .key = {ctrl | shift | ImGuiKey_B, 0, "Ctrl + Shift + B"},
            .act =
                [](Shell& shell) {
                    const bool few = shell.workspace().form().has_half_warp_banks();
                    compare_with_field(shell, Field::banks, LaunchForm::banks_text(!few));
                },
            .possible = is_comparable},
    Command{.name = "Add kernel to the comparison",
            .menu = "Compare",
            .ruled = true,
            .choices = kernels_to_add,
            .verb = "Add to the comparison"},
    Command{.name = "Add this launch to the comparison",
            .menu = "Compare",
            .key = {ctrl | alt | ImGuiKey_A, 0, "Ctrl + Alt + A"},
            .act = [](Shell& shell) { shell.add_to_comparison(shell.workspace().form().ran()); },
            .possible = can_add_to_comparison},
    Command{.name = "Close B, and compare with the others",
            .menu = "Compare",
            .key = {ctrl | alt | ImGuiKey_B, 0, "Ctrl + Alt + B"},
            .act = [](Shell& shell) { shell.close_first_compared(); },
            .possible = [](const Shell& shell) { return shell.comparing().others() > 1; }},
    Command{.name = "Swap A and B",
            .menu = "Compare",
            .key = {ctrl | shift | ImGuiKey_D, 0, "Ctrl + Shift + D"},
            .ruled = true,
            .act = [](Shell& shell) { shell.swap_compared(); },
            .possible = compares},
    Command{.name = "Link zoom of A and B",
            .menu = "Compare",
            .key = {ctrl | alt | ImGuiKey_L, 0, "Ctrl + Alt + L"},
            .act = [](Shell& shell) { shell.comparing().link_zoom = !shell.comparing().link_zoom; },
            .possible = compares,
            .checked = [](const Shell& shell) { return shell.comparing().link_zoom; }},
    Command{.name = "End comparison",
            .menu = "Compare",
            .key = {ctrl | alt | ImGuiKey_D, 0, "Ctrl + Alt + D"},
            .act = [](Shell& shell) { shell.end_comparing(); },
            .possible = compares},

    Command{.name = "Next lecture step or pass",
            .menu = "Lecture",
            .key = {ImGuiKey_PageDown, 0, "Page Down"},
            .act =
                [](Shell& shell) {
                    if (lectures(shell)) return shell.presentation().next(shell);
                    forward<Unit::pass>(shell);
                },
            .possible = steps},
    Command{.name = "Previous lecture step or pass",
            .menu = "Lecture",
            .key = {ImGuiKey_PageUp, 0, "Page Up"},
            .act =
                [](Shell& shell) {
                    if (lectures(shell)) return shell.presentation().back(shell);
                    back<Unit::pass>(shell);
                },
            .possible = steps},
    Command{.name = "Go to lecture step", .menu = "Lecture", .choices = lecture_steps, .verb = "Go to step"},
    Command{.name = "Reveal answer",
            .menu = "Lecture",
            .key = {ImGuiKey_R, 0, "R"},
            .act = [](Shell& shell) { shell.presentation().reveal(); },
            .possible = [](const Shell& shell) { return shell.presentation().waits(); }},
    Command{.name = "Black screen",
            .menu = "Lecture",
            .key = {ImGuiKey_B, 0, "B"},
            .other_key = {0, '.', "."},
            .ruled = true,
            .act = [](Shell& shell) { shell.presentation().black = !shell.presentation().black; },
            .checked = [](const Shell& shell) { return shell.presentation().black; }},
    Command{.name = "Pointer",
            .menu = "Lecture",
            .key = {ImGuiKey_L, 0, "L"},
            .act = [](Shell& shell) { shell.presentation().pointer = !shell.presentation().pointer; },
            .checked = [](const Shell& shell) { return shell.presentation().pointer; }},
    Command{.name = "Speaker's notes",
            .menu = "Lecture",
            .key = {ImGuiKey_N, 0, "N"},
            .act = [](Shell& shell) { shell.presentation().notes = !shell.presentation().notes; },
            .possible = lectures,
            .checked = [](const Shell& shell) { return shell.presentation().notes; }},
    Command{.name = "Add this place as a step",
            .menu = "Lecture",
            .key = {ctrl | shift | ImGuiKey_A, 0, "Ctrl + Shift + A"},
            .ruled = true,
            .act = [](Shell& shell) { shell.presentation().add_place(shell); },
            .possible = [](const Shell& shell) { return runs(shell) && !shell.workspace().of_trace(); }},
    Command{.name = "Edit caption",
            .menu = "Lecture",
            .key = {ctrl | ImGuiKey_E, 0, "Ctrl + E"},
            .act =
                [](Shell& shell) {
                    shell.presentation().editing = true;
                    shell.bring_up("Lecture");
                },
            .possible = has_step},
    Command{.name = "Move step up",
            .menu = "Lecture",
            .key = {ctrl | shift | ImGuiKey_UpArrow, 0, "Ctrl + Shift + Up"},
            .act = [](Shell& shell) { shell.presentation().move_step(shell, false); },
            .possible = has_step},
    Command{.name = "Move step down",
            .menu = "Lecture",
            .key = {ctrl | shift | ImGuiKey_DownArrow, 0, "Ctrl + Shift + Down"},
            .act = [](Shell& shell) { shell.presentation().move_step(shell, true); },
            .possible = has_step},
    Command{.name = "Delete step",
            .menu = "Lecture",
            .key = {ctrl | shift | ImGuiKey_Delete, 0, "Ctrl + Shift + Delete"},
            .act = [](Shell& shell) { shell.presentation().remove_step(shell); },
            .possible = has_step},
    Command{.name = "Undo edit of the lecture",
            .menu = "Lecture",
            .key = {ctrl | alt | ImGuiKey_Z, 0, "Ctrl + Alt + Z"},
            .act = [](Shell& shell) { shell.presentation().undo_edit(shell); },
            .possible = [](const Shell& shell) { return shell.presentation().can_undo(); }},
    Command{.name = "Save lecture",
            .menu = "Lecture",
            .key = {ctrl | shift | ImGuiKey_S, 0, "Ctrl + Shift + S"},
            .act = [](Shell& shell) { shell.presentation().save(shell); },
            .possible = lectures},
    Command{.name = "Close lecture",
            .menu = "Lecture",
            .key = {ctrl | ImGuiKey_W, 0, "Ctrl + W"},
            .ruled = true,
            .act =
                [](Shell& shell) {
                    if (shell.presentation().may_close(shell)) shell.presentation().close();
                },
            .possible = lectures},

    Command{.name = "Play or pause",
            .menu = "Go",
            .key = {ImGuiKey_Space, 0, "Space"},
            .act = [](Shell& shell) { shell.workspace().play(!shell.workspace().playing()); },
            .possible = runs},
    Command{.name = "Next step",
            .menu = "Go",
            .key = {ImGuiKey_RightArrow, 0, "Right"},
            .repeats = true,
            .ruled = true,
            .act = step_forward,
            .possible = runs},
    Command{.name = "Previous step",
            .menu = "Go",
            .key = {ImGuiKey_LeftArrow, 0, "Left"},
            .repeats = true,
            .act = step_back,
            .possible = runs},
    Command{.name = "Next instruction",
            .menu = "Go",
            .key = {alt | ImGuiKey_RightArrow, 0, "Alt + Right"},
            .repeats = true,
            .act = forward<Unit::instruction>,
            .possible = runs},
    Command{.name = "Previous instruction",
            .menu = "Go",
            .key = {alt | ImGuiKey_LeftArrow, 0, "Alt + Left"},
            .repeats = true,
            .act = back<Unit::instruction>,
            .possible = runs},
    Command{.name = "Next line",
            .menu = "Go",
            .key = {ctrl | ImGuiKey_RightArrow, 0, "Ctrl + Right"},
            .repeats = true,
            .act = forward<Unit::line>,
            .possible = runs},
    Command{.name = "Previous line",
            .menu = "Go",
            .key = {ctrl | ImGuiKey_LeftArrow, 0, "Ctrl + Left"},
            .repeats = true,
            .act = back<Unit::line>,
            .possible = runs},
    Command{.name = "Next pass",
            .menu = "Go",
            .key = {shift | ImGuiKey_RightArrow, 0, "Shift + Right"},
            .repeats = true,
            .act = forward<Unit::pass>,
            .possible = runs},
    Command{.name = "Previous pass",
            .menu = "Go",
            .key = {shift | ImGuiKey_LeftArrow, 0, "Shift + Left"},
            .repeats = true,
            .act = back<Unit::pass>,
            .possible = runs},
    Command{.name = "Next bank conflict",
            .menu = "Go",
            .key = {ImGuiKey_C, 0, "C"},
            .ruled = true,
            .act = seek_notable<analysis::Notable::conflict, true>,
            .possible = runs},
    Command{.name = "Previous bank conflict",
            .menu = "Go",
            .key = {shift | ImGuiKey_C, 0, "Shift + C"},
            .act = seek_notable<analysis::Notable::conflict, false>,
            .possible = runs},
    Command{.name = "Next divergent branch",
            .menu = "Go",
            .key = {ImGuiKey_D, 0, "D"},
            .act = seek_notable<analysis::Notable::divergent_branch, true>,
            .possible = runs},
    Command{.name = "Previous divergent branch",
            .menu = "Go",
            .key = {shift | ImGuiKey_D, 0, "Shift + D"},
            .act = seek_notable<analysis::Notable::divergent_branch, false>,
            .possible = runs},
    Command{
        .name = "Next finding", .menu = "Go", .key = {ImGuiKey_E, 0, "E"}, .act = seek_finding<true>, .possible = runs},
    Command{.name = "Previous finding",
            .menu = "Go",
            .key = {shift | ImGuiKey_E, 0, "Shift + E"},
            .act = seek_finding<false>,
            .possible = runs},
    Command{.name = "Next breakpoint",
            .menu = "Go",
            .key = {ImGuiKey_K, 0, "K"},
            .act = seek_breakpoint<true>,
            .possible = runs},
    Command{.name = "Previous breakpoint",
            .menu = "Go",
            .key = {shift | ImGuiKey_K, 0, "Shift + K"},
            .act = seek_breakpoint<false>,
            .possible = runs},
    Command{.name = "Delete all breakpoints",
            .menu = "Go",
            .key = {ctrl | shift | ImGuiKey_K, 0, "Ctrl + Shift + K"},
            .act = [](Shell& shell) { shell.workspace().delete_breakpoints(); },
            .possible = [](const Shell& shell) { return !shell.workspace().breakpoints().kept().empty(); }},
    Command{.name = "Go to start",
            .menu = "Go",
            .key = {ImGuiKey_Home, 0, "Home"},
            .ruled = true,
            .act = [](Shell& shell) { shell.workspace().home(); },
            .possible = runs},
    Command{.name = "Go to end",
            .menu = "Go",
            .key = {ImGuiKey_End, 0, "End"},
            .act = [](Shell& shell) { shell.workspace().finish(); },
            .possible = runs},
    Command{.name = "History of the selected cell",
            .menu = "Go",
            .key = {ImGuiKey_H, 0, "H"},
            .ruled = true,
            .act = open_history,
            .possible = [](const Shell& shell) { return shell.workspace().selection().has_value(); }},
    Command{.name = "Bookmark this place...",
            .menu = "Go",
            .key = {ctrl | ImGuiKey_M, 0, "Ctrl + M"},
            .act = [](Shell& shell) { shell.bookmarks().ask(shell.workspace()); },
            .possible = runs},
    Command{.name = "Bookmarks", .menu = "Go", .choices = bookmarks, .verb = "Go to bookmark"},
    Command{.name = "Delete bookmark", .menu = "Go", .choices = bookmarks_to_delete, .verb = "Delete bookmark"},
    Command{.name = "Find in Source",
            .menu = "Go",
            .key = {ctrl | ImGuiKey_F, 0, "Ctrl + F"},
            .act = [](Shell& shell) { shell.find_in_source(); },
            .possible = [](const Shell& shell) { return runs(shell) && shell.workspace().refused_source().empty(); }},
    Command{.name = "Faster",
            .menu = "Go",
            .key = {0, '+', "+"},
            .repeats = true,
            .ruled = true,
            .act = [](Shell& shell) { shell.workspace().faster(1); }},
    Command{.name = "Slower",
            .menu = "Go",
            .key = {0, '-', "-"},
            .repeats = true,
            .act = [](Shell& shell) { shell.workspace().faster(-1); }},

    Command{.name = "Go to panel", .menu = "View", .choices = panel_fronts, .verb = "Go to"},
    Command{.name = "Panels", .menu = "View", .choices = panel_switches, .verb = "Show or hide"},
    Command{.name = "Lecture layout",
            .menu = "View",
            .key = {ctrl | ImGuiKey_1, 0, "Ctrl + 1"},
            .act = arrange<Arrangement::lecture>,
            .checked = arranged<Arrangement::lecture>},
    Command{.name = "Study layout",
            .menu = "View",
            .key = {ctrl | ImGuiKey_2, 0, "Ctrl + 2"},
            .act = arrange<Arrangement::study>,
            .checked = arranged<Arrangement::study>},
    Command{.name = "Compare layout",
            .menu = "View",
            .key = {ctrl | ImGuiKey_3, 0, "Ctrl + 3"},
            .act = arrange<Arrangement::compare>,
            .checked = arranged<Arrangement::compare>},
    Command{.name = "Maximize panel",
            .menu = "View",
            .key = {ImGuiKey_F, 0, "F"},
            .ruled = true,
            .act = [](Shell& shell) { shell.toggle_alone(); },
            .checked = [](const Shell& shell) { return shell.alone() != nullptr; }},
    Command{.name = "Full screen",
            .menu = "View",
            .key = {ImGuiKey_F11, 0, "F11"},
            .act = [](Shell& shell) { shell.toggle_full_screen(); },
            .checked = [](const Shell& shell) { return shell.full_screen(); }},
    Command{.name = "Presenter mode (twice as large)",
            .menu = "View",
            .key = {ImGuiKey_P, 0, "P"},
            .act = [](Shell& shell) { shell.toggle_presenter(); },
            .checked = [](const Shell& shell) { return shell.presenter(); }},
    Command{.name = "Fit picture",
            .menu = "View",
            .key = {ImGuiKey_0, 0, "0"},
            .ruled = true,
            .act = [](Shell& shell) { shell.fit_picture(true); },
            .possible = runs},
    Command{.name = "Fit picture width",
            .menu = "View",
            .key = {ImGuiKey_9, 0, "9"},
            .act = [](Shell& shell) { shell.fit_picture(false); },
            .possible = runs},
    Command{.name = "Zoom picture in",
            .menu = "View",
            .key = {alt | ImGuiKey_Equal, 0, "Alt + +"},
            .other_key = {alt | ImGuiKey_KeypadAdd, 0, ""},
            .repeats = true,
            .act = [](Shell& shell) { shell.zoom_picture(1); },
            .possible = runs},
    Command{.name = "Zoom picture out",
            .menu = "View",
            .key = {alt | ImGuiKey_Minus, 0, "Alt + -"},
            .other_key = {alt | ImGuiKey_KeypadSubtract, 0, ""},
            .repeats = true,
            .act = [](Shell& shell) { shell.zoom_picture(-1); },
            .possible = runs},
    Command{.name = "Move picture left",
            .menu = "View",
            .key = {alt | shift | ImGuiKey_LeftArrow, 0, "Alt + Shift + Left"},
            .repeats = true,
            .act = [](Shell& shell) { shell.move_picture(-1, 0); },
            .possible = runs},
    Command{.name = "Move picture right",
            .menu = "View",
            .key = {alt | shift | ImGuiKey_RightArrow, 0, "Alt + Shift + Right"},
            .repeats = true,
            .act = [](Shell& shell) { shell.move_picture(1, 0); },
            .possible = runs},
    Command{.name = "Move picture up",
            .menu = "View",
            .key = {alt | shift | ImGuiKey_UpArrow, 0, "Alt + Shift + Up"},
            .repeats = true,
            .act = [](Shell& shell) { shell.move_picture(0, -1); },
            .possible = runs},
    Command{.name = "Move picture down",
            .menu = "View",
            .key = {alt | shift | ImGuiKey_DownArrow, 0, "Alt + Shift + Down"},
            .repeats = true,
            .act = [](Shell& shell) { shell.move_picture(0, 1); },
            .possible = runs},
    Command{.name = "Clear selection",
            .menu = "View",
            .key = {ImGuiKey_Escape, 0, "Escape"},
            .act = [](Shell& shell) { shell.escape(); }},
    Command{.name = "Animate steps",
            .menu = "View",
            .key = {ImGuiKey_M, 0, "M"},
            .ruled = true,
            .act = [](Shell& shell) { shell.workspace().settings.motion = !shell.workspace().settings.motion; },
            .checked = [](const Shell& shell) { return shell.workspace().settings.motion; }},
    Command{.name = "Switch theme",
            .menu = "View",
            .key = {ctrl | ImGuiKey_T, 0, "Ctrl + T"},
            .ruled = true,
            .act = [](Shell& shell) { shell.toggle_theme(); }},
    Command{.name = "Zoom in",
            .menu = "View",
            .key = {ctrl | ImGuiKey_Equal, 0, "Ctrl + +"},
            .other_key = {ctrl | ImGuiKey_KeypadAdd, 0, ""},
            .third_key = {ctrl | shift | ImGuiKey_Equal, 0, ""},
            .repeats = true,
            .act = [](Shell& shell) { shell.zoom_interface(1); }},
    Command{.name = "Zoom out",
            .menu = "View",
            .key = {ctrl | ImGuiKey_Minus, 0, "Ctrl + -"},
            .other_key = {ctrl | ImGuiKey_KeypadSubtract, 0, ""},
            .repeats = true,
            .act = [](Shell& shell) { shell.zoom_interface(-1); }},
    Command{.name = "Reset zoom",
            .menu = "View",
            .key = {ctrl | ImGuiKey_0, 0, "Ctrl + 0"},
            .act = [](Shell& shell) { shell.zoom_interface(0); }},

    Command{.name = "One-minute tour",
            .menu = "Help",
            .key = {ImGuiKey_F2, 0, "F2"},
            .act = [](Shell& shell) { shell.tour().begin(shell); }},
    Command{.name = "Search commands",
            .menu = "Help",
            .key = {ctrl | ImGuiKey_K, 0, "Ctrl + K"},
            .act = [](Shell& shell) { shell.search({}); }},
    Command{.name = "Open the menu",
            .menu = "Help",
            .key = {ImGuiKey_F10, 0, "F10"},
            .act = [](Shell& shell) { shell.open_menu(); },
            .possible = [](const Shell& shell) { return shell.alone() == nullptr; }},
    Command{.name = "Keyboard shortcuts",
            .menu = "Help",
            .key = {0, '?', "?"},
            .other_key = {ImGuiKey_F1, 0, "F1"},
            .act = [](Shell& shell) { shell.toggle_help(); },
            .checked = [](const Shell& shell) { return shell.help_open(); }},
};

bool pressed(const Key& key, bool repeats) {
    if (key.character != 0) {
        const ImGuiIO& io = ImGui::GetIO();
        return !io.KeyCtrl && io.InputQueueCharacters.contains(key.character);
    }
    if (key.chord == 0) return false;
    // Not ImGui::Shortcut(), which depends on the focus: these keys work in the whole window.
    const auto only = static_cast<ImGuiKey>(key.chord & ~ImGuiMod_Mask_);
    return ImGui::GetIO().KeyMods == (key.chord & ImGuiMod_Mask_) && ImGui::IsKeyPressed(only, repeats);
}

/// Keys that ImGui's keyboard navigation takes once Tab has started it.
bool walks(const Key& key) {
    if ((key.chord & ImGuiMod_Mask_) != 0) return false;
    switch (key.chord) {
        case ImGuiKey_Space:
        case ImGuiKey_LeftArrow:
        case ImGuiKey_RightArrow:
        case ImGuiKey_PageUp:
        case ImGuiKey_PageDown:
        case ImGuiKey_Home:
        case ImGuiKey_End: return true;
        default: return false;
    }
}

bool is_modifier(ImGuiKey key) {
    return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

/// The first release of a modifier after the press of another key; the queue's size where there is none.
int end_of_chord(const ImVector<ImGuiInputEvent>& queue) {
    bool pressed = false;
    for (int at = 0; at < queue.Size; ++at) {
        const ImGuiInputEvent& event = queue[at];
        if (event.Type != ImGuiInputEventType_Key) continue;
        if (event.Key.Down) {
            pressed = pressed || !is_modifier(event.Key.Key);
        } else if (pressed && is_modifier(event.Key.Key)) {
            return at;
        }
    }
    return queue.Size;
}

}  // namespace

std::span<const Command> commands() { return table; }

const Command& command(std::string_view name) {
    const auto found = std::ranges::find(table, name, &Command::name);
    assert(found != table.end());
    return *found;
}

bool possible(const Command& command, const Shell& shell) {
    return command.possible == nullptr || command.possible(shell);
}

void act_on_keys(Shell& shell) {
    if (ImGui::GetIO().WantTextInput || shell.finding()) return;
    // An open list or menu takes the keys; Escape closes it.
    if (shell.popup_takes_keys()) {
        const bool open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
        if (open && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) shell.escape();
        return;
    }
    for (const Command& command : table) {
        const auto wanted = [&](const Key& key) {
            return !(shell.walking() && walks(key)) && pressed(key, command.repeats);
        };
        if ((wanted(command.key) || wanted(command.other_key) || wanted(command.third_key)) && possible(command, shell))
            command.act(shell);
    }
}

void begin_frame_by_chords() {
    ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    const int end = end_of_chord(queue);
    const std::vector<ImGuiInputEvent> later(queue.begin() + end, queue.end());
    queue.resize(end);
    ImGui::NewFrame();
    for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

}  // namespace lanescope::ui
