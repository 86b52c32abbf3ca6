// Memory and Counts in the window: both follow the cursor; cells are clicked, numbers written in another way, counts
// copied.
#include "analysis/panels/bank_picture.h"
#include "ui/panels/banks.h"
#include "ui/panels/counts.h"
#include "ui/panels/memory.h"
#include "ui/window_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace lanescope::ui {
namespace {

using analysis::CountRow;
using analysis::MemoryCell;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Numbers : public WindowTest {
  protected:
    static MemoryPanel& memory() { return dynamic_cast<MemoryPanel&>(panel("Memory")); }
    static CountsPanel& counts() { return dynamic_cast<CountsPanel&>(panel("Counts")); }
    void show(const char* title) {
        resize(1920, 1080);
        shell().arrange(Arrangement::study);
        frames(8);
        shell().bring_up(title);
        frames(5);
    }
    static std::size_t area(std::string_view name) {
        const auto& areas = memory().table()->areas();
        const auto found = std::ranges::find(areas, name, &analysis::MemoryArea::name);
        return static_cast<std::size_t>(found - areas.begin());
    }
    static bool shows(const scene::Scene& scene, std::string_view text) {
        return std::ranges::any_of(scene.shapes, [&](const scene::Shape& shape) {
            const auto* words = std::get_if<scene::Text>(&shape);
            return words != nullptr && words->text == text;
        });
    }
    void click_element(std::string_view name, std::uint64_t element, bool twice) {
        const auto at = memory().element_on_screen(area(name), element);
        ASSERT_TRUE(at.has_value()) << "the element is not in view";
        act([&](ImGuiTestContext& person) {
            person.MouseMoveToPos(*at);
            if (twice) {
                // A double click takes several frames, which on a busy machine may last longer than ImGui allows.
                float& longest = ImGui::GetIO().MouseDoubleClickTime;
                const float usual = std::exchange(longest, 60.0F);
                person.MouseDoubleClick(ImGuiMouseButton_Left);
                longest = usual;
            } else {
                person.MouseClick(ImGuiMouseButton_Left);
            }
        });
    }
};

TEST_F(Numbers, MemoryShowsWhatLiesThereAtTheCursor) {
    show("Memory");
    ASSERT_NE(memory().table(), nullptr);
    EXPECT_EQ(memory().table()->cell(area("sdata"), 0).state, MemoryCell::State::never_written);
    workspace().seek_pass(3);
    frames(3);
    keep_picture("memory-dark");
    frames(2);
    const MemoryCell cell = memory().table()->cell(area("sdata"), 0);
    EXPECT_EQ(cell.state, MemoryCell::State::written);
    EXPECT_EQ(cell.bits, 18U) << "after s = 2";
    EXPECT_TRUE(shows(memory().picture(), "18"));
    EXPECT_TRUE(shows(memory().picture(), "sdata"));
    EXPECT_TRUE(shows(memory().picture(), "tid")) << "a variable of the lane";
}

TEST_F(Numbers, ALineOfMemoryThatIsNoRowOfTheArraySaysSo) {
    run_source("turn.cu",
               "__global__ void turn(const float* in, float* out) {\n    __shared__ float pane[16][17];\n"
               "    pane[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];\n    __syncthreads();\n"
               "    out[threadIdx.y * 16 + threadIdx.x] = pane[threadIdx.x][threadIdx.y];\n}\n",
               "16x16", "256");
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    frames(8);
    shell().bring_up("Memory");
    frames(5);
    std::string texts;
    for (const scene::Shape& shape : memory().drawn()->shapes)
        if (const auto* words = std::get_if<scene::Text>(&shape)) texts += words->text + "\n";
    EXPECT_THAT(texts, HasSubstr("float x 272, rows of 17, 8 elements a line"));
}

TEST_F(Numbers, AFormatIsChosenInTheHeader) {
    show("Memory");
    workspace().seek_pass(3);
    frames(3);
    memory().set_format(scene::NumberFormat::hexadecimal);
    frames(3);
    EXPECT_TRUE(shows(memory().picture(), "00000012")) << "18";
    memory().set_format(scene::NumberFormat::binary);
    frames(3);
    EXPECT_TRUE(shows(memory().picture(), "00000000 00000000 00000000 00010010"));
    memory().set_format(scene::NumberFormat::natural);
    frames(3);
}

TEST_F(Numbers, AClickSelectsTheCellInEveryPanel) {
    show("Memory");
    workspace().seek_pass(3);
    frames(3);
    click_element("sdata", 8, false);
    ASSERT_TRUE(workspace().selection().has_value());
    EXPECT_EQ(workspace().selection()->column, 8U);
    ASSERT_TRUE(workspace().lane().has_value());
    EXPECT_EQ(workspace().lane()->number, 8U) << "the lane that wrote it";
    EXPECT_EQ(memory().table()->moment().lane, 8U) << "whose variables are shown";
    // Banks outlines the word, Source the line that wrote the value.
    shell().bring_up("Banks");
    shell().bring_up("Source");
    frames(6);
    keep_picture("selected-everywhere");
    const auto& banks = dynamic_cast<const BanksPanel&>(panel("Banks"));
    const auto outlined = [&] {
        return std::ranges::count_if(banks.drawn()->shapes, [](const scene::Shape& shape) {
            const auto* const box = std::get_if<scene::Rect>(&shape);
            return box != nullptr && box->stroke.role == scene::Role::selected;
        });
    };
    EXPECT_EQ(outlined(), 1);
    const ImU32 chosen = shell().look().color(scene::Role::selected);
    const auto lines = [&] {
        std::size_t corners = 0;
        for (const ImGuiWindow* each : ImGui::GetCurrentContext()->Windows) {
            if (!each->Active || std::string_view(each->Name).find("Source/cuda") == std::string_view::npos) continue;
            corners +=
                static_cast<std::size_t>(std::ranges::count(each->DrawList->VtxBuffer, chosen, &ImDrawVert::col));
        }
        return corners;
    };
    EXPECT_GT(lines(), 0U);
    workspace().clear_selection();
    frames(3);
    EXPECT_EQ(outlined(), 0);
    EXPECT_EQ(lines(), 0U);
}

TEST_F(Numbers, ADoubleClickGoesToTheStepThatWrote) {
    show("Memory");
    workspace().seek_pass(3);
    frames(3);
    const std::size_t before = workspace().position();
    const StepId writer = memory().table()->cell(area("sdata"), 8).writer;
    click_element("sdata", 8, true);
    EXPECT_LT(workspace().position(), before);
    EXPECT_EQ(workspace().next_step(), writer);
    EXPECT_TRUE(memory().table()->cell(area("sdata"), 8).written_next);
}

TEST_F(Numbers, MemoryOfThousandsScrollsAndFollowsUntilSomeoneScrollsAway) {
    run("reduce/sequential", "1024");
    show("Memory");
    workspace().home();
    frames(3);
    EXPECT_GT(memory().height(), 1000) << "it does not fit";
    ASSERT_LT(memory().picture().shapes.size(), 6000U) << "only what is in view is drawn";
    workspace().finish();
    frames(3);
    const StepId writer = memory().table()->cell(area("out"), 0).writer;
    ASSERT_TRUE(writer.valid());
    const auto& steps = workspace().shown()->passes->steps;
    workspace().seek_exactly(static_cast<std::size_t>(std::ranges::lower_bound(steps, writer) - steps.begin()));
    frames(3);
    EXPECT_GT(memory().scrolled(), 0) << "the result lies at the end of the content";
    act([&](ImGuiTestContext& person) {
        const ImGuiWindow* window = ImGui::FindWindowByName("Memory");
        person.MouseMoveToPos({window->Pos.x + window->Size.x / 2, window->Pos.y + window->Size.y / 2});
        person.MouseWheelY(200);
    });
    EXPECT_EQ(memory().scrolled(), 0);
    workspace().back(Unit::instruction);
    frames(3);
    EXPECT_EQ(memory().scrolled(), 0) << "it stays where the user has scrolled to";
}

TEST_F(Numbers, CountsFillAsOneSteps) {
    show("Counts");
    const auto state = [&](std::size_t row) { return counts().picture().rows.at(row).state; };
    EXPECT_EQ(state(0), CountRow::State::under_way);
    EXPECT_EQ(counts().picture().rows[0].pass.counts.warp_instructions, 0U) << "nothing has been executed";
    EXPECT_EQ(state(1), CountRow::State::ahead);
    workspace().seek_pass(2);
    workspace().forward(Unit::instruction);
    frames(3);
    keep_picture("counts-dark");
    frames(2);
    EXPECT_EQ(state(1), CountRow::State::done);
    EXPECT_EQ(state(2), CountRow::State::under_way);
    EXPECT_EQ(counts().picture().rows[2].pass.counts.warp_instructions, 1U);
    EXPECT_EQ(counts().picture().rows[1].pass.counts.operations, 8U);
    EXPECT_EQ(state(3), CountRow::State::ahead);
    workspace().finish();
    frames(3);
    EXPECT_EQ(counts().picture().total.counts.operations, 15U);
    ASSERT_EQ(counts().picture().forms.size(), 2U);
    EXPECT_EQ(counts().picture().forms[0].measured, counts().picture().forms[0].value);
}

TEST_F(Numbers, NoColumnIsDroppedWhereThePanelIsNarrow) {
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    frames(8);
    for (const bool all : {false, true}) {
        workspace().settings.all_counts = all;
        frames(4);
        const scene::Scene& drawn = counts().view().scene();
        const std::vector<analysis::CountColumn> columns = analysis::table_columns(counts().picture());
        EXPECT_EQ(columns.size(), all ? counts().picture().columns.size() : 5);
        for (std::uint32_t column = 0; column < columns.size(); ++column) {
            const auto heading = scene::box_of(drawn, scene::TraceRef::Kind::heading, 0, column);
            ASSERT_TRUE(heading) << column;
            EXPECT_LE(heading->right(), drawn.width) << columns[column].name;
        }
        for (const scene::Viewport& part : drawn.viewports)
            EXPECT_LE(part.width, part.box.width) << "in smaller type and closer together, all columns fit";
    }
}

TEST_F(Numbers, AButtonOfCountsShowsAllColumnsAndFewerAgain) {
    show("Counts");
    const auto press = [this] {
        act([](ImGuiTestContext& person) {
            person.SetRef(ImGui::FindWindowByName("Counts")->DockNode->HostWindow->ID);
            person.ItemClick("##columns");
        });
    };
    EXPECT_EQ(analysis::table_columns(counts().picture()).size(), 5U);
    press();
    EXPECT_TRUE(workspace().settings.all_counts);
    EXPECT_EQ(analysis::table_columns(counts().picture()).size(), counts().picture().columns.size());
    keep_picture("counts-all");
    frames(1);
    press();
    EXPECT_FALSE(workspace().settings.all_counts);
}

TEST_F(Numbers, TheExcessOfCountsIsThatOfTheConflictsInBanks) {
    run("reduce/strided-index", "64");
    show("Counts");
    workspace().finish();
    frames(3);
    const analysis::BlockView block = workspace().shown()->view();
    std::uint64_t wavefronts = 0;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        const auto access = analysis::bank_picture(block, index);
        if (access) wavefronts += access->wavefronts.size() - access->least;
    }
    EXPECT_GT(wavefronts, 0U);
    EXPECT_EQ(counts().picture().total_excess.wavefronts, wavefronts);
    EXPECT_EQ(counts().picture().total_excess.sectors, 0U);
}

TEST_F(Numbers, AClickOnARowOrABarGoesToItsPass) {
    show("Counts");
    const auto click = [&](scene::TraceRef::Kind kind, std::uint32_t row, std::uint32_t column) {
        const auto at = counts().view().on_screen(kind, row, column);
        ASSERT_TRUE(at);
        act([&](ImGuiTestContext& person) {
            person.MouseMoveToPos(*at);
            person.MouseClick(ImGuiMouseButton_Left);
        });
        frames(2);
    };
    click(scene::TraceRef::Kind::row, 3, 0);
    EXPECT_EQ(workspace().pass(), 3U);
    click(scene::TraceRef::Kind::chart, 1, 0);
    EXPECT_EQ(workspace().pass(), 1U);
}

TEST_F(Numbers, PassesThatHaveNoRoomScrollUnderTheHeadingsAndThePassUnderWayComesIntoView) {
    run("reduce/sequential", "1024");
    show("Counts");
    resize(1280, 480);
    frames(4);
    const auto rows = [&] { return counts().view().scene().viewports.front(); };
    ASSERT_FALSE(counts().view().scene().viewports.empty());
    EXPECT_GT(rows().height, rows().box.height);
    const auto last = static_cast<std::size_t>(counts().picture().rows.size() - 1);
    workspace().seek_pass(last);
    frames(3);
    EXPECT_GT(rows().scroll_y, 0);
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*counts().view().on_screen(scene::TraceRef::Kind::row, static_cast<std::uint32_t>(last)));
        person.MouseWheelY(50);
    });
    frames(2);
    EXPECT_EQ(rows().scroll_y, 0) << "the user may scroll away from it";
}

TEST_F(Numbers, WhatTheHardwareCountedStandsBelowAndAClickShowsTheLaunchThatItCounted) {
    run("scan/padded", "16");
    show("Counts");
    ASSERT_EQ(counts().hardware_lines().size(), 1U);
    EXPECT_FALSE(counts().hardware_lines()[0].equal.has_value());
    EXPECT_THAT(counts().hardware_lines()[0].text, HasSubstr("H200 counted block 256"));
    act([&](ImGuiTestContext& person) {
        const auto forms = static_cast<std::uint32_t>(counts().picture().forms.size());
        person.MouseMoveToPos(*counts().view().on_screen(scene::TraceRef::Kind::note, forms));
        person.MouseClick(ImGuiMouseButton_Left);
    });
    settle();
    EXPECT_EQ(workspace().shown()->run->block, 256U);
    frames(3);
    ASSERT_EQ(counts().hardware_lines().size(), 1U);
    EXPECT_EQ(counts().hardware_lines()[0].equal, true) << counts().hardware_lines()[0].meaning;
    EXPECT_THAT(counts().hardware_lines()[0].meaning, HasSubstr("driver 580."));
}

TEST_F(Numbers, CountsAreCopiedAsCsv) {
    show("Counts");
    std::string text, of_menu;
    act([&](ImGuiTestContext& person) {
        // The test engine has a clipboard of its own while it acts.
        person.SetRef(ImGui::FindWindowByName("Counts")->DockNode->HostWindow->ID);
        person.ItemClick("##csv");
        text = ImGui::GetClipboardText();
        ImGui::SetClipboardText("");
        const ImGuiWindow* window = ImGui::FindWindowByName("Counts");
        person.MouseMoveToPos({window->Pos.x + window->Size.x / 2, window->Pos.y + window->Size.y - 12});
        person.MouseClick(ImGuiMouseButton_Right);
        person.Yield(2);
        person.ItemClick("//$FOCUSED/Copy as CSV");
        of_menu = ImGui::GetClipboardText();
    });
    EXPECT_THAT(text, StartsWith("pass,name,threads,operations,work,span,"));
    EXPECT_THAT(text, HasSubstr("\r\n1,\"s = 1\",16,8,8,1,8,"));
    EXPECT_EQ(of_menu, text);
}

class CountsTime : public WindowTest {};

TEST_F(CountsTime, LeadsFromAPassToItsShareOfTheTimeAndBack) {
    LaunchValues values;
    values[Field::program] = "reduce/interleaved-modulo";
    values[Field::block] = "256";
    values[Field::n] = "1024";
    values[Field::view] = "compiled";
    workspace().begin(std::move(values));
    settle();
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(8);
    shell().bring_up("Counts");
    until([] { return workspace().time_shares().known() != nullptr; });
    frames(5);
    const session::TimeOfPasses& times = *workspace().time_shares().known();
    ASSERT_TRUE(times.total.has_value()) << times.why;
    const auto shares = workspace().time_shares().of_passes(*workspace().shown());
    ASSERT_EQ(shares.size(), workspace().shown()->passes->passes.size());
    double sum = 0;
    for (const auto& share : shares) sum += share.value_or(0);
    EXPECT_GT(sum, 0);
    EXPECT_LT(sum, 100) << "launches and blocks are in no pass";
    auto& counts = dynamic_cast<CountsPanel&>(panel("Counts"));
    EXPECT_EQ(counts.picture().time_shares, shares);
    // The lines divide the same time as the passes.
    double of_lines = 0;
    for (const auto& [line, percent] : times.line_percent) of_lines += percent;
    EXPECT_NEAR(of_lines, sum, 0.01);
    const std::uint32_t costly =
        std::ranges::max_element(times.line_percent, {}, [](const auto& each) { return each.second; })->first;
    EXPECT_EQ(workspace().time_shares().of_line(*workspace().shown(), costly),
              fmt::format("{:.1f} % of the estimated time (error {:.0f} %).", times.line_percent.at(costly),
                          100 * times.median_error));
    workspace().seek_pass(2);
    frames(5);
    keep_picture("counts-time");
    frames(2);
    const auto line_of = [&]() -> std::optional<std::string> {
        for (const scene::Shape& shape : counts.drawn()->shapes)
            if (const auto* text = std::get_if<scene::Text>(&shape);
                text && text->text.contains("of the estimated time"))
                return text->text;
        return std::nullopt;
    };
    ASSERT_TRUE(line_of().has_value());
    EXPECT_TRUE(line_of()->starts_with(workspace().shown()->passes->passes[2].label)) << *line_of();
    // As written there is no such share.
    workspace().set_field(Field::view, "written");
    settle();
    until([] { return workspace().time_shares().known() != nullptr; });
    frames(5);
    EXPECT_FALSE(workspace().time_shares().known()->why.empty());
    EXPECT_FALSE(line_of().has_value());
}

}  // namespace
}  // namespace lanescope::ui
