#!/usr/bin/env python3
"""Compiles the .cu files of this folder with NVRTC into the .ptx files beside them: regenerate.py LIBNVRTC

The PTX is what the module tests read; it changes only when NVRTC does.
"""

import ctypes
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
VIEWS = {"written": ["-G"], "compiled": ["-lineinfo"]}
TEXTBOOK = ["TWO_A_THREAD", "INTERLEAVED", "STRIDED", "SEQUENTIAL", "HILLIS_STEELE"]
TYPES = {"int": "int", "unsigned": "unsigned int", "float": "float"}


def compile_ptx(nvrtc, source, name, options):
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None)
    arguments = [option.encode() for option in options]
    status = nvrtc.nvrtcCompileProgram(program, len(arguments), (ctypes.c_char_p * len(arguments))(*arguments))
    size = ctypes.c_size_t()
    if status != 0:
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        sys.exit(f"{name}: {log.value.decode()}")
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, text)
    return text.value.decode()


def main():
    nvrtc = ctypes.CDLL(sys.argv[1])
    os.chdir("/")  # NVRTC writes the working directory into the text
    for source in sorted(HERE.glob("*.cu")):
        text = source.read_text()
        for view, options in VIEWS.items():
            options = ["-arch=compute_75", *options]
            if source.stem != "textbook":
                ptx = compile_ptx(nvrtc, text, source.name, options)
                (HERE / f"{source.stem}.{view}.ptx").write_text(ptx)
                continue
            for kernel in TEXTBOOK:
                for short, element in TYPES.items():
                    ptx = compile_ptx(nvrtc, text, source.name, [*options, f"-D{kernel}", f"-DELEMENT={element}"])
                    (HERE / f"{kernel.lower()}.{short}.{view}.ptx").write_text(ptx)


main()
