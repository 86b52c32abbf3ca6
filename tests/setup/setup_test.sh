#!/usr/bin/env bash
# Tests what app/setup/setup.sh does when it is called again: after an interruption, after packages came or went,
# without a network. It calls the commands in fake/, which only record their calls, so nothing is installed.
#
#   tests/setup/setup_test.sh [CASE]     one case, or all; each is a function below
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() { echo "$case: $*" >&2; sed 's/^/    /' "$STATE/calls" "$STATE/output" >&2; exit 1; }

# call MODE [PRESET]: sets up and builds in a separate process, as run.sh does.
call() {
    : >"$STATE/calls"
    bash -c 'export CALL=$$
        set -euo pipefail
        . app/setup/setup.sh
        system_python() { echo python3; }
        toolkit() { [ -f "$STATE/toolkit" ]; }
        installed_nvcc() { [ -f "$STATE/toolkit" ]; }
        installed_nvdisasm() { [ -f "$STATE/toolkit" ]; }
        set_up "$1"
        build "$2"' call "$1" "${2:-release}" >"$STATE/output" 2>&1
}
succeeds() { call "$@" || fail "the call failed"; }
is_interrupted() { touch "$STATE/interrupt-$1"; ! call "${@:2}" 2>/dev/null || fail "$1 was not interrupted"; }
called() { grep -qE -- "$1" "$STATE/calls" || fail "there was no call of $1"; }
not_called() { ! grep -qE -- "$1" "$STATE/calls" || fail "$1 was called"; }
says() { grep -qE -- "$1" "$STATE/output" || fail "the output lacks: $1"; }
install() { echo "$1 ${2:-1} installed" >>"$STATE/installed"; }
remove() { sed -i "/^$1 /d" "$STATE/installed"; }
an_hour_passes() { touch -d '61 minutes ago' "$@"; }

ASecondCallOnlyBuilds() {
    succeeds test
    called "apt-get.* libgtest-dev"
    called "^venv"
    called "pip .*nvrtc.txt"
    called "^tar"
    called "cmake --preset release --fresh -DLANESCOPE_UNITY=8"
    succeeds test
    [ "$(wc -l <"$STATE/calls")" = 1 ] || fail "there is more than the build"
    called "^ninja"
}

APackageThatWasRemovedIsInstalledAgain() {
    succeeds build
    remove libzstd-dev
    succeeds build
    called "apt-get.* libzstd-dev$"
}

APackageThatComesLaterConfiguresAgain() {
    succeeds build
    install libbenchmark-dev
    succeeds build
    called "cmake --preset release --fresh -DLANESCOPE_UNITY=8"
}

APackageThatGoesConfiguresAgain() {
    install libbenchmark-dev
    succeeds build
    remove libbenchmark-dev
    succeeds build
    called "cmake --preset release --fresh -DLANESCOPE_UNITY=8"
}

APackageOfAnotherVersionConfiguresAgain() {
    succeeds build
    remove libfmt-dev
    install libfmt-dev 2
    succeeds build
    called "cmake --preset release --fresh -DLANESCOPE_UNITY=8"
}

AnInterruptedAptGetIsFinished() {
    is_interrupted apt-get build
    succeeds build
    called "dpkg --configure -a"
    grep -q '^libzstd-dev 1 installed$' "$STATE/installed" || fail "a package is missing"
}

AnInterruptedVirtualEnvironmentIsMadeAnew() {
    is_interrupted python3 build
    succeeds build
    called "^venv"
    called "pip .*build.txt"
}

AnInterruptedPipIsRepeated() {
    is_interrupted python build
    succeeds build
    not_called "^venv"
    called "pip .*build.txt"
}

AnInterruptedUnpackingIsRepeated() {
    is_interrupted tar build
    [ -d .deps/imgui-bundle/external ] || fail "nothing is half done"
    succeeds build
    called "^tar"
    [ -f .deps/imgui-bundle/external/imgui/imgui/imgui.h ] || fail "there are no sources"
}

AnInterruptedConfigurationIsRepeated() {
    succeeds build
    install libbenchmark-dev
    is_interrupted cmake build
    remove libbenchmark-dev  # as before the interruption: the mark must not say that this step is done
    succeeds build
    called "cmake --preset release --fresh -DLANESCOPE_UNITY=8"
}

AnInterruptedBuildGoesOn() {
    is_interrupted ninja build
    succeeds build
    called "^ninja"
    not_called "^cmake"
}

OptionalPackagesAreTriedAgainAfterAnHour() {
    echo clang-format-14 >"$STATE/refused"
    succeeds test
    says "continuing without clang-format-14"
    succeeds test
    not_called "^apt-get"
    rm "$STATE/refused"
    an_hour_passes .deps/format.txt-failed
    succeeds test
    called "apt-get.* clang-format-14"
    called "^cmake"
}

NvrtcIsTriedAgainAfterAnHour() {
    succeeds build
    rm .venv/lanescope-nvrtc
    touch "$STATE/offline"
    succeeds build
    says "NVRTC could not be installed"
    succeeds build
    not_called "^pip"
    rm "$STATE/offline"
    an_hour_passes .deps/nvrtc-failed
    succeeds build
    called "pip .*nvrtc.txt"
    succeeds build
    not_called "^pip"
}

NvrtcIsInstalledWhenTheToolkitGoes() {
    touch "$STATE/toolkit"
    succeeds build
    not_called "pip .*nvrtc.txt"
    rm "$STATE/toolkit"
    succeeds build
    called "pip .*nvrtc.txt"
}

NvccIsTriedAgainAfterAnHour() {
    succeeds build
    called "pip .*nvcc.txt -r nvrtc.txt"
    rm .venv/lanescope-nvcc
    touch "$STATE/offline"
    succeeds build
    says "nvcc could not be installed: kernels still run"
    succeeds build
    not_called "^pip"
    rm "$STATE/offline"
    an_hour_passes .deps/nvcc-failed
    succeeds build
    called "pip .*nvcc.txt"
    succeeds build
    not_called "^pip"
}

NvccIsInstalledWhenTheToolkitGoes() {
    touch "$STATE/toolkit"
    succeeds test
    not_called "pip .*nvcc.txt"
    rm "$STATE/toolkit"
    succeeds test
    called "pip .*nvcc.txt"
}

NvdisasmIsTriedAgainAfterAnHour() {
    succeeds build
    called "pip .*nvdisasm.txt"
    rm .venv/lanescope-nvdisasm
    touch "$STATE/offline"
    succeeds build
    says "nvdisasm could not be installed: kernels still run"
    succeeds build
    not_called "^pip"
    rm "$STATE/offline"
    an_hour_passes .deps/nvdisasm-failed
    succeeds build
    called "pip .*nvdisasm.txt"
}

HostProgramsRunWithoutBubblewrap() {
    echo bubblewrap >"$STATE/refused"
    succeeds build
    says "continuing without .*bubblewrap"
    called "^ninja"
    succeeds test
    called "apt-get.* clang-format-14"
}

ACloneThatWasMovedIsSetUpAnew() {
    succeeds build
    touch build/release/object
    mv "$PWD" "$PWD.moved"
    cd "$PWD.moved"
    succeeds build
    called "^venv"
    called "^cmake"
    [ ! -e build/release/object ] || fail "the build kept an object of another place"
}

AnotherCompilerBuildsAnew() {
    succeeds build
    touch build/release/object
    echo "c++ 13" >"$STATE/compiler"
    succeeds build
    called "^cmake"
    [ ! -e build/release/object ] || fail "the build kept an object of another compiler"
}

HeadlessBuildsTakeNoLoaderOfOpenGL() {
    succeeds headless headless
    not_called "pip .*build.txt"
}

HardwareInstallsNothingWhereItConfigures() {
    touch "$STATE/offline" "$STATE/toolkit"
    succeeds hardware hardware
    not_called "^(apt-get|dpkg|venv|pip)"
}

HardwareInstallsWhatIsMissing() {
    touch "$STATE/unconfigurable" "$STATE/toolkit"
    succeeds hardware hardware
    called "apt-get.* libgtest-dev"
    not_called "apt-get.* libx11-dev"
    not_called "^(venv|pip)"
}

run() {
    case=$1
    sandbox=$(mktemp -d)
    trap 'rm -rf "$sandbox"' EXIT
    export STATE=$sandbox/state FAKE=$here/fake PATH=$here/fake:$PATH
    mkdir -p "$STATE" "$sandbox/project/app" "$sandbox/imgui_bundle-1"
    : >"$STATE/installed"
    : >"$STATE/calls"
    : >"$STATE/output"
    echo "c++ 12" >"$STATE/compiler"
    cp -r "$here/../../app/setup" "$sandbox/project/app"
    cp "$here/../../CMakePresets.json" "$sandbox/project"
    (
        cd "$sandbox/imgui_bundle-1"
        # shellcheck source=app/setup/setup.sh
        . "$here/../../app/setup/setup.sh"
        mkdir -p "${bundle_parts[@]/#/external/}"
        touch LICENSE external/imgui/imgui/imgui.h
        /bin/tar -czf "$STATE/imgui_bundle-1.tar.gz" -C .. imgui_bundle-1
    )
    cd "$sandbox/project"
    "$case"
    echo "$case: passed"
}

if [ $# -gt 0 ]; then run "$1"
else
    mapfile -t cases < <(sed -n 's/^\([A-Z][A-Za-z]*\)() {$/\1/p' "$here/setup_test.sh")
    for name in "${cases[@]}"; do "$here/setup_test.sh" "$name"; done
fi
