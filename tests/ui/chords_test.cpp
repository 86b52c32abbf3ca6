#include "ui/commands.h"

#include <gtest/gtest.h>
#include <imgui.h>

namespace lanescope::ui {
namespace {

class Chords : public testing::Test {
  protected:
    Chords() {
        ImGui::SetCurrentContext(own_);
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {100, 100};
        io.IniFilename = nullptr;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    }
    ~Chords() override {
        ImGui::DestroyContext(own_);
        ImGui::SetCurrentContext(before_);
    }

    static void control(bool down) {
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
        ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, down);
    }
    static void key(bool down) { ImGui::GetIO().AddKeyEvent(ImGuiKey_O, down); }

    /// Draws frames until nothing waits; how often Ctrl + O and O alone were seen.
    void draw() {
        for (int frame = 0; frame < 12; ++frame) {
            begin_frame_by_chords();
            if (ImGui::IsKeyPressed(ImGuiKey_O, false)) ++(ImGui::GetIO().KeyMods == ImGuiMod_Ctrl ? chords : alone);
            ImGui::EndFrame();
        }
    }

    int chords = 0, alone = 0;

  private:
    ImGuiContext* before_ = ImGui::GetCurrentContext();
    ImGuiContext* own_ = ImGui::CreateContext();
};

TEST_F(Chords, AreReadWholeWhenTheFrameBeforeSawOnlyTheModifier) {
    control(true);
    draw();
    key(true), control(false), key(false);
    draw();
    EXPECT_EQ(chords, 1);
    EXPECT_EQ(alone, 0);
}

TEST_F(Chords, AreAllReadWhenSeveralComeBetweenTwoFrames) {
    for (int chord = 0; chord < 2; ++chord) control(true), key(true), key(false), control(false);
    key(true), key(false);
    draw();
    EXPECT_EQ(chords, 2);
    EXPECT_EQ(alone, 1);
}

}  // namespace
}  // namespace lanescope::ui
