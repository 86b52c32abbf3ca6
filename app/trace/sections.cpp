#include "trace/sections.h"

#include "trace/container.h"

#include <fmt/format.h>

#include <array>

namespace lanescope::trace {

namespace {

struct Section {
    std::string_view name;  ///< four letters
    std::string_view what;  ///< in words, with its verb, for the message
    void (*write)(ByteWriter&, const Trace&);
    void (*read)(ByteReader&, Trace&);
};

/// In the order of dependence: a section follows the sections that it refers to.
constexpr std::array<Section, 11> sections{{
    {"ORIG", "its origin is", write_origin, read_origin},
    {"BUFS", "its buffers are", write_buffers, read_buffers},
    {"LNCH", "its launches are", write_launches, read_launches},
    {"HOST", "its host steps are", write_host, read_host},
    {"NAME", "its names are", write_names, read_names},
    {"CNTS", "its counts are", write_counts, read_counts},
    {"STEP", "its steps are", write_steps, read_steps},
    {"EFCT", "its effects are", write_effects, read_effects},
    {"VALU", "its values are", write_values, read_values},
    {"FIND", "its findings are", write_findings, read_findings},
    {"TEXT", "its printf output is", write_texts, read_texts},
}};

}  // namespace

std::vector<std::byte> encode(const Trace& trace) {
    ByteWriter payload;
    for (const Section& section : sections) {
        ByteWriter content;
        section.write(content, trace);
        payload.raw(std::as_bytes(std::span(section.name)));
        payload.fixed(content.size(), 8);
        payload.raw(content.bytes());
    }
    return payload.take();
}

Result<std::shared_ptr<const Trace>> decode(std::span<const std::byte> payload, const std::string& file) {
    auto trace = std::make_shared<Trace>();
    ByteReader in(payload);
    for (const Section& section : sections) {
        const auto name = in.raw(section.name.size());
        const bool named = std::ranges::equal(name, std::as_bytes(std::span(section.name)));
        const std::uint64_t size = in.fixed(8);
        ByteReader content(in.raw(size));
        if (in.failed() || !named) return damaged(file, fmt::format("{} missing", section.what));
        section.read(content, *trace);
        if (!content.done()) return damaged(file, fmt::format("{} inconsistent", section.what));
    }
    if (!in.done()) return damaged(file, "it continues past its end");
    return trace;
}

}  // namespace lanescope::trace
