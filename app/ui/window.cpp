#include "ui/window.h"

#include "base/files.h"
#include "render/gl/renderer.h"
#include "ui/commands.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>

namespace lanescope::ui {
namespace {

constexpr int least_width = 640, least_height = 400;
constexpr int settling_frames = 3;        // ImGui lays out one frame ahead
constexpr double settling_seconds = 0.6;  // until delayed tooltips have appeared

std::string last_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text == nullptr ? "no reason given" : text;
}

Problem no_window(std::string what) {
    return {std::move(what),
            {},
            "Without a display, use the commands lanescope trace and lanescope render. See lanescope --help."};
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const session::WindowOptions& options) {
    std::unique_ptr<Window> made(new Window);
    Settings settings;
    if (options.remember) made->folder_ = configuration_folder();
    if (!made->folder_.empty()) settings = load_settings(made->folder_ / "settings.json");
    if (options.light) settings.theme = *options.light ? scene::Theme::light : scene::Theme::dark;
    if (options.scale) settings.scale = std::clamp(*options.scale, smallest_scale, largest_scale);

    // Xlib reports a display server that goes away; without this the signal would end the process silently.
    std::signal(SIGPIPE, SIG_IGN);
    glfwSetErrorCallback([](int, const char*) {});  // errors are read by glfwGetError
    // Without a Wayland session GLFW must not look for one.
    if (std::getenv("WAYLAND_DISPLAY") == nullptr && std::getenv("DISPLAY") != nullptr)
        glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
    if (glfwInit() == GLFW_FALSE)
        return std::unexpected(no_window(fmt::format("no window can be opened: {}", last_error())));
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, settings.maximized && options.width == 0 ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, options.screenshot.empty() ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "lanescope");
    glfwWindowHintString(GLFW_WAYLAND_APP_ID, "lanescope");
    const int width = options.width > 0 ? options.width : settings.width;
    const int height = options.height > 0 ? options.height : settings.height;
    made->window_ = glfwCreateWindow(width, height, "Lanescope", nullptr, nullptr);
    if (made->window_ == nullptr) {
        return std::unexpected(no_window(fmt::format("no window with OpenGL 3.3 can be opened: {}", last_error())));
    }
    glfwSetWindowSizeLimits(made->window_, least_width, least_height, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(made->window_);
    glfwSwapInterval(options.screenshot.empty() ? 1 : 0);
    if (auto loaded = render::load_gl(&glfwGetProcAddress); !loaded) return std::unexpected(loaded.error());

    made->imgui_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
    io.ConfigDockingAlwaysTabBar = true;  // the tab is the panel's title
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigInputTextCursorBlink = false;  // no frames are drawn at rest
    io.ConfigInputTrickleEventQueue = true;
    made->layout_file_ = made->folder_.empty() ? std::string() : (made->folder_ / "layout.ini").string();
    io.IniFilename = made->layout_file_.empty() ? nullptr : made->layout_file_.c_str();
    io.LogFilename = nullptr;
    if (!made->folder_.empty()) {
        std::error_code ignored;  // without the folder only the layout is lost
        std::filesystem::create_directories(made->folder_, ignored);
    }
    // On keyboards with a `+` key (German, Nordic) ImGui has no name for it: report the keypad's instead. ImGui's
    // callback, set next, calls this one first.
    glfwSetKeyCallback(made->window_, [](GLFWwindow*, int key, int scancode, int action, int) {
        const char* name = glfwGetKeyName(key, scancode);
        const bool is_plus = name != nullptr && std::string_view(name) == "+" && key != GLFW_KEY_KP_ADD;
        if (is_plus && action != GLFW_REPEAT) ImGui::GetIO().AddKeyEvent(ImGuiKey_KeypadAdd, action == GLFW_PRESS);
    });
    ImGui_ImplGlfw_InitForOpenGL(made->window_, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");

    auto renderer = render::GlRenderer::create();
    if (!renderer) return std::unexpected(renderer.error());
    Window* self = made.get();
    Shell::Host host;
    host.toggle_full_screen = [self] { self->toggle_full_screen(); };
    host.full_screen = [self] { return self->full_screen(); };
    host.close = [self] { self->close(); };
    host.copy = [](const char* text) { ImGui::SetClipboardText(text); };
    if (!made->folder_.empty()) host.folder = made->folder_ / "recordings";
    made->shell_ = std::make_unique<Shell>(std::move(settings), std::move(*renderer), std::move(host));

    glfwSetWindowUserPointer(made->window_, self);
    glfwSetDropCallback(made->window_, [](GLFWwindow* window, int count, const char** paths) {
        static_cast<Window*>(glfwGetWindowUserPointer(window))->dropped(count, paths);
    });
    // A changed size needs frames to settle.
    glfwSetFramebufferSizeCallback(made->window_, [](GLFWwindow* window, int, int) {
        static_cast<Window*>(glfwGetWindowUserPointer(window))->lively_ = settling_frames;
    });
    // A screenshot keeps no session and no settings.
    if (options.screenshot.empty()) made->keeper_.emplace(made->session_file());
    made->kept_ = made->shell_->settings();
    return made;
}

Window::~Window() {
    shell_.reset();  // its renderer needs the context
    if (imgui_ != nullptr) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext(imgui_);
    }
    if (window_ != nullptr) glfwDestroyWindow(window_);
    glfwTerminate();
}

bool Window::should_close() {
    if (glfwWindowShouldClose(window_) == 0) return false;
    if (shell_->presentation().may_close(*shell_)) return true;
    glfwSetWindowShouldClose(window_, GLFW_FALSE);
    lively_ = settling_frames;
    return false;
}

void Window::frame() {
    float monitor_scale = 1, unused = 1;
    glfwGetWindowContentScale(window_, &monitor_scale, &unused);
    int width = 0, height = 0, pixel_width = 0, pixel_height = 0;
    glfwGetWindowSize(window_, &width, &height);
    glfwGetFramebufferSize(window_, &pixel_width, &pixel_height);
    if (pixel_width <= 0 || pixel_height <= 0) return;  // minimized
    // On Wayland, window sizes are in points, as ImGui's units are.
    if (width > 0)
        monitor_scale = std::max(1.0F, monitor_scale * static_cast<float>(width) / static_cast<float>(pixel_width));

    shell_->prepare(monitor_scale, static_cast<float>(width), static_cast<float>(height));
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    begin_frame_by_chords();
    shell_->draw();
    if (keeper_) keeper_->follow(shell_->workspace(), glfwGetTime());
    // Settings rarely change: they are written at once and survive a crash.
    if (keeper_) {
        if (Settings now = shell_->settings(); now != kept_) {
            kept_ = std::move(now);
            save();
        }
    }
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (keep_pixels_)
        pixels_ = {static_cast<unsigned>(pixel_width), static_cast<unsigned>(pixel_height),
                   render::read_framebuffer(pixel_width, pixel_height)};
    glfwSwapBuffers(window_);
    if (lively_ > 0) --lively_;
}

void Window::wait() {
    double quiet = shell_->quiet_for();
    const bool busy = shell_->workspace().busy();
    // A result may have arrived since the last frame polled.
    if ((was_busy_ && !busy) || shell_->workspace().has_answer()) lively_ = settling_frames;
    was_busy_ = busy;
    const double began = glfwGetTime();
    // ImGui processes one key press per frame: queued events need frames now, and some more to settle.
    if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) lively_ = settling_frames;
    if (lively_ > 0) quiet = 0;
    if (began < settle_until_) quiet = quiet < 0 ? 0.1 : std::min(quiet, 0.1);
    if (ImGui::GetIO().WantTextInput || ImGui::IsAnyItemActive()) quiet = quiet < 0 ? 0.25 : std::min(quiet, 0.25);
    if (quiet == 0) return glfwPollEvents();

    // Nothing is drawn until there is something new, but files are still polled.
    for (;;) {
        const double now = glfwGetTime();
        const double left = quiet < 0 ? -1 : began + quiet - now;
        if (quiet > 0 && left <= 0) return;
        double sleep = left;
        const auto wake = [&](double wanted) {
            if (wanted >= 0 && (sleep < 0 || wanted < sleep)) sleep = std::max(wanted, 0.001);
        };
        if (!shell_->workspace().file().empty() || !shell_->presentation().file().empty())
            wake(std::max(next_look_ - now, 0.0));
        if (keeper_) wake(keeper_->due_in(now));
        if (sleep < 0) {
            glfwWaitEvents();
        } else {
            glfwWaitEventsTimeout(sleep);
        }
        // Woken early: there was an event.
        if (sleep < 0 || glfwGetTime() - now < sleep * 0.95) {
            lively_ = settling_frames;
            settle_until_ = glfwGetTime() + settling_seconds;
            return;
        }
        if (look_at_files(glfwGetTime())) return;
    }
}

bool Window::look_at_files(double now) {
    if (keeper_) keeper_->follow(shell_->workspace(), now);
    if (now < next_look_) return false;
    next_look_ = now + FileWatch::period;
    return shell_->look_at_disk();
}

void Window::poll() { glfwPollEvents(); }

void Window::resize(int width, int height) { glfwSetWindowSize(window_, width, height); }

void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

void Window::dropped(int count, const char** paths) {
    const std::vector<std::string> all(paths, paths + std::max(count, 0));
    shell_->drop(all);
}

std::filesystem::path Window::session_file() const {
    return folder_.empty() ? std::filesystem::path() : folder_ / "session.json";
}

bool Window::full_screen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void Window::toggle_full_screen() {
    if (full_screen()) {
        glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width, windowed_.height,
                             GLFW_DONT_CARE);
        return;
    }
    glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
    glfwGetWindowSize(window_, &windowed_.width, &windowed_.height);
    // The monitor of the window's center.
    const int middle_x = windowed_.x + windowed_.width / 2, middle_y = windowed_.y + windowed_.height / 2;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* chosen = glfwGetPrimaryMonitor();
    for (int index = 0; index < count; ++index) {
        int x = 0, y = 0;
        glfwGetMonitorPos(monitors[index], &x, &y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[index]);
        if (mode != nullptr && middle_x >= x && middle_x < x + mode->width && middle_y >= y &&
            middle_y < y + mode->height)
            chosen = monitors[index];
    }
    if (chosen == nullptr) return;
    const GLFWvidmode* mode = glfwGetVideoMode(chosen);
    glfwSetWindowMonitor(window_, chosen, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::save() {
    if (folder_.empty()) return;
    if (keeper_) keeper_->write();
    Settings settings = shell_->settings();
    settings.maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
    if (!settings.maximized && !full_screen()) {
        glfwGetWindowSize(window_, &settings.width, &settings.height);
    }
    // A failure while the window closes cannot be handled and loses only settings.
    [[maybe_unused]] const Result<void> saved = save_settings(settings, folder_ / "settings.json");
    if (ImGui::GetIO().IniFilename != nullptr) ImGui::SaveIniSettingsToDisk(ImGui::GetIO().IniFilename);
}

}  // namespace lanescope::ui
