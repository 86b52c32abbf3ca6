#include "render/image/encoders.h"

#ifdef LANESCOPE_GIF
#include "base/files.h"
#include "render/image/palette.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>
#endif

namespace lanescope::render {

#ifdef LANESCOPE_GIF

namespace {

/// A rectangle of the picture, in pixels; the last row and column are not in it.
struct Part {
    unsigned left = 0, top = 0, right = 0, bottom = 0;
};

std::vector<std::uint32_t> opaque(const Pixels& pixels) {
    std::vector<std::uint32_t> colors(std::size_t{pixels.width} * pixels.height);
    for (std::size_t at = 0; at < colors.size(); ++at) {
        const std::uint8_t* const rgba = &pixels.rgba[4 * at];
        colors[at] = std::uint32_t{rgba[0]} << 16U | std::uint32_t{rgba[1]} << 8U | rgba[2];
    }
    return colors;
}

/// The smallest rectangle with all pixels that differ; one pixel where none does, because a frame needs an image.
Part changed(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now, unsigned width) {
    if (before.empty()) return {.right = width, .bottom = static_cast<unsigned>(now.size() / width)};
    Part part{.left = width, .top = ~0U};
    for (std::size_t at = 0; at < now.size(); ++at) {
        if (before[at] == now[at]) continue;
        const auto x = static_cast<unsigned>(at % width), y = static_cast<unsigned>(at / width);
        part = {std::min(part.left, x), std::min(part.top, y), std::max(part.right, x + 1), y + 1};
    }
    return part.bottom == 0 ? Part{.right = 1, .bottom = 1} : part;
}

class GifEncoder : public FrameEncoder {
  public:
    GifEncoder(std::filesystem::path path, double seconds)
        : path_(std::move(path)), hundredths_(std::clamp(static_cast<int>(std::lround(seconds * 100)), 1, 0xFFFF)) {
        int error = 0;
        file_ = EGifOpen(&bytes_, append, &error);
        if (file_ != nullptr) EGifSetGifVersion(file_, true);
    }
    GifEncoder(const GifEncoder&) = delete;
    GifEncoder& operator=(const GifEncoder&) = delete;
    ~GifEncoder() override { close(); }

    Result<void> add(const Pixels& frame) override {
        std::vector<std::uint32_t> now = opaque(frame);
        if (file_ == nullptr || (shown_.empty() && !begin(frame)) || !put(now, changed(shown_, now, frame.width)))
            return failed();
        shown_ = std::move(now);
        return {};
    }

    Result<void> finish() override {
        if (!close()) return failed();
        if (const auto written = write_file(path_, std::string_view(bytes_)); !written)
            return fail("the animation cannot be written: " + written.error(), {path_.string()},
                        "Choose a folder that exists and is writable.");
        return {};
    }

  private:
    static int append(GifFileType* file, const GifByteType* bytes, int count) {
        static_cast<std::string*>(file->UserData)
            ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
        return count;
    }

    bool close() {
        int error = 0;
        return file_ == nullptr || EGifCloseFile(std::exchange(file_, nullptr), &error) == GIF_OK;
    }

    Result<void> failed() const {
        return fail("giflib could not write the animation", {path_.string()}, "Choose a smaller scale, or .mp4.");
    }

    bool begin(const Pixels& frame) {
        constexpr int bits_a_channel = 8;
        return EGifPutScreenDesc(file_, static_cast<int>(frame.width), static_cast<int>(frame.height), bits_a_channel,
                                 0, nullptr) == GIF_OK &&
               repeat_without_end();
    }

    bool repeat_without_end() {
        constexpr std::string_view application = "NETSCAPE2.0", times("\x01\x00\x00", 3);
        return EGifPutExtensionLeader(file_, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
               EGifPutExtensionBlock(file_, static_cast<int>(application.size()), application.data()) == GIF_OK &&
               EGifPutExtensionBlock(file_, static_cast<int>(times.size()), times.data()) == GIF_OK &&
               EGifPutExtensionTrailer(file_) == GIF_OK;
    }

    bool put(const std::vector<std::uint32_t>& now, const Part& part) {
        const unsigned across = part.right - part.left, down = part.bottom - part.top;
        std::vector<std::uint32_t> pixels;
        pixels.reserve(std::size_t{across} * down);
        const auto width = static_cast<std::size_t>(file_->SWidth);
        for (unsigned y = part.top; y < part.bottom; ++y) {
            const auto row = now.begin() + static_cast<std::ptrdiff_t>(y * width);
            pixels.insert(pixels.end(), row + part.left, row + part.right);
        }
        Palette palette = palette_of(pixels);
        std::vector<GifColorType> colors(std::max<std::size_t>(std::bit_ceil(palette.colors.size()), 2));
        for (std::size_t at = 0; at < palette.colors.size(); ++at) {
            const std::uint32_t color = palette.colors[at];
            colors[at] = {static_cast<GifByteType>(color >> 16U), static_cast<GifByteType>(color >> 8U),
                          static_cast<GifByteType>(color)};
        }
        GraphicsControlBlock control{.DisposalMode = DISPOSE_DO_NOT,
                                     .UserInputFlag = false,
                                     .DelayTime = hundredths_,
                                     .TransparentColor = NO_TRANSPARENT_COLOR};
        std::array<GifByteType, 4> extension{};
        const std::size_t size = EGifGCBToExtension(&control, extension.data());
        if (EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), extension.data()) != GIF_OK)
            return false;
        ColorMapObject* const map = GifMakeMapObject(static_cast<int>(colors.size()), colors.data());
        bool fine = EGifPutImageDesc(file_, static_cast<int>(part.left), static_cast<int>(part.top),
                                     static_cast<int>(across), static_cast<int>(down), false, map) == GIF_OK;
        GifFreeMapObject(map);
        for (unsigned y = 0; fine && y < down; ++y)
            fine = EGifPutLine(file_, &palette.indices[std::size_t{y} * across], static_cast<int>(across)) == GIF_OK;
        return fine;
    }

    std::filesystem::path path_;
    int hundredths_;  // of a second a frame
    std::string bytes_;
    GifFileType* file_ = nullptr;
    std::vector<std::uint32_t> shown_;  // the previous frame
};

}  // namespace

Result<std::unique_ptr<FrameEncoder>> gif_encoder(const std::filesystem::path& path, double seconds) {
    return std::make_unique<GifEncoder>(path, seconds);
}

#else

Result<std::unique_ptr<FrameEncoder>> gif_encoder(const std::filesystem::path& path, double /*seconds*/) {
    return fail("this build cannot write GIF, because giflib was missing", {path.string()},
                "Install it (apt-get install libgif-dev) and build again, or choose .mp4.");
}

#endif

}  // namespace lanescope::render
