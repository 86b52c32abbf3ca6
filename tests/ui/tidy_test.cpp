// The whole window: no text is cut, nothing lies on something else, and everything can be reached. Two sizes here; the
// suites that begin with Long walk through all of them.
#include "ui/window_test.h"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {
namespace {

std::string described(const ImRect& rect) {
    const auto whole = [](float x) { return std::to_string(static_cast<int>(x)); };
    return "[" + whole(rect.Min.x) + " " + whole(rect.Min.y) + " .. " + whole(rect.Max.x) + " " + whole(rect.Max.y) +
           "]";
}

ImRect common(ImRect one, const ImRect& other) {
    one.ClipWith(other);
    return one;
}

const ImGuiWindow* window_of(const ImDrawList* list) {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if (window->DrawList == list) return window;
    }
    return nullptr;
}

class Tidy : public WindowTest {
  protected:
    void expect_tidy() {
        expect_texts_tidy();
        expect_tabs_tidy();
        expect_items_tidy();
    }

    /// Every line that Look draws is inside its window, and on no other line.
    void expect_texts_tidy() {
        std::vector<DrawnText> drawn;
        shell().look().watch(&drawn);
        frames(1);
        shell().look().watch(nullptr);
        EXPECT_GT(drawn.size(), 12U) << "the bars at least";
        std::vector<std::pair<const DrawnText*, ImRect>> seen;
        for (const DrawnText& text : drawn) {
            const ImRect box(text.low, text.high), clip(text.clip_low, text.clip_high);
            const ImGuiWindow* window = window_of(text.list);
            if (window == nullptr || !window->Active || window->Hidden || !box.Overlaps(clip)) continue;
            const bool scrolls_x = window->ScrollMax.x > 0, scrolls_y = window->ScrollMax.y > 0;
            const std::string place =
                "“" + text.text + "” " + described(box) + " in " + window->Name + " " + described(clip);
            constexpr float slack = 1.5F;  // pixels: positions are rounded
            EXPECT_TRUE(scrolls_x || (box.Min.x >= clip.Min.x - slack && box.Max.x <= clip.Max.x + slack))
                << "cut at a side: " << place;
            // The line's box has room above and below its letters.
            const float inside = common(box, clip).GetHeight() / box.GetHeight();
            EXPECT_TRUE(scrolls_y || inside > 0.8F) << "cut above or below: " << place;
            for (const auto& [other, other_box] : seen) {
                if (other->list != text.list) continue;
                const ImRect both = common(box, other_box);
                const float lower = std::min(box.GetHeight(), other_box.GetHeight());
                EXPECT_FALSE(both.GetWidth() > 2 && both.GetHeight() > 0.5F * lower)
                    << place << " lies on “" << other->text << "” " << described(other_box);
            }
            seen.emplace_back(&text, box);
        }
    }

    /// Every tab can be clicked, and no control of a title lies on a tab.
    void expect_tabs_tidy() {
        for (const std::unique_ptr<Panel>& panel : shell().panels()) {
            const ImGuiWindow* window = ImGui::FindWindowByName(panel->title());
            if (!panel->open || window == nullptr || !window->DockIsActive) continue;
            const ImGuiDockNode& node = *window->DockNode;
            ASSERT_NE(node.TabBar, nullptr) << panel->title();
            float end = node.TabBar->BarRect.Min.x;
            for (const ImGuiTabItem& tab : node.TabBar->Tabs)
                end = std::max(end, node.TabBar->BarRect.Min.x + tab.Offset + tab.Width);
            EXPECT_LE(end, node.TabBar->BarRect.Max.x + 1) << "a tab of " << panel->title() << "'s dock is hidden";
        }
    }

    void expect_items_tidy() {
        act([&](ImGuiTestContext& person) {
            const ImRect screen({0, 0}, ImGui::GetIO().DisplaySize);
            int collected = 0;
            for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
                if (!window->Active || window->Hidden || (window->Flags & ImGuiWindowFlags_Tooltip) != 0) continue;
                if (window->ParentWindow != nullptr && (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 &&
                    !window->DockIsActive && window->DockNodeAsHost == nullptr)
                    continue;  // collected with its parent
                if (std::string_view(window->Name).starts_with("Debug##")) continue;
                ImGuiTestItemList items;
                person.GatherItems(&items, window->ID, 99);
                check(items, screen);
                collected += items.GetSize();
            }
            // A maximized panel has the transport alone.
            EXPECT_GT(collected, shell().alone() != nullptr ? 10 : 20) << "the controls of the bars at least";
        });
    }

  private:
    static void check(ImGuiTestItemList& items, const ImRect& screen) {
        std::vector<const ImGuiTestItemInfo*> seen;
        for (const ImGuiTestItemInfo& item : items) {
            if (item.Window == nullptr || item.RectFull.GetArea() <= 0) continue;
            const ImGuiWindow& window = *item.Window;
            const std::string place = std::string(window.Name) + "/" + item.DebugLabel + " " + described(item.RectFull);
            const bool scrolls = window.ScrollMax.x > 0 || window.ScrollMax.y > 0;
            EXPECT_TRUE(scrolls || common(item.RectFull, screen).GetArea() > 0.9F * item.RectFull.GetArea())
                << "out of the screen: " << place;
            EXPECT_TRUE(scrolls || item.RectClipped.GetArea() > 0.5F * item.RectFull.GetArea())
                << "cannot be reached: " << place << " of which shows " << described(item.RectClipped);
            for (const ImGuiTestItemInfo* other : seen) {
                if (other->Window != item.Window) continue;
                const ImRect both = common(item.RectClipped, other->RectClipped);
                // A control of a title may stand where the last tab shows its button.
                const bool title = (window.Flags & ImGuiWindowFlags_DockNodeHost) != 0;
                const float tab_button = ImGui::GetFontSize() + ImGui::GetStyle().ItemInnerSpacing.x;
                if (both.GetWidth() <= (title ? tab_button : 2) || both.GetHeight() <= 2) continue;
                // A field in its frame, a button on a picture: one wholly in the other is meant.
                ImRect wide = item.RectFull, other_wide = other->RectFull;
                wide.Expand(1);
                other_wide.Expand(1);
                EXPECT_TRUE(wide.Contains(other->RectClipped) || other_wide.Contains(item.RectClipped))
                    << place << " lies on " << other->DebugLabel << " " << described(other->RectFull);
            }
            seen.push_back(&item);
        }
    }
};

class TidyWindow : public Tidy {
  protected:
    /// Every panel in front of its tabs once, at the start, in the middle and at the end; and the other arrangements.
    void walk() {
        shell().arrange(Arrangement::study);
        frames(8);
        for (const std::unique_ptr<Panel>& panel : shell().panels()) {
            SCOPED_TRACE(panel->title());
            shell().bring_up(panel->title());
            frames(3);
            expect_tidy();
        }
        for (const Arrangement arrangement : {Arrangement::lecture, Arrangement::compare}) {
            SCOPED_TRACE(name_of(arrangement));
            shell().arrange(arrangement);
            frames(8);
            workspace().seek(arrangement == Arrangement::lecture ? workspace().at().end() / 2 : workspace().at().end());
            frames(3);
            expect_tidy();
        }
        workspace().home();
    }
};

TEST_F(TidyWindow, AtTheSizeOfASmallLaptop) { walk(); }

TEST_F(TidyWindow, AtTheSizeOfAProjectorInLight) {
    resize(1920, 1080);
    shell().toggle_theme();
    workspace().open("scan/up-sweep-down-sweep");
    settle();
    walk();
}

TEST_F(TidyWindow, FrameByFrameWhileTheArrangementChanges) {
    resize(1920, 1080);
    for (const Arrangement arrangement : {Arrangement::compare, Arrangement::lecture, Arrangement::study}) {
        shell().arrange(arrangement);
        for (int frame = 0; frame < 10; ++frame) {
            SCOPED_TRACE(std::string(name_of(arrangement)) + ", frame " + std::to_string(frame));
            expect_texts_tidy();
        }
    }
}

TEST_F(TidyWindow, WithWhatIsOpenOnTop) {
    for (const auto& open :
         {+[](Shell& shell) { shell.toggle_help(); }, +[](Shell& shell) { shell.search("re"); },
          +[](Shell& shell) { shell.export_picture(); }, +[](Shell& shell) { shell.toggle_alone(); }}) {
        open(shell());
        frames(4);
        expect_texts_tidy();
        expect_items_tidy();
        shell().escape();
        frames(2);
    }
}

class LongTidyWindow : public TidyWindow {
  protected:
    /// A third of the panels and one arrangement, others each time: three sizes or scales in turn show everything.
    void walk_some() {
        shell().arrange(Arrangement::study);
        frames(8);
        for (std::size_t index = turn_ % 3; index < shell().panels().size(); index += 3) {
            const std::unique_ptr<Panel>& panel = shell().panels()[index];
            SCOPED_TRACE(panel->title());
            shell().bring_up(panel->title());
            frames(3);
            expect_tidy();
        }
        const Arrangement arrangement = arrangements[turn_ % arrangements.size()];
        SCOPED_TRACE(name_of(arrangement));
        shell().arrange(arrangement);
        frames(8);
        workspace().seek(workspace().at().end() * (turn_ % 3) / 2);
        frames(3);
        expect_tidy();
        workspace().home();
        ++turn_;
    }

  private:
    std::size_t turn_ = 0;
};

TEST_F(LongTidyWindow, AtEverySizeFromTheSmallestToTheLargest) {
    constexpr std::array sizes = {ImVec2(1024, 640),  ImVec2(1366, 768),  ImVec2(1440, 900), ImVec2(1600, 900),
                                  ImVec2(1920, 1200), ImVec2(2560, 1440), ImVec2(3840, 2160)};
    for (const ImVec2 size : sizes) {
        SCOPED_TRACE(std::to_string(static_cast<int>(size.x)) + " x " + std::to_string(static_cast<int>(size.y)));
        resize(static_cast<int>(size.x), static_cast<int>(size.y));
        walk_some();
    }
}

TEST_F(LongTidyWindow, AtEveryScaleInBothThemes) {
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1920, 1080), std::pair(3840, 2160)}) {
        resize(width, height);
        for (const float scale : {0.75F, 1.25F, 1.5F, 2.0F, 3.0F}) {
            SCOPED_TRACE(std::to_string(width) + " at scale " + std::to_string(scale));
            workspace().settings.scale = scale;
            shell().toggle_theme();
            walk_some();
        }
        workspace().settings.scale = 1;
    }
}

TEST_F(LongTidyWindow, WithEveryKernelOfTheCatalog) {
    for (const session::Program& program : session::catalog()) {
        SCOPED_TRACE(program.name);
        workspace().open(program.name);
        settle();
        workspace().seek(workspace().at().end() / 2);
        frames(4);
        expect_tidy();
    }
}

}  // namespace
}  // namespace lanescope::ui
