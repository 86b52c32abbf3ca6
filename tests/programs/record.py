#!/usr/bin/env python3
"""Runs the programs on a real GPU with NVIDIA's own runtime and writes what they printed into their expected.json.

    record.py [--check] [--nvcc PATH] [NAME ...]

It wants a GPU, nvcc and a C++ compiler. Each program is compiled as Lanescope compiles it (PTX for compute_75), linked
with NVIDIA's libcudart, and run in a copy of its folder. A small library that is loaded before libcudart notes the
launches; where they are not those of expected.json, that is reported, and nothing of the program is written.
--check writes nothing and reports every difference. The status is 1 where anything differs or fails.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

LAUNCH_LOG = r"""
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {
// the kernels of every node of a graph that runs, in the order in which they were added
std::map<cudaGraph_t, std::vector<std::string>> nodes;
std::map<cudaGraphExec_t, std::vector<std::string>> graphs;
std::map<cudaStream_t, std::vector<std::string>> captured;
std::map<const void*, std::string> names;  // by the host's function, and by the kernel's handle
std::mutex mutex;

template <typename F> F next(F, const char* name) { return reinterpret_cast<F>(dlsym(RTLD_NEXT, name)); }
void write(const std::string& line) {
    static FILE* log = std::fopen(std::getenv("LAUNCH_LOG"), "w");
    std::fprintf(log, "%s\n", line.c_str());
    std::fflush(log);
}
std::string line(const void* function, dim3 grid, dim3 block) {
    std::string text = names.contains(function) ? names[function] : "?";
    for (unsigned n : {grid.x, grid.y, grid.z, block.x, block.y, block.z}) text += " " + std::to_string(n);
    return text;
}
void note(const void* function, dim3 grid, dim3 block, cudaStream_t stream) {
    std::lock_guard lock(mutex);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (stream) cudaStreamIsCapturing(stream, &status);
    if (status == cudaStreamCaptureStatusActive) captured[stream].push_back(line(function, grid, block));
    else write(line(function, grid, block));
}
}  // namespace

extern "C" {
void __cudaRegisterFunction(void** module, const char* host, char* device, const char* name, int limit, uint3* thread,
                            uint3* block, dim3* block_size, dim3* grid_size, int* warp) {
    names[host] = name;
    next(&__cudaRegisterFunction, "__cudaRegisterFunction")(module, host, device, name, limit, thread, block,
                                                            block_size, grid_size, warp);
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
    const cudaError_t error = next(&__cudaGetKernel, "__cudaGetKernel")(kernel, host);
    std::lock_guard lock(mutex);
    if (error == cudaSuccess) names[*kernel] = names[host];
    return error;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 g, dim3 b, void** a, size_t s, cudaStream_t stream) {
    const cudaError_t error = next(&__cudaLaunchKernel, "__cudaLaunchKernel")(kernel, g, b, a, s, stream);
    if (error == cudaSuccess) note(kernel, g, b, stream);
    return error;
}
cudaError_t cudaLaunchKernel(const void* f, dim3 g, dim3 b, void** a, size_t s, cudaStream_t stream) {
    const cudaError_t error = next(&cudaLaunchKernel, "cudaLaunchKernel")(f, g, b, a, s, stream);
    if (error == cudaSuccess) note(f, g, b, stream);
    return error;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** a) {
    const cudaError_t error = next(&cudaLaunchKernelExC, "cudaLaunchKernelExC")(c, f, a);
    if (error == cudaSuccess) note(f, c->gridDim, c->blockDim, c->stream);
    return error;
}
cudaError_t cudaLaunchCooperativeKernel(const void* f, dim3 g, dim3 b, void** a, size_t s, cudaStream_t stream) {
    const cudaError_t error = next(&cudaLaunchCooperativeKernel, "cudaLaunchCooperativeKernel")(f, g, b, a, s, stream);
    if (error == cudaSuccess) note(f, g, b, stream);
    return error;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    const cudaError_t error = next(&cudaStreamEndCapture, "cudaStreamEndCapture")(stream, graph);
    if (error == cudaSuccess) nodes[*graph] = std::move(captured[stream]);
    captured[stream].clear();
    return error;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* n, cudaGraph_t graph, const cudaGraphNode_t* d, size_t count,
                                   const cudaKernelNodeParams* p) {
    const cudaError_t error = next(&cudaGraphAddKernelNode, "cudaGraphAddKernelNode")(n, graph, d, count, p);
    if (error == cudaSuccess) nodes[graph].push_back(line(p->func, p->gridDim, p->blockDim));
    return error;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    const cudaError_t error = next(&cudaGraphInstantiate, "cudaGraphInstantiate")(exec, graph, flags);
    if (error == cudaSuccess) graphs[*exec] = nodes[graph];
    return error;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    const cudaError_t error = next(&cudaGraphLaunch, "cudaGraphLaunch")(exec, stream);
    if (error == cudaSuccess)
        for (const std::string& launch : graphs[exec]) write(launch);
    return error;
}
}
"""


def run(command, **more):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace", **more)


def base_names(mangled):
    """Demangled names without namespaces, template arguments and parameters."""
    names = run(["c++filt"], input="\n".join(mangled)).stdout.split("\n")
    bases = []
    for name in names[: len(mangled)]:
        name = name.replace("(anonymous namespace)", "anonymous")
        while re.search(r"<[^<>]*>", name):
            name = re.sub(r"<[^<>]*>", "", name)
        bases.append(name.split("(")[0].split()[-1].split("::")[-1] if name.strip() else name)
    return bases


def read_launches(log):
    rows = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
    numbers = [[int(n) for n in row[1:]] for row in rows]
    names = base_names([row[0] for row in rows])
    return [{"kernel": name, "grid": n[:3], "block": n[3:]} for name, n in zip(names, numbers)]


def same_launches(expected, ran, with_library):
    if isinstance(expected, dict):
        return len(ran) == expected["count"] and ran[0] == expected["first"]
    if not with_library:
        return ran == expected
    own = {launch["kernel"] for launch in expected}
    return [launch for launch in ran if launch["kernel"] in own] == expected


def write(path, expected):
    """One launch a line, so that a difference can be read."""
    parts = []
    for key, value in expected.items():
        if key == "launches" and isinstance(value, list) and value:
            text = "[\n" + ",\n".join("    " + json.dumps(launch) for launch in value) + "\n  ]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        parts.append(f"  {json.dumps(key)}: {text}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def build(name, arguments, folder):
    expected = json.loads((HERE / name / "expected.json").read_text())
    place = folder / name
    shutil.copytree(HERE / name, place)
    command = [arguments.nvcc, "-arch=compute_75", "-code=compute_75", "-cudart", "shared", "-o", "program"]
    made = run(command + expected.get("flags", []) + expected["sources"], cwd=place)
    return name, expected, place, made


def record(name, expected, place, arguments, library, device):
    log = place / "launches.log"
    libraries = pathlib.Path(arguments.nvcc).resolve().parent.parent / "lib64"
    environment = dict(os.environ, LD_PRELOAD=str(library), LAUNCH_LOG=str(log))
    environment["LD_LIBRARY_PATH"] = f"{libraries}:{environment.get('LD_LIBRARY_PATH', '')}"
    try:
        again, ended = (run([place / "program"] + expected["arguments"], cwd=place, input=expected.get("input", ""),
                            env=environment, timeout=60) for _ in range(2))
    except subprocess.TimeoutExpired:
        return [f"{name}: did not end within a minute"]
    problems = []
    if again.stdout != ended.stdout:
        problems.append(f"{name}: prints something else each time:\n{again.stdout}    and\n{ended.stdout}")
    ran = read_launches(log)
    if not same_launches(expected["launches"], ran, expected.get("library launches")):
        problems.append(f"{name}: other launches than expected: {len(ran)}")
        problems += ["    " + json.dumps(launch) for launch in ran[:20]]
    if ended.returncode != expected["status"]:
        problems.append(f"{name}: status {ended.returncode} instead of {expected['status']}: {ended.stderr[-500:]}")
    if expected["printed"] is not None and ended.stdout != expected["printed"]:
        problems.append(f"{name}: printed\n{ended.stdout}    instead of\n{expected['printed']}")
    blocking = [p for p in problems if ": printed\n" not in p]
    if not arguments.check and not blocking:
        expected["printed"] = ended.stdout
        expected["recorded on"] = device
        write(HERE / name / "expected.json", expected)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    arguments.nvcc = os.path.abspath(arguments.nvcc)
    names = arguments.names or sorted(path.parent.name for path in HERE.glob("*/expected.json"))
    device = run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]).stdout.split("\n")[0].strip()
    if not device:
        sys.exit("no NVIDIA GPU answers (nvidia-smi)")

    problems = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "launch_log.cpp").write_text(LAUNCH_LOG)
        library = folder / "launch_log.so"
        made = run([arguments.nvcc, "-std=c++20", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared", "-o", library,
                    folder / "launch_log.cpp", "-ldl"])
        if made.returncode:
            sys.exit(made.stdout + made.stderr)
        with concurrent.futures.ThreadPoolExecutor(max(1, os.cpu_count() or 1)) as pool:
            built = list(pool.map(lambda name: build(name, arguments, folder), names))
        for name, expected, place, made in built:
            found = [f"{name}: does not compile: {made.stdout}{made.stderr}"] if made.returncode else record(
                name, expected, place, arguments, library, device)
            print(f"{name}: {'differs' if found else 'as expected'}", flush=True)
            problems += found
    print("\n" + "\n".join(problems) if problems else f"{len(names)} programs, all as expected on {device}")
    sys.exit(1 if problems else 0)


main()
