#include "host/source_lines.h"

#include "base/demangle.h"
#include "host/debug_entries.h"
#include "host/variable_names.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::host {

namespace {

struct Frame {
    std::string function;
    Place where;
};

#ifdef LANESCOPE_LIBDW

class Lines {
  public:
    explicit Lines(const std::filesystem::path& program) : entries_(program) {}

    /// The frames of an address, the innermost inlined function first. The place of each frame after the first is the
    /// call of the frame before it.
    std::vector<Frame> frames_at(std::uint64_t address) {
        std::vector<Frame> frames;
        const auto unit = entries_.unit_at(address);
        if (!unit) return frames;
        Place where = line_at(*unit, address);
        for (const Dwarf_Die& scope : entries_.scopes_at(address) | std::views::reverse) {
            Dwarf_Die die = scope;
            const int tag = entries_.dw->tag(&die);
            if (tag == DW_TAG_lexical_block) continue;
            frames.push_back({.function = name_of(die), .where = where});
            if (tag == DW_TAG_inlined_subroutine) where = call_of(*unit, die);
        }
        if (frames.empty()) frames.push_back({.function = {}, .where = where});
        return frames;
    }

  private:
    [[nodiscard]] std::string name_of(Dwarf_Die die) const {
        const std::string_view linked = entries_.text(die, DW_AT_linkage_name);
        return linked.empty() ? std::string(entries_.text(die, DW_AT_name))
                              : demangled(std::string(linked)).value_or(std::string(linked));
    }
    [[nodiscard]] Place line_at(Dwarf_Die unit, std::uint64_t address) const {
        Place where;
        Dwarf_Line* const line = entries_.dw->getsrc_die(&unit, address);
        int number = 0;
        if (line == nullptr || entries_.dw->lineno(line, &number) != 0) return where;
        if (const char* file = entries_.dw->linesrc(line, nullptr, nullptr)) where.file = file;
        where.line = static_cast<unsigned>(number);
        return where;
    }
    /// Where an inlined function was called.
    [[nodiscard]] Place call_of(Dwarf_Die unit, Dwarf_Die inlined) const {
        Place where;
        Dwarf_Files* files = nullptr;
        std::size_t count = 0;
        const auto file = entries_.number(inlined, DW_AT_call_file), line = entries_.number(inlined, DW_AT_call_line);
        if (!file || !line || entries_.dw->getsrcfiles(&unit, &files, &count) != 0 || *file >= count) return where;
        if (const char* path = entries_.dw->filesrc(files, *file, nullptr, nullptr)) where.file = path;
        where.line = static_cast<unsigned>(*line);
        return where;
    }

    DebugEntries entries_;
};

#else

class Lines {
  public:
    explicit Lines(const std::filesystem::path&) {}
    static std::vector<Frame> frames_at(std::uint64_t) { return {}; }
};

#endif

}  // namespace

struct SourceLines::Impl {
    Impl(const std::filesystem::path& program, std::vector<std::filesystem::path> own)
        : lines(program), sources(std::move(own)) {}

    Lines lines;
    std::vector<std::filesystem::path> sources;
    std::map<std::uint64_t, std::vector<Frame>> frames;  ///< by return address

    const std::vector<Frame>& frames_of(std::uint64_t address) {
        const auto [found, is_new] = frames.try_emplace(address);
        if (is_new) found->second = lines.frames_at(address - 1);  // within the call, not after it
        return found->second;
    }
};

SourceLines::SourceLines(const std::filesystem::path& program, std::vector<std::filesystem::path> sources)
    : impl_(std::make_unique<Impl>(program, std::move(sources))) {}

SourceLines::~SourceLines() = default;

SourceLines::SourceLines(SourceLines&&) noexcept = default;

void SourceLines::find(ProgramStep& step) {
    std::vector<const Frame*> stack;
    for (const std::uint64_t address : step.callers)
        for (const Frame& frame : impl_->frames_of(address)) stack.push_back(&frame);
    // nvcc's stub makes the launch, and the kernel's host function calls the stub: the launching line is above both.
    const auto stub = std::ranges::find_if(stack.rbegin(), stack.rend(), [](const Frame* frame) {
        return frame->function.find("__device_stub_") != std::string::npos;
    });
    const std::ptrdiff_t skipped =
        stub == stack.rend() ? 0 : std::min(stub.base() - stack.begin() + 1, std::ssize(stack));
    const auto own = std::find_if(stack.begin() + skipped, stack.end(),
                                  [&](const Frame* frame) { return lies_in(frame->where.file, impl_->sources); });
    if (own == stack.end()) return;
    step.where = (*own)->where;
    step.function = (*own)->function;
}

void keep_own(const std::filesystem::path& program, const std::vector<std::filesystem::path>& sources,
              std::vector<HostFunction>& functions) {
    Lines lines(program);
    std::erase_if(functions, [&](const HostFunction& function) {
        const std::vector<Frame> frames = lines.frames_at(function.address);
        return frames.empty() || !lies_in(frames.back().where.file, sources);
    });
}

}  // namespace lanescope::host
