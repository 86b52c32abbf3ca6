#!/usr/bin/env python3
"""Compiles the kernels that the execution tests run, with NVRTC: regenerate.py LIBNVRTC

From kernels/ the five of the first lecture, from this folder every .cu, each in both views; the PTX lies beside this file
so that the tests need no compiler. It changes only when a kernel or NVRTC does.
"""

import ctypes
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parents[3] / "kernels"
FROM_KERNELS = [
    "reduce/interleaved_modulo",
    "reduce/strided_index",
    "reduce/sequential",
    "reduce/two_elements",
    "scan/double_buffered",
]
VIEWS = {"written": ["-G"], "compiled": ["-lineinfo"]}


def compile_to_ptx(nvrtc, path, options):
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), path.read_bytes(), path.name.encode(), 0, None, None)
    arguments = [option.encode() for option in ["-arch=compute_80", *options]]
    failed = nvrtc.nvrtcCompileProgram(program, len(arguments), (ctypes.c_char_p * len(arguments))(*arguments))
    size = ctypes.c_size_t()
    if failed:
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        sys.exit(f"{path.name}: {log.value.decode()}")
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, text)
    return text.value.decode()


def main():
    os.chdir("/")  # -G writes the folder into the PTX
    nvrtc = ctypes.CDLL(sys.argv[1])
    sources = [KERNELS / (name + ".cu") for name in FROM_KERNELS] + sorted(HERE.glob("*.cu"))
    for source in sources:
        for view, options in VIEWS.items():
            (HERE / f"{source.stem}.{view}.ptx").write_text(compile_to_ptx(nvrtc, source, options))


if __name__ == "__main__":
    main()
