// SASS in Source: assembled in the background by the installed tools, linked with PTX and CUDA; the reason where a tool
// is missing.
#include "ui/panels/source.h"
#include "ui/sass_text.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <string_view>

namespace lanescope::ui {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class SassWindow : public WindowTest {
  protected:
    static const ImGuiWindow* child(const std::string& name) {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (window->Active && std::string_view(window->Name).starts_with("Source/" + name + "_")) return window;
        return nullptr;
    }
    static void show_sass(bool on) { dynamic_cast<SourcePanel&>(panel("Source")).show_sass(on); }
    /// The text of the run that is shown, as the panel makes it.
    void assemble(SassText& text, unsigned arch = 90) {
        text.follow(workspace().shown()->run->analysis->trace, arch);
        bool answered = false;
        until([&] { return answered = answered || text.poll(); });
    }
};

TEST_F(SassWindow, StandsBesideTheSourceWhileItIsOn) {
    if (const auto found = sass::tools_found(); !found) GTEST_SKIP() << found.error().message();
    resize(1920, 1080);
    shell().bring_up("Source");
    frames(8);
    EXPECT_EQ(child("sass"), nullptr);
    show_sass(true);
    until([] { return child("sass") != nullptr; });
    EXPECT_NE(child("assembly"), nullptr) << "registers and occupancy above it";
    EXPECT_NE(child("cuda"), nullptr);
    workspace().seek_line(14);
    frames(4);
    keep_picture("sass-1920");
    frames(1);
    workspace().settings.source_view = SourceView::both;
    frames(8);
    EXPECT_NE(child("sass"), nullptr);
    EXPECT_NE(child("ptx"), nullptr);
    EXPECT_NE(child("cuda"), nullptr);
    keep_picture("sass-both-1920");
    frames(1);
    workspace().settings.source_view = SourceView::cuda;
    show_sass(false);
    frames(4);
    EXPECT_EQ(child("sass"), nullptr);
}

TEST_F(SassWindow, SaysWhatIsMissing) {
    setenv("LANESCOPE_NVDISASM", "none", 1);
    SassText text;
    assemble(text);
    unsetenv("LANESCOPE_NVDISASM");
    EXPECT_EQ(text.listing(), nullptr);
    ASSERT_TRUE(text.problem().has_value());
    EXPECT_THAT(text.problem()->message(), testing::AnyOf(HasSubstr("nvdisasm"), HasSubstr("ptxas")));
    EXPECT_THAT(text.rows(), SizeIs(0));
}

TEST_F(SassWindow, LinksAPtxLineWithItsInstructions) {
    if (const auto found = sass::tools_found(); !found) GTEST_SKIP() << found.error().message();
    SassText text;
    assemble(text);
    ASSERT_NE(text.listing(), nullptr);
    const trace::Trace& trace = workspace().shown()->trace();
    for (const trace::Step& step : trace.steps()) {
        const std::span<const std::uint32_t> lines = text.lines_of(step.line);
        for (const std::uint32_t line : lines) {
            const SassRow& row = text.rows()[line - 1];
            EXPECT_EQ(row.line, step.line);
            EXPECT_FALSE(row.address.empty());
        }
        const std::string sentence = text.sentence_of(step.line);
        if (lines.empty()) {
            EXPECT_THAT(sentence, HasSubstr("names no SASS instruction"));
        } else {
            EXPECT_THAT(sentence, HasSubstr(std::to_string(lines.size()) + " SASS instruction"));
        }
    }
    EXPECT_THAT(text.resources_of(trace.launches.front()), HasSubstr(" registers per thread"));
    EXPECT_THAT(text.resources_of(trace.launches.front()), HasSubstr("of 64 warps resident"));
    EXPECT_THAT(text.rows().front().text, StartsWith("reduce"));
}

}  // namespace
}  // namespace lanescope::ui
