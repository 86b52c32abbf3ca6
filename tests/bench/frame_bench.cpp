// The CPU cost of a frame of the window, without the driver's work, beside an empty ImGui window with the same docking:
// all panels at rest, scrubbing, zooming; 1024 threads by ten passes, and 2^20 threads counted with the first blocks
// recorded.
#include "bench/silent_gl.h"

#include "render/gl/renderer.h"
#include "ui/shell.h"

#include <benchmark/benchmark.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace lanescope::ui {
namespace {

constexpr float width = 1920, height = 1080;

/// ImGui's context without a window system or a driver.
class Screen {
  public:
    Screen() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
        io.ConfigDockingAlwaysTabBar = true;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        ImGui::GetPlatformIO().DrawCallback_ResetRenderState = [](const ImDrawList*, const ImDrawCmd*) {};
        io.DisplaySize = {width, height};
        io.DeltaTime = 1.0F / 60;
        if (!render::load_gl(&silent_gl)) throw std::runtime_error("the silent OpenGL is not accepted");
    }
    ~Screen() { ImGui::DestroyContext(); }
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    /// Ends a frame as a backend does: accepts the textures, and calls the callbacks that draw.
    static void present() {
        ImGui::Render();
        const ImDrawData& data = *ImGui::GetDrawData();
        for (ImTextureData* texture : *data.Textures) {
            if (texture->Status == ImTextureStatus_WantCreate) texture->SetTexID(1);
            if (texture->Status != ImTextureStatus_Destroyed)
                texture->SetStatus(texture->Status == ImTextureStatus_WantDestroy ? ImTextureStatus_Destroyed
                                                                                  : ImTextureStatus_OK);
        }
        for (const ImDrawList* list : data.CmdLists) {
            for (const ImDrawCmd& command : list->CmdBuffer) {
                if (command.UserCallback != nullptr) command.UserCallback(list, &command);
            }
        }
    }
};

class Bench {
  public:
    Bench(const char* program, const char* block, const char* n) {
        auto renderer = render::GlRenderer::create();
        if (!renderer) throw std::runtime_error(renderer.error().message());
        shell_ = std::make_unique<Shell>(Settings{}, std::move(*renderer), Shell::Host{});
        LaunchValues values;
        values[Field::program] = program;
        values[Field::block] = block;
        values[Field::n] = n;
        workspace().begin(std::move(values));
        while (workspace().busy()) {
            workspace().poll();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        for (int settling = 0; settling < 20; ++settling) frame();
        if (workspace().shown() == nullptr) throw std::runtime_error("the kernel of the benchmark does not run");
    }
    [[nodiscard]] Workspace& workspace() { return shell_->workspace(); }
    /// Opens a second program beside it.
    void compare_with(const char* program) {
        LaunchValues values = workspace().form().ran();
        values[Field::program] = program;
        shell_->compare_with(std::move(values));
        while (shell_->comparing().comparison() == nullptr || shell_->comparing().is_busy()) frame();
        for (int settling = 0; settling < 20; ++settling) frame();
    }
    void frame() {
        shell_->prepare(1, width, height);
        ImGui::NewFrame();
        shell_->draw();
        Screen::present();
    }

  private:
    Screen screen_;
    std::unique_ptr<Shell> shell_;
};

void empty_window(benchmark::State& state) {
    const Screen screen;
    const std::array<std::string, 6> titles{"Source", "Passes", "Counts", "Banks", "Warps", "Findings"};
    constexpr ImGuiID space = 1;
    bool arranged = false;
    const auto frame = [&] {
        ImGui::NewFrame();
        if (!std::exchange(arranged, true)) dock_panels(space, width, height, Arrangement::study, {}, false, titles);
        ImGui::DockSpaceOverViewport(space);
        for (const std::string& title : titles) {
            ImGui::Begin(title.c_str());
            ImGui::End();
        }
        Screen::present();
    };
    for (int settling = 0; settling < 5; ++settling) frame();
    for (auto step : state) frame();
}
BENCHMARK(empty_window)->Unit(benchmark::kMillisecond);

/// From nothing to a frame with the lesson in it, with compiled code kept from before; the requirement is under a
/// second. Without the program's start, the window system and the driver.
void first_frame(benchmark::State& state) {
    for (auto step : state) {
        Bench bench("reduce/interleaved-modulo", "16", "16");
        benchmark::DoNotOptimize(bench.workspace().shown());
    }
    state.counters["asked_ms"] = 1000;
}
BENCHMARK(first_frame)->Name("asked/first_frame")->Unit(benchmark::kMillisecond);

constexpr const char* lesson = "reduce/interleaved-modulo";  // 1024 threads: a tree of ten passes

void all_panels_at_rest(benchmark::State& state) {
    Bench bench(lesson, "1024", "1024");
    for (auto step : state) bench.frame();
}
BENCHMARK(all_panels_at_rest)->Unit(benchmark::kMillisecond);

/// Another position in each frame, over the whole run.
void scrub(benchmark::State& state, Bench& bench) {
    constexpr std::size_t places = 97;
    std::size_t place = 0;
    for (auto step : state) {
        place = (place + 1) % places;
        bench.workspace().seek(bench.workspace().at().end() * place / places);
        bench.frame();
    }
}

void scrubbing(benchmark::State& state) {
    Bench bench(lesson, "1024", "1024");
    scrub(state, bench);
}
BENCHMARK(scrubbing)->Unit(benchmark::kMillisecond);

void zooming(benchmark::State& state) {
    Bench bench(lesson, "1024", "1024");
    const ImGuiWindow* passes = ImGui::FindWindowByName("Passes");
    const ImVec2 middle = passes->Rect().GetCenter();
    ImGui::GetIO().AddMousePosEvent(middle.x, middle.y);
    int turn = 0;
    for (auto step : state) {
        ImGui::GetIO().AddMouseWheelEvent(0, turn++ % 40 < 20 ? 1.0F : -1.0F);
        bench.frame();
    }
}
BENCHMARK(zooming)->Unit(benchmark::kMillisecond);

/// With a second program compared, as a multiple of the same with one; the requirement is at most twice.
void two_programs_compared(benchmark::State& state) {
    constexpr int frames = 200;
    const auto seconds = [](bool two) {
        Bench bench(lesson, "1024", "1024");
        if (two) bench.compare_with("reduce/sequential");
        const auto began = std::chrono::steady_clock::now();
        for (int place = 0; place < frames; ++place) {
            bench.workspace().seek(bench.workspace().at().end() * static_cast<std::size_t>(place) / frames);
            bench.frame();
        }
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    };
    double one = 0, two = 0;
    for (auto step : state) {
        one += seconds(false);
        two += seconds(true);
    }
    state.counters["two_times_one"] = two / one;
    state.counters["asked"] = 2;
}
BENCHMARK(two_programs_compared)->Name("asked/two_programs_compared")->Unit(benchmark::kMillisecond);

void scrubbing_a_block_of_a_million_threads(benchmark::State& state) {
    Bench bench("reduce/sequential", "1024", "1048576");
    scrub(state, bench);
}
BENCHMARK(scrubbing_a_block_of_a_million_threads)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope::ui
