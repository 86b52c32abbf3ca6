# Lanescope's third-party code as targets named third_party_*, compiled once and without warnings; its headers are
# system headers for our code. Libraries come from the distribution's packages and from two pinned archives that run.sh
# puts into .deps (the ImGui bundle) and .venv (glad's generator, NVRTC). See NOTICES.md beside this file.

set(LANESCOPE_DEPS_DIR ${PROJECT_SOURCE_DIR}/.deps)
set(LANESCOPE_VENV_DIR ${PROJECT_SOURCE_DIR}/.venv)
set(LANESCOPE_MISSING_HINT "run ./run.sh once; it installs what the build needs")

# third_party_headers(name header): an interface target for the include folder that holds the header.
function(third_party_headers name header)
    cmake_parse_arguments(arg "" "" "SUFFIXES" ${ARGN})
    find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${arg_SUFFIXES})
    if(NOT ${name}_INCLUDE_DIR)
        message(FATAL_ERROR "${header} not found; ${LANESCOPE_MISSING_HINT}")
    endif()
    add_library(${name} INTERFACE)
    target_include_directories(${name} SYSTEM INTERFACE ${${name}_INCLUDE_DIR})
endfunction()

# third_party_archive(name archives...): links the first of these static archives that is found.
function(third_party_archive name)
    find_library(${name}_LIBRARY NAMES ${ARGN})
    if(NOT ${name}_LIBRARY)
        message(FATAL_ERROR "${ARGN} not found; ${LANESCOPE_MISSING_HINT}")
    endif()
    target_link_libraries(${name} INTERFACE ${${name}_LIBRARY})
endfunction()

# third_party_library(name SOURCES ... INCLUDE ... LINK ... DEFINE ...): a static library of third-party sources.
function(third_party_library name)
    cmake_parse_arguments(arg "" "" "SOURCES;INCLUDE;LINK;DEFINE" ${ARGN})
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_include_directories(${name} SYSTEM PUBLIC ${arg_INCLUDE})
    target_compile_definitions(${name} PUBLIC ${arg_DEFINE})
    target_compile_options(${name} PRIVATE -w)
    target_link_libraries(${name} PUBLIC ${arg_LINK})
    set_target_properties(${name} PROPERTIES CXX_STANDARD 20 EXPORT_COMPILE_COMMANDS OFF)
endfunction()

# Distributions ship fmt as a shared library, on which the program should not depend. fmt.cpp compiles the version of
# current distributions; any other version is used header-only, which costs seconds in every file.
find_path(FMT_INCLUDE_DIR fmt/format.h)
if(NOT FMT_INCLUDE_DIR)
    message(FATAL_ERROR "fmt/format.h not found; ${LANESCOPE_MISSING_HINT}")
endif()
file(STRINGS ${FMT_INCLUDE_DIR}/fmt/core.h fmt_version REGEX "^#define FMT_VERSION 9[0-9][0-9][0-9][0-9]$")
if(fmt_version)
    third_party_library(third_party_fmt SOURCES ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
else()
    add_library(third_party_fmt INTERFACE)
    target_compile_definitions(third_party_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

third_party_headers(third_party_json nlohmann/json.hpp)
third_party_headers(third_party_zstd zstd.h)
third_party_archive(third_party_zstd libzstd.a)

set(bundle ${LANESCOPE_DEPS_DIR}/imgui-bundle/external)
set(md4c ${bundle}/imgui_md/md4c/src)
if(EXISTS ${md4c}/md4c.c)
    third_party_library(third_party_md4c SOURCES ${md4c}/md4c.c INCLUDE ${md4c})
elseif(NOT LANESCOPE_PICTURES)
    # The machine may have no network, and this build shows no lessons (base/markdown.cpp).
    add_library(third_party_md4c INTERFACE)
endif()

if(NOT LANESCOPE_PICTURES)
    return()
endif()

third_party_headers(third_party_cli11 CLI/CLI.hpp)
third_party_headers(third_party_stb stb_truetype.h SUFFIXES stb)
third_party_headers(third_party_agg agg2/agg_basics.h)
target_include_directories(third_party_agg SYSTEM INTERFACE ${third_party_agg_INCLUDE_DIR}/agg2)
third_party_archive(third_party_agg libagg_pic.a libagg.a)

# Without giflib the program writes no GIF and reports why.
find_path(GIF_INCLUDE_DIR gif_lib.h)
find_library(GIF_LIBRARY NAMES libgif.a gif)
add_library(third_party_gif INTERFACE)
if(GIF_INCLUDE_DIR AND GIF_LIBRARY)
    target_include_directories(third_party_gif SYSTEM INTERFACE ${GIF_INCLUDE_DIR})
    target_link_libraries(third_party_gif INTERFACE ${GIF_LIBRARY})
endif()

if(NOT EXISTS ${bundle}/imgui/imgui/imgui.h OR NOT TARGET third_party_md4c)
    message(FATAL_ERROR "${bundle} not found; ${LANESCOPE_MISSING_HINT}")
endif()

if(NOT LANESCOPE_WINDOW)
    return()
endif()

# --- The window: glad, GLFW, Dear ImGui and its companions -----------------------------------------------------

# glad writes its loader when the build is configured; its output is always the same.
file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/pip/build.txt glad_version)
string(SUBSTRING ${glad_version} 0 12 glad_version)
set(glad_dir ${CMAKE_CURRENT_BINARY_DIR}/third_party/glad-${glad_version})
if(NOT EXISTS ${glad_dir}/src/gl.c)
    # Into another folder first, so that an interrupted run does not look complete.
    file(REMOVE_RECURSE ${glad_dir} ${glad_dir}.part)
    execute_process(
        COMMAND ${LANESCOPE_VENV_DIR}/bin/python -m glad --api gl:core=3.3 --extensions "" --reproducible
                --quiet --out-path ${glad_dir}.part c
        RESULT_VARIABLE glad_failed OUTPUT_VARIABLE glad_output ERROR_VARIABLE glad_output)
    if(glad_failed)
        message(FATAL_ERROR "glad could not write the OpenGL loader; ${LANESCOPE_MISSING_HINT}\n${glad_output}")
    endif()
    file(RENAME ${glad_dir}.part ${glad_dir})
endif()
third_party_library(third_party_glad SOURCES ${glad_dir}/src/gl.c INCLUDE ${glad_dir}/include LINK ${CMAKE_DL_LIBS})

set(GLFW_BUILD_DOCS OFF CACHE INTERNAL "")
set(GLFW_BUILD_TESTS OFF CACHE INTERNAL "")
set(GLFW_BUILD_EXAMPLES OFF CACHE INTERNAL "")
set(GLFW_INSTALL OFF CACHE INTERNAL "")
set(GLFW_LIBRARY_TYPE STATIC CACHE INTERNAL "")
find_program(WAYLAND_SCANNER wayland-scanner)
find_path(WAYLAND_HEADERS wayland-egl.h)
find_path(XKBCOMMON_HEADERS xkbcommon/xkbcommon.h)
if(WAYLAND_SCANNER AND WAYLAND_HEADERS AND XKBCOMMON_HEADERS)
    set(GLFW_BUILD_WAYLAND ON CACHE INTERNAL "")
else()
    set(GLFW_BUILD_WAYLAND OFF CACHE INTERNAL "")
endif()
set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
add_subdirectory(${bundle}/glfw/glfw ${CMAKE_CURRENT_BINARY_DIR}/third_party/glfw EXCLUDE_FROM_ALL SYSTEM)
unset(CMAKE_MESSAGE_LOG_LEVEL)
target_compile_options(glfw PRIVATE -w)
target_compile_definitions(glfw INTERFACE GLFW_INCLUDE_NONE)  # OpenGL comes from glad
set_target_properties(glfw PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
add_library(third_party_glfw ALIAS glfw)

add_library(third_party_dialogs INTERFACE)
target_include_directories(third_party_dialogs SYSTEM INTERFACE ${bundle}/portable_file_dialogs/portable_file_dialogs)

# ImGui and the libraries built on it are compiled twice: plain for the program, and with the test engine's hooks for
# the tests of the window. Our own sources use the headers that both share, so the tests drive the program's own code.
# The test engine has a license of its own and is never linked into the program.
set(imgui ${bundle}/imgui/imgui)
add_library(third_party_imgui_headers INTERFACE)
target_include_directories(third_party_imgui_headers SYSTEM INTERFACE
    ${imgui} ${imgui}/backends ${imgui}/misc/cpp)
target_compile_definitions(third_party_imgui_headers INTERFACE
    IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS)
target_link_libraries(third_party_imgui_headers INTERFACE glfw)

function(third_party_imgui suffix)
    third_party_library(third_party_imgui${suffix}
        SOURCES ${imgui}/imgui.cpp ${imgui}/imgui_demo.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp
                ${imgui}/imgui_widgets.cpp ${imgui}/imgui_stacklayout.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp
                ${imgui}/backends/imgui_impl_glfw.cpp ${imgui}/backends/imgui_impl_opengl3.cpp
        LINK third_party_imgui_headers ${CMAKE_DL_LIBS})
endfunction()
third_party_imgui("")
if(LANESCOPE_TESTS)
    set(engine ${bundle}/imgui_test_engine/imgui_test_engine)
    third_party_imgui(_under_test)
    target_compile_options(third_party_imgui_under_test PRIVATE -O1)  # half the time to compile
    target_include_directories(third_party_imgui_under_test SYSTEM PUBLIC ${engine}/imgui_test_engine)
    target_compile_definitions(third_party_imgui_under_test PUBLIC
        IMGUI_ENABLE_TEST_ENGINE IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1
        IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1 IMGUI_TEST_ENGINE_ENABLE_CAPTURE=1)
    foreach(part capture_tool te_context te_coroutine te_engine te_exporters te_perftool te_ui te_utils)
        set(part ${engine}/imgui_test_engine/imgui_${part}.cpp)
        target_sources(third_party_imgui_under_test PRIVATE ${part})
        set_source_files_properties(${part} PROPERTIES COMPILE_OPTIONS -O0)  # it waits for the window
    endforeach()
endif()
