// An OpenGL that draws nothing: what a frame costs beside the driver's work can be measured with it, on any machine.
#pragma once

namespace lanescope {

/// For render::load_gl: a function for every name; those that answer, answer that all went well.
[[nodiscard]] auto silent_gl(const char* name) -> void (*)();

}  // namespace lanescope
