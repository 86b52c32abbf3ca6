#include "ui/arrangement.h"

#include <imgui_internal.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>

namespace lanescope::ui {
namespace {

constexpr float narrow_points = 1120, wide_points = 1600, low_points = 960;
constexpr float stage_points = 640;  // in a lower window a presented panel needs all the room

// Puts panels into docks and knows which have one.
class Docking {
  public:
    void dock(ImGuiID node, std::initializer_list<const char*> titles) {
        for (const char* title : titles) dock(node, title);
    }
    // The panels of a comparison; they appear while there is one.
    void dock_other_program(ImGuiID node) { dock(node, {"Passes B", "Warps B", "Banks B", "Compare"}); }
    // The panels that an arrangement does not name.
    void dock_others(ImGuiID node, std::span<const std::string> titles) {
        for (const std::string& title : titles)
            if (!docked_.contains(title)) dock(node, title.c_str());
    }

  private:
    void dock(ImGuiID node, const char* title) {
        ImGui::DockBuilderDockWindow(title, node);
        docked_.insert(title);
    }

    std::set<std::string, std::less<>> docked_;
};

/// Splits `share` (0..1) of `rest` off at a side.
ImGuiID cut(ImGuiID& rest, ImGuiDir side, float share) {
    return ImGui::DockBuilderSplitNode(rest, side, share, nullptr, &rest);
}

constexpr const char* source = "Source";

// Source and its tabs. Lecture is below them, in a dock that takes no room while none is open; in a low window it is a
// tab.
void texts(Docking& docks, ImGuiID node, Room room) {
    if (!room.low) docks.dock(cut(node, ImGuiDir_Down, 0.45F), {"Lecture"});
    docks.dock(node, {source, "Lesson"});
    if (room.low) docks.dock(node, {"Lecture"});
}

// In a low window neither eight tabs of pictures nor five tabs of numbers fit in a row. Theory, which is text, then
// stands beside the texts.
bool is_crowded(Room room) { return room.low && !room.narrow; }

// Each of the following functions returns the dock for the panels that it does not name.

// Source and Passes at full height; the other panels are tabs of one of them.
ImGuiID lecture(Docking& docks, ImGuiID rest, Room room, float share) {
    const ImGuiID left = cut(rest, ImGuiDir_Left, share);
    texts(docks, left, room);
    docks.dock(rest, {"Passes", "Grid", "Map", "Banks", "Sectors", "Warps", "Memory", "Counts"});
    docks.dock(is_crowded(room) ? left : rest, {"Theory"});
    docks.dock(rest, {"Timing", "Findings", "Program"});
    docks.dock_other_program(rest);
    return rest;
}

// From left to right: the banks of a pass, its lanes, its cost on hardware.
void measures(Docking& docks, ImGuiID rest, std::initializer_list<const char*> banks,
              std::initializer_list<const char*> warps) {
    const ImGuiID timing = cut(rest, ImGuiDir_Right, 0.36F);
    const ImGuiID lanes = cut(rest, ImGuiDir_Right, 0.53F);
    docks.dock(rest, banks);
    docks.dock(lanes, warps);
    docks.dock(timing, {"Timing"});
}

// Source left, Passes with the most room, Counts and Findings right, Banks and Warps below. Timing stands below Counts
// where there is room for it: its chart is higher than the rows of a small block. A panel without room of its own
// becomes a tab.
ImGuiID study(Docking& docks, ImGuiID rest, Room room, float share) {
    const float below_share = 0.37F;
    const ImGuiID right = room.narrow ? 0 : cut(rest, ImGuiDir_Right, room.low ? 0.27F : room.wide ? 0.3F : 0.25F);
    const ImGuiID below = room.low ? 0 : cut(rest, ImGuiDir_Down, below_share);
    const ImGuiID left = cut(rest, ImGuiDir_Left, share);
    texts(docks, left, room);
    const bool crowded = is_crowded(room);
    if (crowded) docks.dock(left, {"Theory"});
    docks.dock(rest, {"Passes", "Grid"});
    if (!crowded) docks.dock(rest, {"Map", "Theory"});
    docks.dock_other_program(rest);
    if (room.low) {
        docks.dock(rest, {"Banks", "Sectors", "Warps", "Memory", "Timing"});
    } else {
        ImGuiID banks = below;
        const ImGuiID warps = cut(banks, ImGuiDir_Right, 0.5F);
        docks.dock(banks, {"Banks", "Sectors"});
        docks.dock(warps, {"Warps", "Memory"});
        if (!room.wide) docks.dock(warps, {"Timing"});
    }
    if (room.narrow) {
        docks.dock(room.low ? left : rest, {"Counts", "Findings", "Program"});
    } else if (room.wide) {
        ImGuiID counts = right;
        docks.dock(cut(counts, ImGuiDir_Down, 0.43F), {"Timing"});
        docks.dock(counts, {"Counts", "Findings", "Program"});
    } else {
        // The table of counts has a row for each pass.
        ImGuiID counts = right;
        const ImGuiID under = room.low ? right : cut(counts, ImGuiDir_Down, 0.22F);
        docks.dock(counts, {"Counts"});
        docks.dock(under, {"Findings", "Program"});
        if (crowded) docks.dock(under, {"Map"});
    }
    return rest;
}

// Four quarters and a narrow Source beside them: two where there is no room for four, five where there is room for
// Timing.
ImGuiID compare(Docking& docks, ImGuiID rest, Room room, float share) {
    if (!room.narrow) {
        const ImGuiID left = cut(rest, ImGuiDir_Left, share);
        docks.dock(left, {source});
        if (room.low) docks.dock(left, {"Lesson", "Lecture"});
    }
    // The tree and the table grow with the passes; a warp's lanes and a bank's words need little height.
    constexpr float below = 0.36F;
    if (room.wide) {
        measures(docks, cut(rest, ImGuiDir_Down, below), {"Banks", "Sectors", "Memory"}, {"Warps"});
        const ImGuiID counts = cut(rest, ImGuiDir_Right, 0.4F);
        docks.dock(rest, {"Passes", "Grid", "Map", "Theory", "Lesson", "Lecture", "Findings", "Program"});
        docks.dock(counts, {"Counts"});
        return rest;
    }
    const ImGuiID right = cut(rest, ImGuiDir_Right, 0.5F);
    if (room.low) {
        docks.dock(rest, {"Warps", "Passes", "Grid", "Map", "Theory"});
        docks.dock(right, {"Banks", "Sectors", "Counts", "Memory", "Timing"});
    } else {
        ImGuiID top_left = rest, top_right = right;
        const ImGuiID bottom_left = cut(top_left, ImGuiDir_Down, below);
        const ImGuiID bottom_right = cut(top_right, ImGuiDir_Down, below);
        docks.dock(top_left, {"Passes", "Grid", "Map", "Theory"});
        docks.dock(top_right, {"Counts", "Timing"});
        docks.dock(bottom_left, {"Warps"});
        docks.dock(bottom_right, {"Banks", "Sectors", "Memory"});
        rest = top_left;
    }
    if (room.narrow || !room.low) docks.dock(rest, {"Lesson", "Lecture"});
    docks.dock(rest, {"Findings", "Program"});
    if (room.narrow) docks.dock(rest, {source});
    return rest;
}

// The picture takes all the room; the panels that otherwise stand beside it are tabs. Two programs have the same panels
// side by side; of three or four, Compare has a picture each.
ImGuiID stage(Docking& docks, ImGuiID all, Room room) {
    if (room.many) {
        docks.dock(all, {"Compare", "Passes", "Passes B", "Warps", "Warps B", "Banks", "Banks B", source});
        return all;
    }
    if (room.two) {
        const ImGuiID other = cut(all, ImGuiDir_Right, 0.5F);
        docks.dock(all, {"Passes", "Warps", "Banks", source});
        docks.dock(other, {"Passes B", "Warps B", "Banks B", "Compare"});
        return all;
    }
    docks.dock(all, {"Passes", source, "Lesson", "Lecture", "Grid", "Map", "Banks", "Sectors", "Warps", "Memory",
                     "Counts", "Theory", "Timing", "Findings", "Program"});
    docks.dock_other_program(all);
    return all;
}

// Compare has the whole width: it shows the passes of all beside each other. The panels of A and B are its tabs, or
// where there is room stand below it.
ImGuiID compare_many(Docking& docks, ImGuiID rest, Room room) {
    docks.dock(rest, {"Compare"});
    if (room.low) {
        docks.dock(rest, {"Passes", "Warps", "Banks", "Passes B", "Warps B", "Banks B"});
    } else {
        ImGuiID one = cut(rest, ImGuiDir_Down, 0.34F);
        docks.dock(cut(one, ImGuiDir_Right, 0.5F), {"Warps B", "Banks B", "Passes B"});
        docks.dock(one, {"Warps", "Banks", "Passes"});
    }
    docks.dock(rest, {"Counts", source, "Timing", "Lesson", "Lecture", "Findings", "Program", "Memory", "Sectors",
                      "Grid", "Map", "Theory"});
    return rest;
}

// A left, B beside it, each with its passes above its lanes and banks; the other panels right of them. In a low window
// the three are tabs.
ImGuiID compare_two(Docking& docks, ImGuiID rest, Room room) {
    const ImGuiID right = cut(rest, ImGuiDir_Right, room.narrow ? 0.42F : room.low ? 0.40F : 0.38F);
    docks.dock(right, {"Compare", "Counts", source, "Timing", "Lesson", "Lecture", "Findings", "Program", "Memory",
                       "Sectors", "Grid", "Map", "Theory"});
    ImGuiID one = rest;
    ImGuiID other = cut(one, ImGuiDir_Right, 0.5F);
    if (room.low) {
        docks.dock(one, {"Passes", "Warps", "Banks"});
        docks.dock(other, {"Passes B", "Warps B", "Banks B"});
        return right;
    }
    constexpr float below = 0.42F;
    const ImGuiID below_one = cut(one, ImGuiDir_Down, below), below_other = cut(other, ImGuiDir_Down, below);
    docks.dock(one, {"Passes"});
    docks.dock(other, {"Passes B"});
    docks.dock(below_one, {"Warps", "Banks"});
    docks.dock(below_other, {"Warps B", "Banks B"});
    return right;
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
            .stage = presented && window_height < stage_points};
}

void dock_panels(unsigned space, float width, float height, Arrangement arrangement, Room room, bool two_texts,
                 std::span<const std::string> titles) {
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodeSize(space, {width, height});
    const float source_wide = source_share(arrangement, room, two_texts);
    Docking docks;
    const auto arrange = [&] {
        if (room.stage) return stage(docks, space, room);
        switch (arrangement) {
            case Arrangement::lecture: return lecture(docks, space, room, source_wide);
            case Arrangement::study: return study(docks, space, room, source_wide);
            case Arrangement::compare: break;
        }
        if (room.many) return compare_many(docks, space, room);
        return room.two ? compare_two(docks, space, room) : compare(docks, space, room, source_wide);
    };
    docks.dock_others(arrange(), titles);
    ImGui::DockBuilderFinish(space);
}

std::vector<std::string_view> panels_without_room(Arrangement arrangement, Room room) {
    if (room.stage && room.two)
        return {"Lesson", "Lecture", "Grid",   "Sectors",  "Map",    "Memory",
                "Counts", "Theory",  "Timing", "Findings", "Program"};
    if (room.stage) return {};
    if (arrangement == Arrangement::compare && room.two) return {"Lesson", "Grid", "Memory", "Theory"};
    if (!room.narrow) return {};
    if (arrangement == Arrangement::lecture) return {"Map", "Sectors", "Memory", "Theory"};
    return {"Map", "Theory"};
}

std::vector<const char*> panels_in_front(Arrangement arrangement, Room room) {
    if (room.stage && room.many) return {"Compare"};
    if (room.stage && room.two) return {"Warps", "Warps B", "Passes", "Passes B"};
    if (room.stage) return {"Passes"};
    if (arrangement == Arrangement::compare && room.many && room.low) return {"Compare"};
    if (arrangement == Arrangement::compare && room.many) return {"Banks", "Banks B", "Warps", "Warps B", "Compare"};
    if (arrangement == Arrangement::compare && room.two) return {"Compare", "Warps", "Warps B", "Passes", "Passes B"};
    if (arrangement == Arrangement::compare) return {"Counts", "Source", "Banks", "Warps"};
    return {"Counts", "Warps", "Source", "Passes"};
}

}  // namespace lanescope::ui
