#include "ui/chord_order.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <vector>

namespace lanescope::ui {
namespace {

bool is_modifier(ImGuiKey key) {
    return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

/// The first release of a modifier behind the press of another key; the queue's size where there is none.
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

void begin_frame_by_chords() {
    ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    const int end = end_of_chord(queue);
    const std::vector<ImGuiInputEvent> later(queue.begin() + end, queue.end());
    queue.resize(end);
    ImGui::NewFrame();
    for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

}  // namespace lanescope::ui
