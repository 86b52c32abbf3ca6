#include "base/pipe.h"

#include <fcntl.h>

#include <array>
#include <cerrno>

namespace lanescope {

std::optional<Ends> make_pipe(PipeUse use) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
    const bool reads = use == PipeUse::read;
    Ends both{Descriptor(ends[reads ? 0 : 1]), Descriptor(ends[reads ? 1 : 0])};
    fcntl(both.ours.number(), F_SETFL, O_NONBLOCK);
    return both;
}

bool drain(const Descriptor& from, const std::function<void(std::string_view)>& take) {
    std::array<char, 16384> buffer{};
    while (true) {
        const ssize_t count = read(from.number(), buffer.data(), buffer.size());
        if (count > 0)
            take({buffer.data(), static_cast<std::size_t>(count)});
        else if (count == 0 || errno != EINTR)
            return count < 0 && errno == EAGAIN;
    }
}

}  // namespace lanescope
