#include "trace/container.h"

#include "base/fnv1a.h"
#include "base/grouped.h"
#include "trace/bytes.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>

namespace lanescope::trace {

namespace {

constexpr std::array<unsigned char, 8> magic{0x89, 'L', 'S', 'C', 0x0D, 0x0A, 0x1A, 0x0A};
constexpr std::size_t checked_header = 32;
constexpr std::size_t header_bytes = checked_header + 8;
// A user waits while a trace is saved, so the fastest level; the columns already remove most of the redundancy.
constexpr int compression_level = 1;

struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// The frame's content, read in pieces, so that a frame that claims gigabytes costs only its actual size.
Result<std::vector<std::byte>> decompress(std::span<const std::byte> frame, std::uint64_t size,
                                          const std::string& file) {
    const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
    std::vector<std::byte> content;
    std::vector<std::byte> piece(ZSTD_DStreamOutSize());
    ZSTD_inBuffer in{frame.data(), frame.size(), 0};
    std::size_t more = 1;
    while (more != 0) {
        ZSTD_outBuffer out{piece.data(), piece.size(), 0};
        const std::size_t taken_before = in.pos;
        more = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(more) != 0) return damaged(file, fmt::format("its data: {}", ZSTD_getErrorName(more)));
        if (content.size() + out.pos > size) return damaged(file, "it is longer than its header says");
        content.insert(content.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(out.pos));
        if (more != 0 && out.pos == 0 && in.pos == taken_before) return damaged(file, "its data ends too early");
    }
    if (content.size() != size || in.pos != frame.size()) return damaged(file, "its data does not match its header");
    return content;
}

}  // namespace

std::unexpected<Problem> damaged(const std::string& file, const std::string& how) {
    return fail(fmt::format("the trace is damaged ({})", how), Place{.file = file},
                "Copy it again, or record it again with `lanescope trace ... --out`.");
}

bool has_magic(std::span<const std::byte> bytes) {
    return bytes.size() >= magic.size() &&
           std::ranges::equal(bytes.first(magic.size()), std::as_bytes(std::span(magic)));
}

std::vector<std::byte> pack(std::span<const std::byte> payload, std::uint32_t version) {
    const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, compression_level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::vector<std::byte> frame(ZSTD_compressBound(payload.size()));
    const std::size_t frame_bytes =
        ZSTD_compress2(context.get(), frame.data(), frame.size(), payload.data(), payload.size());
    assert(ZSTD_isError(frame_bytes) == 0);  // the bound above leaves nothing to fail

    ByteWriter file;
    file.raw(std::as_bytes(std::span(magic)));
    file.fixed(version, 4);
    file.fixed(0, 4);
    file.fixed(payload.size(), 8);
    file.fixed(frame_bytes, 8);
    file.fixed(fnv1a(file.bytes()), 8);
    file.raw(std::span(frame).first(frame_bytes));
    return file.take();
}

Result<std::vector<std::byte>> unpack(std::span<const std::byte> bytes, std::uint32_t oldest, std::uint32_t newest,
                                      const std::string& file) {
    if (!has_magic(bytes)) {
        return fail("this is not a Lanescope trace", Place{.file = file},
                    "Traces are written by `lanescope trace ... --out FILE.lanescope`.");
    }
    if (bytes.size() < header_bytes) return damaged(file, "it ends within its header");
    ByteReader header(bytes.subspan(magic.size()));
    const auto found_version = static_cast<std::uint32_t>(header.fixed(4));
    header.fixed(4);
    const std::uint64_t payload_bytes = header.fixed(8);
    const std::uint64_t frame_bytes = header.fixed(8);
    if (header.fixed(8) != fnv1a(bytes.first(checked_header))) return damaged(file, "its header's checksum is wrong");
    if (found_version > newest) {
        return fail(
            fmt::format("the trace has format {}, and this Lanescope reads formats up to {}", found_version, newest),
            Place{.file = file}, "A newer Lanescope wrote it: open it with that version.");
    }
    if (found_version == 0) return damaged(file, "there is no format 0");
    if (found_version < oldest) {
        return fail(fmt::format("the trace has format {}, and this Lanescope reads from {} on", found_version, oldest),
                    Place{.file = file}, "An older Lanescope wrote it: record it again.");
    }
    if (frame_bytes != bytes.size() - header_bytes) {
        return damaged(file, fmt::format("{} follow its header, which states {}",
                                         counted(bytes.size() - header_bytes, "byte"), frame_bytes));
    }
    if (payload_bytes > largest_payload) return damaged(file, "its stated size is larger than any trace");
    return decompress(bytes.subspan(header_bytes), payload_bytes, file);
}

}  // namespace lanescope::trace
