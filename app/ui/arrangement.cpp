#include "ui/arrangement.h"

#include <imgui_internal.h>

#include <algorithm>
#include <initializer_list>

namespace lanescope::ui {
namespace {

constexpr float narrow_points = 1120, wide_points = 1600, low_points = 960;
constexpr float stage_points = 640;  // lower: a presented panel needs all the room

void dock(ImGuiID node, std::initializer_list<const char*> titles) {
    for (const char* title : titles) ImGui::DockBuilderDockWindow(title, node);
}

// Of a comparison; they appear while there is one.
void dock_other_program(ImGuiID node) { dock(node, {"Passes B", "Warps B", "Banks B", "Compare"}); }

/// Splits `share` (0..1) of `rest` off at a side.
ImGuiID cut(ImGuiID& rest, ImGuiDir side, float share) {
    return ImGui::DockBuilderSplitNode(rest, side, share, nullptr, &rest);
}

constexpr const char* source = "Source";

// Source and its tabs. Lecture is below them, in a dock that takes no room while none is open; in a low window it is a
// tab.
void texts(ImGuiID node, Room room) {
    if (!room.low) dock(cut(node, ImGuiDir_Down, 0.45F), {"Lecture"});
    dock(node, {source, "Lesson"});
    if (room.low) dock(node, {"Lecture"});
}

// Source and Passes at full height; the other panels are tabs of one of them.
void lecture(ImGuiID rest, Room room, float share) {
    const ImGuiID left = cut(rest, ImGuiDir_Left, share);
    texts(left, room);
    dock(rest, {"Passes", "Grid", "Map", "Banks", "Sectors", "Warps", "Memory", "Counts", "Theory", "Timing",
                "Findings", "Program"});
    dock_other_program(rest);
}

// From left to right: the banks of a pass, its lanes, its cost on hardware.
void measures(ImGuiID rest, std::initializer_list<const char*> banks, std::initializer_list<const char*> warps) {
    const ImGuiID timing = cut(rest, ImGuiDir_Right, 0.36F);
    const ImGuiID lanes = cut(rest, ImGuiDir_Right, 0.53F);
    dock(rest, banks);
    dock(lanes, warps);
    dock(timing, {"Timing"});
}

// Source left, Passes with the most room, Counts and Findings right, Banks and Warps below. Timing stands below Counts
// where there is room for it: its chart is higher than the rows of a small block. A panel without room of its own
// becomes a tab.
void study(ImGuiID rest, Room room, float share) {
    const float below_share = 0.37F;
    const ImGuiID right = room.narrow ? 0 : cut(rest, ImGuiDir_Right, room.low ? 0.27F : room.wide ? 0.3F : 0.25F);
    const ImGuiID below = room.low ? 0 : cut(rest, ImGuiDir_Down, below_share);
    const ImGuiID left = cut(rest, ImGuiDir_Left, share);
    texts(left, room);
    // Eight tabs do not fit beside each other where the window is low.
    const bool crowded = room.low && !room.narrow;
    dock(rest, {"Passes", "Grid"});
    if (!crowded) dock(rest, {"Map", "Theory"});
    dock_other_program(rest);
    if (room.low) {
        dock(rest, {"Banks", "Sectors", "Warps", "Memory", "Timing"});
    } else {
        ImGuiID banks = below;
        const ImGuiID warps = cut(banks, ImGuiDir_Right, 0.5F);
        dock(banks, {"Banks", "Sectors"});
        dock(warps, {"Warps", "Memory"});
        if (!room.wide) dock(warps, {"Timing"});
    }
    if (room.narrow) {
        dock(rest, {"Counts", "Findings", "Program"});
    } else if (room.wide) {
        ImGuiID counts = right;
        dock(cut(counts, ImGuiDir_Down, 0.43F), {"Timing"});
        dock(counts, {"Counts", "Findings", "Program"});
    } else {
        // The table of counts is as high as the passes are many.
        ImGuiID counts = right;
        const ImGuiID under = room.low ? right : cut(counts, ImGuiDir_Down, 0.22F);
        dock(counts, {"Counts"});
        dock(under, {"Findings", "Program"});
        if (crowded) dock(under, {"Map", "Theory"});
    }
}

// Four quarters and a narrow Source beside them: two where there is no room for four, five where there is room for
// Timing.
void compare(ImGuiID rest, Room room, float share) {
    if (!room.narrow) {
        const ImGuiID left = cut(rest, ImGuiDir_Left, share);
        dock(left, {source});
    }
    // The tree and the table grow with the passes; a warp's lanes and a bank's words need little height.
    constexpr float below = 0.36F;
    if (room.wide) {
        measures(cut(rest, ImGuiDir_Down, below), {"Banks", "Sectors", "Memory"}, {"Warps"});
        const ImGuiID counts = cut(rest, ImGuiDir_Right, 0.4F);
        dock(rest, {"Passes", "Grid", "Map", "Theory", "Lesson", "Lecture", "Findings", "Program"});
        dock(counts, {"Counts"});
        return;
    }
    const ImGuiID right = cut(rest, ImGuiDir_Right, 0.5F);
    if (room.low) {
        dock(rest, {"Warps", "Passes", "Grid", "Map", "Theory"});
        dock(right, {"Banks", "Sectors", "Counts", "Memory", "Timing"});
    } else {
        ImGuiID top_left = rest, top_right = right;
        const ImGuiID bottom_left = cut(top_left, ImGuiDir_Down, below);
        const ImGuiID bottom_right = cut(top_right, ImGuiDir_Down, below);
        dock(top_left, {"Passes", "Grid", "Map", "Theory"});
        dock(top_right, {"Counts", "Timing"});
        dock(bottom_left, {"Warps"});
        dock(bottom_right, {"Banks", "Sectors", "Memory"});
        rest = top_left;
    }
    dock(rest, {"Lesson", "Lecture", "Findings", "Program"});
    if (room.narrow) dock(rest, {source});
}

// The picture takes the room; what stands beside it otherwise is a click away.
void stage(ImGuiID all) {
    dock(all, {"Passes", source, "Lesson", "Lecture", "Grid", "Map", "Banks", "Sectors", "Warps", "Memory", "Counts",
               "Theory", "Timing", "Findings", "Program"});
    dock_other_program(all);
}

// Small multiples of all in Compare, the panels of A above those of B beside them.
void compare_many(ImGuiID rest, Room room) {
    ImGuiID one = cut(rest, ImGuiDir_Right, room.narrow ? 0.36F : 0.34F);
    dock(rest, {"Compare", "Counts", source, "Timing", "Lesson", "Lecture", "Findings", "Program", "Memory", "Sectors",
                "Grid", "Map", "Theory"});
    const ImGuiID other = cut(one, ImGuiDir_Down, 0.5F);
    dock(one, {"Passes", "Warps", "Banks"});
    dock(other, {"Passes B", "Warps B", "Banks B"});
}

// A left, B beside it, each with its passes above its lanes and banks; what differs right of them. In a low window the
// three are tabs.
void compare_two(ImGuiID rest, Room room) {
    const ImGuiID right = cut(rest, ImGuiDir_Right, room.narrow ? 0.42F : room.low ? 0.40F : 0.38F);
    dock(right, {"Compare", "Counts", source, "Timing", "Lesson", "Lecture", "Findings", "Program", "Memory", "Sectors",
                 "Grid", "Map", "Theory"});
    ImGuiID one = rest;
    ImGuiID other = cut(one, ImGuiDir_Right, 0.5F);
    if (room.low) {
        dock(one, {"Passes", "Warps", "Banks"});
        dock(other, {"Passes B", "Warps B", "Banks B"});
        return;
    }
    constexpr float below = 0.42F;
    const ImGuiID below_one = cut(one, ImGuiDir_Down, below), below_other = cut(other, ImGuiDir_Down, below);
    dock(one, {"Passes"});
    dock(other, {"Passes B"});
    dock(below_one, {"Warps", "Banks"});
    dock(below_other, {"Warps B", "Banks B"});
}

// The width of Source as a share (0..1) of the dock that it is split from, until the panels say what they need;
// `two_texts`: CUDA and PTX side by side. 0: Source shares its dock with pictures.
float source_share(Arrangement arrangement, Room room, bool two_texts) {
    if (room.stage || (arrangement == Arrangement::compare && (room.two || room.narrow))) return 0;
    switch (arrangement) {
        case Arrangement::lecture: return two_texts ? 0.55F : room.narrow ? 0.40F : 0.33F;
        case Arrangement::study: return two_texts ? 0.58F : room.low && !room.narrow ? 0.40F : 0.37F;
        case Arrangement::compare: break;
    }
    return two_texts ? 0.44F : 0.24F;
}

}  // namespace

std::string_view name_of(Arrangement arrangement) {
    switch (arrangement) {
        case Arrangement::lecture: return "lecture";
        case Arrangement::study: return "study";
        case Arrangement::compare: break;
    }
    return "compare";
}

std::optional<Arrangement> arrangement_of(std::string_view name) {
    const auto found = std::ranges::find(arrangements, name, [](Arrangement each) { return name_of(each); });
    return found == arrangements.end() ? std::nullopt : std::optional(*found);
}

Room room_of(float dock_width, float window_height, std::size_t programs, bool presented) {
    const bool low = window_height < low_points;
    return {.narrow = dock_width < narrow_points,
            .low = low,
            .wide = dock_width >= wide_points && !low,
            .two = programs > 1,
            .many = programs > 2,
            .stage = presented && programs < 2 && window_height < stage_points};
}

void dock_panels(unsigned space, float width, float height, Arrangement arrangement, Room room, bool two_texts) {
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodeSize(space, {width, height});
    const float source_wide = source_share(arrangement, room, two_texts);
    if (room.stage) {
        stage(space);
        return ImGui::DockBuilderFinish(space);
    }
    switch (arrangement) {
        case Arrangement::lecture: lecture(space, room, source_wide); break;
        case Arrangement::study: study(space, room, source_wide); break;
        case Arrangement::compare:
            if (room.many) {
                compare_many(space, room);
            } else if (room.two) {
                compare_two(space, room);
            } else {
                compare(space, room, source_wide);
            }
            break;
    }
    ImGui::DockBuilderFinish(space);
}

std::vector<std::string_view> panels_without_room(Arrangement arrangement, Room room) {
    if (room.stage) return {};
    if (arrangement == Arrangement::compare && room.two) return {"Lesson", "Grid", "Memory", "Theory"};
    if (!room.narrow) return {};
    if (arrangement == Arrangement::lecture) return {"Map", "Sectors", "Memory", "Theory"};
    return {"Map", "Theory"};
}

std::vector<const char*> panels_in_front(Arrangement arrangement, Room room) {
    if (room.stage) return {"Passes"};
    if (arrangement == Arrangement::compare && room.two) return {"Compare", "Warps", "Warps B", "Passes", "Passes B"};
    if (arrangement == Arrangement::compare) return {"Counts", "Source", "Banks", "Warps"};
    return {"Counts", "Warps", "Source", "Passes"};
}

}  // namespace lanescope::ui
