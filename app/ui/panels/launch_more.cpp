#include "ui/panels/launch_more.h"

#include "base/grouped.h"
#include "base/number_type.h"
#include "execute/emulator/emulator.h"
#include "host/sandbox.h"
#include "model/device_limits.h"
#include "session/element_types.h"
#include "trace/file.h"
#include "ui/glossary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float form_width = 430, label_width = 120;

const compile::KernelDeclaration* declaration(const session::Run& run) {
    const auto& kernels = run.program.source.scan.kernels;
    const auto found = std::ranges::find(kernels, run.kernel, &compile::KernelDeclaration::name);
    return found == kernels.end() ? nullptr : &*found;
}

/// Whether the program is a source of the user's own.
bool compiles(const Workspace& workspace) {
    const std::string file = workspace.file();
    return !file.empty() && !file.ends_with(".ptx") && !trace::is_trace_file(file);
}

/// The differences from the default, for the button: "float, 16 banks".
std::string unusual(const Workspace& workspace) {
    std::vector<std::string> words;
    const LaunchForm& form = workspace.form();
    if (!form.values()[Field::type].empty()) words.push_back("<" + form.values()[Field::type] + ">");
    if (form.has_half_warp_banks()) words.push_back(form.shown(Field::banks) + ' ' + noun(2, "bank"));
    for (const Field field : {Field::multiprocessors, Field::resident, Field::order, Field::schedule}) {
        if (const std::string& text = form.values()[field]; !text.empty())
            words.push_back(field == Field::multiprocessors ? text + " SMs"
                            : field == Field::resident      ? text + ' ' + noun(text == "1" ? 1 : 2, "block") + " each"
                                                            : text);
    }
    if (form.values().sanitize) words.emplace_back("AddressSanitizer");
    if (!form.values()[Field::compiler].empty()) words.emplace_back("compiler options");
    return fmt::format("{}", fmt::join(words, ", "));
}

/// The first problem of the form's fields.
std::optional<Problem> hidden_problem(const Workspace& workspace) {
    const LaunchForm& form = workspace.form();
    for (const Field field :
         {Field::type, Field::banks, Field::shared, Field::multiprocessors, Field::resident, Field::order,
          Field::schedule, Field::command_line, Field::standard_input, Field::function, Field::working_folder,
          Field::time_limit, Field::max_instructions, Field::record_launch, Field::compiler}) {
        if (form.problem(field)) return form.problem(field);
    }
    if (workspace.shown() == nullptr) return std::nullopt;
    for (const session::ArgumentPlan& argument : workspace.shown()->run->arguments) {
        if (form.argument_problem(argument.parameter)) return form.argument_problem(argument.parameter);
    }
    return std::nullopt;
}

}  // namespace

BarItem LaunchMore::item(Context& context) {
    const Look& look = context.look;
    const std::string special = unusual(context.workspace);
    const std::string text = special.empty() ? "More" : special;
    std::optional<Problem> problem = hidden_problem(context.workspace);
    const Icon sign = problem ? Icon::warning : Icon::none;
    const float width = button_size(look, text, sign, Icon::down).x;
    const auto draw = [this, &context, text, sign] {
        const Look& l = context.look;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (button(l, "more", text, sign, Icon::down)) ImGui::OpenPopup("launch");
        tip(l,
            "More launch parameters: template arguments, banks, dynamic shared memory, multiprocessors, kernel "
            "arguments.");
        const ImGuiViewport& viewport = *ImGui::GetMainViewport();
        const float right = viewport.Pos.x + viewport.Size.x - l.px(12);
        ImGui::SetNextWindowPos({std::min(at.x, right - l.px(form_width)), at.y + l.px(control_height + 4)});
        ImGui::SetNextWindowSizeConstraints({l.px(form_width), 0},
                                            {l.px(form_width), viewport.Size.y - at.y - l.px(60)});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {l.px(16), l.px(14)});
        if (ImGui::BeginPopup("launch", ImGuiWindowFlags_NoMove)) {
            rows(context);
            ImGui::EndPopup();
        }
        ImGui::PopStyleVar();
    };
    return {.width = width, .draw = draw, .field = Field::count, .problem = std::move(problem), .launches = true};
}

bool LaunchMore::row(Context& context, const char* id, const std::string& label, const std::string& shown,
                     const std::optional<Problem>& problem, std::string_view note, std::string& typed, bool lines) {
    const Look& look = context.look;
    ImGui::PushID(id);
    ImGui::AlignTextToFramePadding();
    {
        const Type words(look, Font::words, type::label);
        ImGui::TextColored(look.color4(Role::soft), "%s",
                           elided(look, Font::words, type::label, label, look.px(label_width - 10)).c_str());
    }
    ImGui::SameLine(look.px(16 + label_width));
    // While the field has the focus, it keeps the typed text.
    std::string& text = typed_[id];
    if (ImGui::GetActiveID() != ImGui::GetID("##value")) text = shown;
    {
        const Type code(look, Font::code, type::label);
        ImGui::PushStyleColor(ImGuiCol_Border, look.color(problem ? Role::cost : Role::line));
        ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
        ImGui::SetNextItemWidth(-1);
        constexpr float three_lines = 66;
        if (lines)
            ImGui::InputTextMultiline("##value", &text, {0, look.px(three_lines)});
        else
            ImGui::InputText("##value", &text, ImGuiInputTextFlags_AutoSelectAll);
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
    }
    const bool finished = ImGui::IsItemDeactivatedAfterEdit();
    if (finished) typed = text;
    if (!note.empty()) tip(look, note);
    if (problem) {
        const Type words(look, Font::words, type::label);
        ImGui::Dummy({1, 1});
        ImGui::SameLine(look.px(16 + label_width));
        ImGui::PushTextWrapPos(0);
        ImGui::TextColored(look.color4(Role::cost), "%s",
                           fmt::format("{}. {}", problem->what, problem->remedy).c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::PopID();
    return finished;
}

void LaunchMore::residency_rows(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const LaunchForm& form = workspace.form();
    std::string typed;
    if (row(context, "multiprocessors", "Multiprocessors", form.shown(Field::multiprocessors),
            form.problem(Field::multiprocessors),
            fmt::format(
                "Multiprocessors that the blocks run on: a number, or a GPU with its limits. Empty: the emulator "
                "chooses, within the limits of an {}.",
                model::emulated_gpu),
            typed))
        workspace.set_field(Field::multiprocessors, typed);
    ImGui::Dummy({1, 1});
    ImGui::SameLine(look.px(16 + label_width));
    for (const model::GpuModel& gpu : model::gpu_models()) {
        const std::string name(gpu.name);
        const bool chosen = form.shown(Field::multiprocessors) == name;
        if (button(look, name.c_str(), name, Icon::none, Icon::none, {.primary = chosen, .height = 24}))
            workspace.set_field(Field::multiprocessors, chosen ? std::string() : name);
        const model::DeviceLimits& limits = model::limits_of(gpu.capability);
        tip(look, fmt::format("{}, on each at most {}, {} and {} KB of shared memory.",
                              counted(gpu.multiprocessors, "multiprocessor"), counted(limits.blocks, "block"),
                              counted(limits.threads(), "thread"), limits.shared_bytes / 1024));
        ImGui::SameLine(0, look.px(5));
    }
    ImGui::NewLine();
    if (row(context, "resident", "Blocks on each", form.shown(Field::resident), form.problem(Field::resident),
            "Blocks that are resident on a multiprocessor at once, at most. Empty: as many as fit.", typed))
        workspace.set_field(Field::resident, typed);
    if (row(context, "order", "Start order", form.shown(Field::order), form.problem(Field::order),
            "The order in which blocks start: ascending, descending or shuffled SEED. \"late 3\": block 3 starts last. "
            "\"stall 3\": block 3 stops at its first block barrier while other blocks execute.",
            typed))
        workspace.set_field(Field::order, typed);
    ImGui::Dummy({1, 1});
    ImGui::SameLine(look.px(16 + label_width));
    for (const std::string_view order : {"descending", "shuffled 1", "late 0", "stall 1"}) {
        const bool chosen = form.shown(Field::order) == order;
        const ButtonLook how{.primary = chosen, .height = 24};
        if (ImGui::GetContentRegionAvail().x < button_size(look, order, Icon::none, Icon::none, how).x) {
            ImGui::NewLine();
            ImGui::Dummy({1, 1});
            ImGui::SameLine(look.px(16 + label_width));
        }
        if (button(look, order.data(), order.data(), Icon::none, Icon::none, how))
            workspace.set_field(Field::order, chosen ? std::string() : std::string(order));
        ImGui::SameLine(0, look.px(5));
    }
    ImGui::NewLine();
    if (row(context, "schedule", "Schedule", form.shown(Field::schedule), form.problem(Field::schedule),
            "Which threads wait while others execute. \"hold 0:1:3 at 57\": block 0, warp 1, lane 3 waits before line "
            "57 of the PTX. \"delay\": its store there is seen late. \"stale\": its load there returns an old value. "
            "\"shuffled SEED\": turns of random lengths. Empty: the emulator's own order. Findings searches for a "
            "schedule under which a race changes the result.",
            typed))
        workspace.set_field(Field::schedule, typed);
    if (row(context, "max instructions", "Instruction limit", form.shown(Field::max_instructions),
            form.problem(Field::max_instructions),
            fmt::format(
                "Warp instructions that the launches may execute. Empty: {}; in loops that do not count towards an "
                "exit, {} before a block ends.",
                grouped(execute::Limits().warp_instructions), grouped(execute::Limits().uncounted_instructions)),
            typed))
        workspace.set_field(Field::max_instructions, typed);
    if (row(context, "record launch", "Recorded launch", form.shown(Field::record_launch),
            form.problem(Field::record_launch),
            "The number of the launch whose blocks are recorded, from 0, if the program makes more launches than the "
            "record has room for. Empty: the first ones are recorded.",
            typed))
        workspace.set_field(Field::record_launch, typed);
}

void LaunchMore::program_rows(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const LaunchForm& form = workspace.form();
    std::string typed;
    if (row(context, "command line", "Command line", form.shown(Field::command_line), form.problem(Field::command_line),
            "Arguments of main (argv after the program's name). Quotes keep spaces.", typed))
        workspace.set_field(Field::command_line, typed);
    if (row(context, "stdin", "Standard input", form.shown(Field::standard_input), form.problem(Field::standard_input),
            "Standard input of the program. It runs again when the field loses the focus, or with Ctrl + "
            "Enter.",
            typed, true))
        workspace.set_field(Field::standard_input, typed);
    if (row(context, "function", "CPU function", form.shown(Field::function), form.problem(Field::function),
            "A __host__ __device__ function that host code calls: its first call is run as a launch of one thread, "
            "and shown. Empty: the program's launches are shown.",
            typed))
        workspace.set_field(Field::function, typed);
    if (row(context, "working folder", "Working folder", form.shown(Field::working_folder),
            form.problem(Field::working_folder),
            "The program runs in a copy of this folder, and finds its files there. Relative to the source's "
            "folder. Empty: the source's folder.",
            typed))
        workspace.set_field(Field::working_folder, typed);
    if (row(context, "time limit", "CPU time limit", form.shown(Field::time_limit), form.problem(Field::time_limit),
            fmt::format("Seconds of CPU time after which host code is terminated. Empty: {} s.",
                        host::SandboxLimits().cpu.count()),
            typed))
        workspace.set_field(Field::time_limit, typed);
    ImGui::AlignTextToFramePadding();
    {
        const Type words(look, Font::words, type::label);
        ImGui::TextColored(look.color4(Role::soft), "Host memory");
    }
    ImGui::SameLine(look.px(16 + label_width));
    const int now = form.values().sanitize ? 1 : 0;
    if (const auto chosen = segmented(look, "sanitize", {"as it is", "AddressSanitizer"}, now))
        workspace.set_sanitize(*chosen == 1);
    tip(look,
        "AddressSanitizer is compiled into the host code and finds overruns of host memory. Compiling and running "
        "take longer.");
}

void LaunchMore::template_rows(Context& context, const std::vector<std::string>& parameters) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const LaunchForm& form = workspace.form();
    std::string typed;
    if (row(context, "template", "Template", form.shown(Field::type), form.problem(Field::type),
            fmt::format("template <{}>", fmt::join(parameters, ", ")), typed))
        workspace.set_field(Field::type, typed);
    if (session::is_type_parameter(parameters.front())) {
        ImGui::Dummy({1, 1});
        ImGui::SameLine(look.px(16 + label_width));
        const std::string& list = form.shown(Field::type);
        const std::size_t comma = std::min(list.find(','), list.size());
        for (const std::string_view type : common_types) {
            if (button(look, type.data(), type.data(), Icon::none, Icon::none,
                       {.primary = list.substr(0, comma) == type, .height = 24}))
                workspace.set_field(Field::type, std::string(type) + list.substr(comma));
            ImGui::SameLine(0, look.px(5));
        }
        ImGui::NewLine();
    }
}

void LaunchMore::banks_row(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const LaunchForm& form = workspace.form();
    ImGui::AlignTextToFramePadding();
    {
        const Type words(look, Font::words, type::label);
        ImGui::TextColored(look.color4(Role::soft), "Banks");
        explain(look, "bank");
    }
    ImGui::SameLine(look.px(16 + label_width));
    const bool old = form.has_half_warp_banks();
    const unsigned banks = model::emulated_device().banks;
    const std::string all = fmt::format("{} per warp", banks);
    const std::string half = fmt::format("{} per half-warp", model::half_warp_banks());
    if (const auto chosen = segmented(look, "banks", {all.c_str(), half.c_str()}, old ? 1 : 0))
        workspace.set_field(Field::banks, LaunchForm::banks_text(*chosen == 1));
    tip(look, fmt::format("{} serve a whole warp. {} serve half-warps in turn, as on compute capability 1.x.",
                          counted(banks, "bank"), counted(model::half_warp_banks(), "bank")));
}

void LaunchMore::argument_rows(Context& context, const session::Run& run) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const LaunchForm& form = workspace.form();
    std::string typed;
    if (!run.arguments.empty()) {
        ImGui::Dummy({1, look.px(4)});
        const Type words(look, Font::words, type::label);
        ImGui::TextColored(look.color4(Role::soft), "Kernel arguments: input(count), zeros(count), or a number");
    }
    for (const session::ArgumentPlan& argument : run.arguments) {
        const std::string note = argument.guessed
                                     ? "Guessed from the parameter. Clear the field to guess again."
                                     : "From the file, or typed here. Clear the field to restore the file's argument.";
        if (row(context, ("argument/" + argument.parameter).c_str(), argument.parameter,
                form.shown_argument(argument.parameter), form.argument_problem(argument.parameter), note, typed))
            workspace.set_argument(argument.parameter, typed);
    }
}

void LaunchMore::rows(Context& context) {
    const Look& look = context.look;
    Workspace& workspace = context.workspace;
    const LaunchForm& form = workspace.form();
    std::string typed;
    if (workspace.runs_main()) program_rows(context);
    if (compiles(workspace) &&
        row(context, "compiler", "Compiler options", form.shown(Field::compiler), form.problem(Field::compiler),
            "Include folders and macros: -I ../common -D N=4. Also -std=c++20, --use_fast_math, --extended-lambda. "
            "Folders are relative to the source's.",
            typed))
        workspace.set_field(Field::compiler, typed);
    if (workspace.shown() == nullptr) {
        if (!workspace.runs_main()) ImGui::TextColored(look.color4(Role::soft), "Nothing has run yet.");
        return;
    }
    const std::shared_ptr<const session::Run> run = workspace.shown()->run;

    const compile::KernelDeclaration* kernel = declaration(*run);
    if (kernel != nullptr && !kernel->template_parameters.empty()) template_rows(context, kernel->template_parameters);
    banks_row(context);
    if (row(context, "shared", "Shared bytes", form.shown(Field::shared), form.problem(Field::shared),
            "Dynamic shared memory per block in bytes: the size of the extern __shared__ array.", typed))
        workspace.set_field(Field::shared, typed);
    residency_rows(context);
    argument_rows(context, *run);
}

}  // namespace lanescope::ui
