// An OpenGL that draws nothing, to measure the cost of a frame without the driver's work on any machine.
#pragma once

namespace lanescope {

/// For render::load_gl: a function for every name; those with a result report success.
[[nodiscard]] auto silent_gl(const char* name) -> void (*)();

}  // namespace lanescope
