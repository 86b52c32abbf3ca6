// File descriptors that close themselves, and pipes to a child process.
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

/// The end that this process keeps, and the end that the other program gets.
struct Ends {
    Descriptor ours, theirs;
};

enum class PipeUse : std::uint8_t { read, write };  ///< what this process does with its end

/// Our end never blocks; theirs does, as a program expects. A child process inherits neither end, only the copies that
/// it is given. Nothing, with errno set, if this process may open no more files.
[[nodiscard]] std::optional<Ends> make_pipe(PipeUse use);

/// Passes on the available bytes, in pieces. False if the other end is closed.
[[nodiscard]] bool drain(const Descriptor& from, const std::function<void(std::string_view)>& take);

}  // namespace lanescope
