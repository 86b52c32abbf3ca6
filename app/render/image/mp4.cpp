#include "base/child_process.h"
#include "base/pipe.h"
#include "render/image/encoders.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace lanescope::render {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_wait = 100ms;
constexpr auto longest_silence = 120s;  // for one frame, or for the end of the file

class Mp4Encoder : public FrameEncoder {
  public:
    Mp4Encoder(std::filesystem::path path, double seconds)
        : path_(std::move(path)),
          beside_(fmt::format("{}.{}.part", path_.string(), getpid())),
          milliseconds_(std::max<long>(std::lround(seconds * 1000), 1)) {}
    Mp4Encoder(const Mp4Encoder&) = delete;
    Mp4Encoder& operator=(const Mp4Encoder&) = delete;
    ~Mp4Encoder() override {
        ffmpeg_.reset();
        std::error_code ignored;
        std::filesystem::remove(beside_, ignored);
    }

    Result<void> add(const Pixels& frame) override {
        if (!ffmpeg_)
            if (auto begun = begin(frame); !begun) return begun;
        std::string_view bytes(reinterpret_cast<const char*>(frame.rgba.data()), frame.rgba.size());
        auto last_taken = std::chrono::steady_clock::now();
        while (!bytes.empty()) {
            (void)ffmpeg_->lines();
            const std::size_t taken = feed(bytes);
            if (ffmpeg_->ending()) return end();
            const auto now = std::chrono::steady_clock::now();
            if (taken > 0) last_taken = now;
            if (now - last_taken > longest_silence) return failed("it stopped responding");
            bytes.remove_prefix(taken);
        }
        return {};
    }

    Result<void> finish() override {
        if (!ffmpeg_) return failed("it was given no frame");
        if (auto ended = end(); !ended) return ended;
        std::error_code error;
        std::filesystem::rename(beside_, path_, error);
        if (error) return failed(error.message());
        return {};
    }

  private:
    /// Writes as much as the encoder accepts within a short time.
    std::size_t feed(std::string_view bytes) {
        pollfd end{.fd = input_.number(), .events = POLLOUT, .revents = 0};
        if (poll(&end, 1, static_cast<int>(longest_wait.count())) <= 0) return 0;
        const ssize_t sent = send(input_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        return sent > 0 ? static_cast<std::size_t>(sent) : 0;
    }

    Result<void> begin(const Pixels& frame) {
        // A socket can be written to without a signal after the program has ended. The program inherits its end and
        // gets it by number; it does not inherit the other end, so that ffmpeg sees that one close.
        std::array<int, 2> ends{-1, -1};
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return failed(std::strerror(errno));
        input_ = Descriptor(ends[0]);
        const Descriptor its_end(ends[1]);
        (void)fcntl(input_.number(), F_SETFD, FD_CLOEXEC);
        // Players show a video of one frame a second badly, so each frame is repeated. Rounding may leave an odd size,
        // which the codec does not accept.
        auto child = ChildProcess::start({.program = "ffmpeg",
                                          .arguments = {"-hide_banner",
                                                        "-loglevel",
                                                        "error",
                                                        "-nostats",
                                                        "-y",
                                                        "-f",
                                                        "rawvideo",
                                                        "-pixel_format",
                                                        "rgba",
                                                        "-video_size",
                                                        fmt::format("{}x{}", frame.width, frame.height),
                                                        "-framerate",
                                                        fmt::format("1000/{}", milliseconds_),
                                                        "-i",
                                                        fmt::format("pipe:{}", its_end.number()),
                                                        "-vf",
                                                        "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                                        "-r",
                                                        "25",
                                                        "-pix_fmt",
                                                        "yuv420p",
                                                        "-movflags",
                                                        "+faststart",
                                                        "-f",
                                                        "mp4",
                                                        "file:" + beside_},
                                          .longest_silence = {}});
        if (!child) return std::unexpected(child.error());
        ffmpeg_.emplace(*std::move(child));
        return {};
    }

    Result<void> end() {
        input_.close();
        ffmpeg_->limit_silence(longest_silence);
        std::optional<Ending> ending;
        while (!(ending = ffmpeg_->ending())) {
            ffmpeg_->wait(longest_wait);
            (void)ffmpeg_->lines();
        }
        if (ending->fine()) return {};
        return failed(text_of(*ending));
    }

    Result<void> failed(const std::string& why) {
        std::string said = ffmpeg_ ? ffmpeg_->errors() : std::string();
        said.resize(said.find_last_not_of(" \n") + 1);
        return fail(fmt::format("ffmpeg could not write the animation: {}", why), {path_.string()},
                    said.empty() ? "Choose .gif." : said);
    }

    std::filesystem::path path_;
    std::string beside_;
    long milliseconds_;  // a frame
    Descriptor input_;   // of ffmpeg
    std::optional<ChildProcess> ffmpeg_;
};

}  // namespace

Result<std::unique_ptr<FrameEncoder>> mp4_encoder(const std::filesystem::path& path, double seconds) {
    if (!is_installed("ffmpeg"))
        return fail("ffmpeg, which writes MP4, is not installed", {path.string()},
                    "Install it (apt-get install ffmpeg), or choose .gif.");
    return std::make_unique<Mp4Encoder>(path, seconds);
}

}  // namespace lanescope::render
