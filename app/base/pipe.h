// File descriptors that close themselves, and pipes to a program run beside this one.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace lanescope {

/// Owns a file descriptor.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool open() const { return number_ >= 0; }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

  private:
    int number_;
};

/// The end that this process keeps, and the one that the other program is given.
struct Ends {
    Descriptor ours, theirs;
};

enum class PipeUse : std::uint8_t { read, write };  ///< what this process does with its end

/// Our end never waits; theirs does, as a program expects. A program that is started inherits neither, but for the
/// copies that it is given. Nothing, with errno, where the process may open no more.
[[nodiscard]] std::optional<Ends> make_pipe(PipeUse use);

/// Passes on the bytes that are available, in pieces. False where the other end is closed.
[[nodiscard]] bool drain(const Descriptor& from, const std::function<void(std::string_view)>& take);

}  // namespace lanescope
