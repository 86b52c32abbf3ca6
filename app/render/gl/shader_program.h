// A linked pair of shaders from shaders/, by name.
#pragma once

#include "base/result.h"

#include <glad/gl.h>

#include <string_view>

namespace lanescope::render {

class ShaderProgram {
  public:
    /// shaders/NAME.vert and shaders/NAME.frag; fails with the driver's log.
    [[nodiscard]] static Result<ShaderProgram> compile(std::string_view name);

    ShaderProgram() = default;
    ~ShaderProgram();
    ShaderProgram(ShaderProgram&& other) noexcept;
    ShaderProgram& operator=(ShaderProgram&& other) noexcept;

    void use() const { glUseProgram(id_); }
    [[nodiscard]] GLint uniform(const char* name) const { return glGetUniformLocation(id_, name); }

  private:
    explicit ShaderProgram(GLuint id) : id_(id) {}
    GLuint id_ = 0;
};

}  // namespace lanescope::render
