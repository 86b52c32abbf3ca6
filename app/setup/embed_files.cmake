# embed_files(target FILES path=file ...): puts files into a library so that the program needs none beside it.
# base/embedded.h returns them by path. The assembler copies the bytes (.incbin), so a change compiles nothing.

function(embed_files target)
    cmake_parse_arguments(arg "" "" "FILES" ${ARGN})
    set(assembly "    .section .rodata\n")
    set(table "")
    set(inputs "")
    set(index 0)
    foreach(entry IN LISTS arg_FILES)
        string(FIND "${entry}" "=" at)
        string(SUBSTRING "${entry}" 0 ${at} path)
        math(EXPR at "${at} + 1")
        string(SUBSTRING "${entry}" ${at} -1 file)
        list(APPEND inputs "${file}")
        string(APPEND assembly
            "    .balign 16\nlanescope_file_${index}:\n    .incbin \"${file}\"\n"
            "lanescope_file_${index}_end:\n    .byte 0\n"
            "lanescope_path_${index}:\n    .asciz \"${path}\"\n")
        string(APPEND table "    .quad lanescope_path_${index}, lanescope_file_${index}, lanescope_file_${index}_end\n")
        math(EXPR index "${index} + 1")
    endforeach()
    string(APPEND assembly
        "    .section .data.rel.ro, \"aw\"\n    .balign 8\n    .globl lanescope_embedded_files\n"
        "lanescope_embedded_files:\n${table}"
        "    .globl lanescope_embedded_files_end\nlanescope_embedded_files_end:\n    .quad 0\n"
        "    .section .note.GNU-stack, \"\", @progbits\n")
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_files.s)
    file(CONFIGURE OUTPUT ${output} CONTENT "${assembly}" @ONLY)
    set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${inputs}")
    target_sources(${target} PRIVATE ${output})
endfunction()
