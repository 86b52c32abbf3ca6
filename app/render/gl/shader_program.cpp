#include "render/gl/shader_program.h"

#include "base/embedded.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace lanescope::render {
namespace {

template <class GetLength, class GetLog>
std::string log_of(GLuint object, GetLength get_length, GetLog get_log) {
    GLint length = 0;
    get_length(object, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length > 0 ? length : 1), '\0');
    get_log(object, static_cast<GLsizei>(log.size()), nullptr, log.data());
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    return log;
}

Result<GLuint> compile_stage(const std::string& path, GLenum stage) {
    const std::string_view source = embedded_file(path).value_or(std::string_view());
    const GLuint shader = glCreateShader(stage);
    const GLchar* text = source.data();
    const auto length = static_cast<GLint>(source.size());
    glShaderSource(shader, 1, &text, &length);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_TRUE) return shader;
    const std::string log = log_of(shader, glad_glGetShaderiv, glad_glGetShaderInfoLog);
    glDeleteShader(shader);
    return fail(fmt::format("the graphics driver cannot compile {}: {}", path, log), {path, 0, 0},
                "Update the graphics driver");
}

}  // namespace

Result<ShaderProgram> ShaderProgram::compile(std::string_view name) {
    const auto vertex = compile_stage(fmt::format("shaders/{}.vert", name), GL_VERTEX_SHADER);
    if (!vertex) return std::unexpected(vertex.error());
    const auto fragment = compile_stage(fmt::format("shaders/{}.frag", name), GL_FRAGMENT_SHADER);
    if (!fragment) {
        glDeleteShader(*vertex);
        return std::unexpected(fragment.error());
    }
    ShaderProgram program(glCreateProgram());
    glAttachShader(program.id_, *vertex);
    glAttachShader(program.id_, *fragment);
    glLinkProgram(program.id_);
    glDeleteShader(*vertex);
    glDeleteShader(*fragment);
    GLint linked = GL_FALSE;
    glGetProgramiv(program.id_, GL_LINK_STATUS, &linked);
    if (linked == GL_TRUE) return program;
    return fail(fmt::format("the graphics driver cannot link the shaders \"{}\": {}", name,
                            log_of(program.id_, glad_glGetProgramiv, glad_glGetProgramInfoLog)),
                {}, "Update the graphics driver");
}

ShaderProgram::~ShaderProgram() {
    if (id_ != 0) glDeleteProgram(id_);
}

ShaderProgram::ShaderProgram(ShaderProgram&& other) noexcept : id_(std::exchange(other.id_, 0)) {}

ShaderProgram& ShaderProgram::operator=(ShaderProgram&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
}

}  // namespace lanescope::render
