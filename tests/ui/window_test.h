// The real window, driven by Dear ImGui's test engine: mouse and keys as a person's, one frame at a time, no clock.
#pragma once

#include "ui/window.h"

#include <gtest/gtest.h>

#include <imgui.h>
#include <imgui_te_context.h>

#include <functional>
#include <memory>
#include <string>

struct ImGuiTestEngine;

namespace lanescope::ui {

class WindowTest : public ::testing::Test {
  protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();
    void SetUp() override;  ///< the window at 1280 x 720 with the default kernel run, at the start, nothing selected

    /// Lets the engine act; returns when it has, and the window has settled. Its own failures become the test's.
    void act(const std::function<void(ImGuiTestContext&)>& actions);
    /// Draws until nothing runs any more.
    void settle();
    void frames(int count);
    /// Draws frames until the condition holds, however long a child process takes.
    void until(const std::function<bool()>& condition);
    /// Runs a kernel in one block of that many threads, with as many elements.
    void run(const char* program, const char* block);
    /// Runs the kernel of a file with that text; without a grid, in as many blocks as n needs.
    void run_source(const std::string& file, const std::string& text, const char* block, const char* n,
                    const char* grid = "");
    void resize(int width, int height);
    /// Writes what the next frame shows to $LANESCOPE_TEST_PICTURES/NAME.png, where that is set, to be inspected.
    static void keep_picture(const std::string& name);
    /// Types into a launch field and leaves it with Enter.
    void type(const std::string& field, const std::string& text);
    void key(ImGuiKeyChord chord);    ///< presses it
    static void expect_no_tab_cut();  ///< each dock in view has room for the names of its tabs
    [[nodiscard]] static Panel& panel(std::string_view title);

    [[nodiscard]] static Window& window() { return *window_; }
    [[nodiscard]] static Shell& shell() { return window_->shell(); }
    [[nodiscard]] static Workspace& workspace() { return window_->shell().workspace(); }

  private:
    static std::unique_ptr<Window> window_;
    static ImGuiTestEngine* engine_;
    static bool unavailable_;
    static std::string picture_;  // name of the next frame's, if it is to be kept

    static void draw();
};

}  // namespace lanescope::ui
