#!/usr/bin/env python3
"""Compiles the .cu files of this folder with NVRTC into the .ptx files beside them, and the translation units of
units/ with nvcc into one text a view: regenerate.py LIBNVRTC NVCC

The PTX is what the module tests read; it changes only when the compilers do.
"""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

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


def link_units(nvcc):
    with tempfile.TemporaryDirectory() as folder:  # nvcc writes the sources' folder into the text
        shutil.copytree(HERE / "units", folder, dirs_exist_ok=True)
        for view, options in VIEWS.items():
            linked = ""
            for source in sorted(pathlib.Path(folder).glob("*.cu")):
                command = [nvcc, "-ptx", "-rdc=true", "-arch=compute_75", *options, source.name, "-o", "unit.ptx"]
                subprocess.run(command, cwd=folder, check=True)
                linked += pathlib.Path(folder, "unit.ptx").read_text().replace(folder, "/units")
            (HERE / f"units.{view}.ptx").write_text(linked)


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
    link_units(sys.argv[2])


main()
