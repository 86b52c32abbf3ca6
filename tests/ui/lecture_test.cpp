// A lecture in the window: a remote steps through it, answers are revealed, steps say why they are not shown, the
// screen turns black, and edits reach the file.
#include "ui/panels/lecture.h"
#include "base/files.h"
#include "ui/lesson_link.h"
#include "ui/links.h"
#include "ui/presentation.h"
#include "ui/window_test.h"

#include "base/markdown.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lanescope::ui {
namespace {

using testing::HasSubstr;

const std::string lecture_source =
    "---\ntitle: Mine\n---\n\n"
    "## Load\n\n```lanescope\nprogram: reduce/sequential\nblock: 16\nn: 16\npanels: Passes, Warps\n"
    "place: end of pass \"load\"\n```\n\nThe load, and [pass 2](lanescope:pass/2).\n\n### Notes\n\nFor me alone.\n\n"
    "## Sum\n\n```lanescope\nplace: end\nselect: sdata[0]\nmaximize: Counts\n```\n\n"
    "### Question\n\nHow much?\n\n### Answer\n\nAll.\n\n"
    "## No such kernel\n\n```lanescope\nprogram: reduce/no-such\n```\n\n"
    "## No such place\n\n```lanescope\nprogram: scan/in-place\nplace: pass 40\n```\n\n"
    "## Words\n\nWords alone.\n";

class LectureTest : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        if (IsSkipped()) return;
        file_ = std::filesystem::path(testing::TempDir()) / "lecture-test.md";
        std::ofstream(file_) << lecture_source;
        shell().open(file_.string());
        arrive();
    }
    void TearDown() override {
        if (!IsSkipped()) {
            presentation().close();
            shell().maximize({});
        }
        std::filesystem::remove(file_);
    }

    static Presentation& presentation() { return shell().presentation(); }
    void arrive() {
        settle();
        until([] { return !presentation().hurries() && !workspace().busy(); });
        frames(3);
    }
    void remote(ImGuiKeyChord pressed) {
        key(pressed);
        arrive();
    }
    static std::string heading() { return presentation().current()->heading; }
    static bool in_view(const char* title) {
        const ImGuiWindow* found = ImGui::FindWindowByName(title);
        return found != nullptr && found->Active && found->DockTabIsVisible;
    }
    [[nodiscard]] std::string on_disk() const { return read_file(file_).value_or(""); }

    std::filesystem::path file_;
};

TEST_F(LectureTest, ARemoteStepsThroughIt) {
    EXPECT_EQ(heading(), "Load");
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/sequential");
    EXPECT_EQ(workspace().position() + 1, workspace().shown()->passes->passes[0].past_last);
    EXPECT_TRUE(in_view("Warps"));
    EXPECT_TRUE(in_view("Lecture"));
    remote(ImGuiKey_PageDown);
    EXPECT_EQ(heading(), "Sum");
    EXPECT_EQ(workspace().position(), workspace().at().end());
    ASSERT_TRUE(workspace().selection());
    EXPECT_EQ(workspace().selection()->column, 0U);
    ASSERT_NE(shell().alone(), nullptr);
    EXPECT_STREQ(shell().alone()->title(), "Counts");
    remote(ImGuiKey_PageUp);
    EXPECT_EQ(heading(), "Load");
    EXPECT_EQ(shell().alone(), nullptr);
}

TEST_F(LectureTest, WithoutOneTheRemoteStepsThroughThePasses) {
    presentation().close();
    workspace().home();
    remote(ImGuiKey_PageDown);
    EXPECT_EQ(workspace().pass(), 1U);
}

TEST_F(LectureTest, AnAnswerIsRevealedBeforeTheNextStep) {
    presentation().go(shell(), 1);
    arrive();
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("How much?"));
    EXPECT_THAT(lecture_text(presentation()), testing::Not(HasSubstr("All.")));
    remote(ImGuiKey_PageDown);
    EXPECT_EQ(heading(), "Sum");
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("All."));
    remote(ImGuiKey_PageDown);
    EXPECT_EQ(heading(), "No such kernel");
}

TEST_F(LectureTest, AFigureIsTheNumberOfTheRunAndABadOneIsReported) {
    presentation().set_words(shell(), "Load", "It has {work of run} operations.");
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("It has 15 operations."));
    presentation().go(shell(), 0);
    arrive();
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("It has 15 operations."));
    presentation().set_words(shell(), "Load", "It has {speed}.");
    EXPECT_THAT(presentation().problem(), HasSubstr("{speed}"));
    presentation().set_words(shell(), "Load", "It has {elements} elements.");
    EXPECT_EQ(presentation().problem(), "");
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("It has 16 elements."));
}

TEST_F(LectureTest, AClickRevealsTheAnswerAndFollowsLinks) {
    const auto& lecture = dynamic_cast<const LecturePanel&>(panel("Lecture"));
    const auto click = [&](const std::string& target) {
        const auto found = std::ranges::find(lecture.links(), target);
        ASSERT_NE(found, lecture.links().end()) << target;
        const ImVec2 at = lecture.link_on_screen(std::size_t(found - lecture.links().begin()));
        act([&](ImGuiTestContext& person) {
            person.MouseMoveToPos(at);
            person.MouseClick();
        });
    };
    click("lanescope:pass/2");
    EXPECT_EQ(workspace().pass(), 2U);
    presentation().go(shell(), 1);
    shell().maximize("Lecture");
    arrive();
    click("lanescope:reveal");
    EXPECT_FALSE(presentation().waits());
}

TEST_F(LectureTest, TheListOfStepsGoesToOne) {
    act([](ImGuiTestContext& person) {
        person.ItemClick("**/lecture-steps");
        person.ItemClick("**/5  Words");
    });
    arrive();
    EXPECT_EQ(heading(), "Words");
}

TEST_F(LectureTest, NotesAreForTheSpeaker) {
    EXPECT_THAT(lecture_text(presentation()), testing::Not(HasSubstr("For me alone.")));
    presentation().notes = true;
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("For me alone."));
    presentation().notes = false;
}

TEST_F(LectureTest, AStepThatCannotBeShownSaysSoAndTheLectureGoesOn) {
    presentation().go(shell(), 2);
    arrive();
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("reduce/no-such does not open"));
    remote(ImGuiKey_PageDown);
    EXPECT_EQ(heading(), "No such place");
    EXPECT_EQ(workspace().shown()->run->program.name, "scan/in-place");
    EXPECT_THAT(lecture_text(presentation()), HasSubstr("there is no pass 40"));
    remote(ImGuiKey_PageDown);
    EXPECT_EQ(heading(), "Words");
    EXPECT_EQ(presentation().problem(), "");
    remote(ImGuiKey_PageDown);
    EXPECT_EQ(heading(), "Words") << "the last step stays";
}

TEST_F(LectureTest, TheScreenTurnsBlackAndComesBack) {
    key(ImGuiKey_B);
    EXPECT_TRUE(presentation().black);
    frames(2);
    const render::Pixels& black = window().picture();
    EXPECT_TRUE(std::ranges::all_of(black.rgba, [](std::uint8_t c) { return c == 0 || c == 255; }));
    remote(ImGuiKey_PageDown);
    EXPECT_FALSE(presentation().black);
    EXPECT_EQ(heading(), "Load") << "the first key only shows the screen again";
    key(ImGuiKey_B);
    act([](ImGuiTestContext& person) { person.MouseClick(); });
    EXPECT_FALSE(presentation().black);
}

TEST_F(LectureTest, PresenterModeShowsTheCaptionAsAStrip) {
    frames(2);
    const auto strip = [] {
        const ImGuiWindow* found = ImGui::FindWindowByName("##lecture-strip");
        return found != nullptr && found->Active;
    };
    EXPECT_FALSE(strip()) << "the panel is in view";
    shell().maximize("Passes");
    frames(3);
    EXPECT_TRUE(strip()) << "the panel is out of view";
    shell().maximize({});
    shell().toggle_presenter();
    frames(12);
    EXPECT_TRUE(strip());
    shell().toggle_presenter();
    frames(12);
}

TEST_F(LectureTest, APlaceBecomesAStepAndIsSaved) {
    workspace().seek_pass(2);
    presentation().add_place(shell());
    ASSERT_EQ(presentation().step(), 1U);
    EXPECT_TRUE(presentation().editing);
    EXPECT_TRUE(presentation().modified());
    EXPECT_EQ(session::text_of(presentation().current()->place), "pass \"s = 4\"");
    presentation().set_words(shell(), "Mine", "My *words*.");
    EXPECT_THAT(on_disk(), testing::Not(HasSubstr("My *words*.")));
    presentation().save(shell());
    EXPECT_FALSE(presentation().modified());
    EXPECT_THAT(on_disk(), HasSubstr("## Mine\n\n```lanescope\nprogram: reduce/sequential\nblock: 16\nn: 16\n"));
    EXPECT_THAT(on_disk(), HasSubstr("My *words*.\n\n## Sum"));
}

TEST_F(LectureTest, TheFieldsOfTheCaptionAreTypedInto) {
    act([](ImGuiTestContext& person) { person.KeyPress(ImGuiMod_Ctrl | ImGuiKey_K); });
    frames(2);
    shell().escape();
    presentation().editing = true;
    frames(3);
    const ImGuiWindow* const window = ImGui::FindWindowByName("Lecture");
    ASSERT_NE(window, nullptr);
    act([](ImGuiTestContext& person) {
        person.ItemClick("//Lecture/##heading");
        person.KeyCharsReplace("Typed");
        person.ItemClick("//Lecture/keep-words");
    });
    EXPECT_EQ(heading(), "Typed");
    EXPECT_FALSE(presentation().editing);
}

TEST_F(LectureTest, StepsAreMovedDeletedAndRestored) {
    presentation().move_step(shell(), true);
    EXPECT_EQ(presentation().step(), 1U);
    EXPECT_EQ(presentation().lecture().steps[0].heading, "Sum");
    presentation().remove_step(shell());
    arrive();
    EXPECT_EQ(presentation().lecture().steps.size(), 4U);
    presentation().undo_edit(shell());
    presentation().undo_edit(shell());
    arrive();
    EXPECT_EQ(presentation().lecture().text, lecture_source);
    EXPECT_FALSE(presentation().can_undo());
}

TEST_F(LectureTest, EditsThatAreNotSavedAreNotDroppedWithoutAWarning) {
    presentation().set_words(shell(), "Edited", "Words.");
    EXPECT_FALSE(presentation().may_close(shell()));
    EXPECT_THAT(shell().notice().text(), HasSubstr("not saved"));
    shell().open_lecture("to-the-limit");
    EXPECT_EQ(presentation().lecture().title, "From 2 GB/s to the limit") << "repeated, the command discards the edits";
    arrive();
    EXPECT_TRUE(presentation().may_close(shell()));
}

TEST_F(LectureTest, AFileThatIsEditedByHandIsReadAgain) {
    std::string edited = lecture_source;
    edited.replace(edited.find("## Load"), 7, "## Load it");
    std::ofstream(file_) << edited;
    presentation().reread(shell());
    arrive();
    EXPECT_EQ(heading(), "Load it");
    std::ofstream(file_) << "no lecture";
    presentation().reread(shell());
    EXPECT_EQ(heading(), "Load it");
    EXPECT_THAT(shell().notice().text(), HasSubstr("front matter"));
}

TEST_F(LectureTest, PanelsAreNamedAsTheWindowNamesThem) {
    std::vector<std::string> titles;
    for (const auto& each : shell().panels()) {
        const std::string title = each->title();
        // A step has one program; the panels of a comparison need two.
        if (title != "Compare" && !title.ends_with(" B")) titles.push_back(title);
    }
    EXPECT_THAT(session::lecture_panels(), testing::UnorderedElementsAreArray(titles));
}

TEST(LectureLinks, OfLecturesThatShipAct) {
    for (const session::Lecture& lecture : session::shipped_lectures()) {
        for (const session::LectureStep& step : lecture.steps) {
            std::vector<std::string> links;
            add_links(markdown::parsed(step.caption), links);
            for (const auto& question : step.questions) {
                add_links(markdown::parsed(question.ask), links);
                add_links(markdown::parsed(question.answer), links);
            }
            for (const std::string& target : links) {
                const auto link = lesson_link(target);
                ASSERT_TRUE(link) << lecture.name << ", line " << step.line << ": " << target;
                if (link->kind != LessonLink::Kind::open) continue;
                EXPECT_NE(session::find_program(link->name), nullptr) << target;
            }
        }
    }
}

}  // namespace
}  // namespace lanescope::ui
