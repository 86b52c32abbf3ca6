#include "render/gl/renderer.h"

#include <fmt/format.h>
#include <glad/gl.h>

namespace lanescope::render {

Result<void> load_gl(GlLoader loader) {
    const int version = gladLoadGL(loader);
    const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
    constexpr const char* remedy = "Update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw without one";
    if (version == 0) return fail("OpenGL cannot be used: the driver provides no functions", {}, remedy);
    if (major < 3 || (major == 3 && minor < 3))
        return fail(fmt::format("the window requires OpenGL 3.3; the driver provides {}.{}", major, minor), {}, remedy);
    return {};
}

}  // namespace lanescope::render
