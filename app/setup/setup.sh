# shellcheck shell=bash
# Sourced by run.sh and test.sh, with the project's folder as the current one. Offers:
#   set_up build|test|tidy|fuzz|headless|hardware
#                                installs the packages, the Python packages and the source archive that this takes
#   configure PRESET             configures build/PRESET if anything that it was configured from has changed
#   build PRESET [TARGET]        configures and builds; leaves in `run` what the programs are started with
#   say, die                     progress and errors, on stderr: stdout belongs to the program
#
# Each step leaves a mark when it is done: a file with the inputs of the step. A call compares them, and repeats a step
# whose mark is missing or differs. So the next call completes an interrupted step, and notices a package that was
# installed, removed or changed. tests/setup tests this.

setup_dir=app/setup
venv=.venv
bundle=.deps/imgui-bundle
# Of the bundle, only what is compiled, and its licenses.
bundle_parts=(glfw/glfw imgui/imgui imgui_md/md4c imgui_test_engine/imgui_test_engine/imgui_test_engine
    portable_file_dialogs/portable_file_dialogs)
log=build/setup.log
# One clone's compiler cache serves other clones, with precompiled headers, too.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros

say() { printf 'lanescope: %s\n' "$*" >&2; }
die() { printf 'lanescope: error: %s\n' "$1" >&2; shift; [ $# -eq 0 ] || printf '    %s\n' "$@" >&2; exit 2; }

# logged WHAT ADVICE COMMAND...: runs the command with its output in $log; shows the end of the output only on failure.
logged() {
    local what=$1 advice=$2
    shift 2
    "$@" >"$log" 2>&1 </dev/null && return
    tail -n 20 "$log" | sed 's/^/    /' >&2
    die "$what failed." "$advice" "The whole output is in $log."
}

# has_mark FILE TEXT / mark FILE TEXT: was this done from exactly that? A mark is complete or does not exist.
has_mark() { [ -f "$1" ] && [ "$(<"$1")" = "$2" ]; }
mark() { printf '%s\n' "$2" >"$1.part" && mv "$1.part" "$1"; }
hash_of() { cat "$@" | sha256sum | cut -d ' ' -f 1; }

# failed_lately FILE TEXT: did an optional step with exactly that text fail within the last hour? Without this, a
# machine without a network would wait for every attempt.
failed_lately() { has_mark "$1" "$2" && [ -n "$(find "$1" -mmin -60)" ]; }

# --- Packages of the distribution -------------------------------------------------------------------------------

names_in() { sed 's/#.*//' "$@" | tr -s ' \n' '\n' | sed '/^$/d' | sort -u; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
    comm -23 <(names_in "$@") <(
        dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

install_packages() {
    command -v dpkg-query >/dev/null || {
        if [ -z "$(command -v cmake)" ] || [ -z "$(command -v ninja)" ]; then
            die "this is neither Debian nor Ubuntu; install the packages of these lists with your package manager:" "$@"
        fi
        return 0
    }
    local missing count hint
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    count=$(wc -w <<<"$missing")
    hint="Install them yourself and call this again: apt-get install $(xargs <<<"$missing")"
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
        die "$count packages are missing, and only root can install them." "$hint"
    say "installing $count packages: $(xargs <<<"$missing")"
    # An interrupted installation leaves packages unpacked, and apt-get refuses to run until they are configured.
    as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a >"$log" 2>&1 </dev/null || true
    apt_get update -qq >"$log" 2>&1 </dev/null ||
        say "apt-get update failed; trying with the package lists that are here"
    # shellcheck disable=SC2086
    logged "apt-get install" "$hint" apt_get install -y -qq --fix-broken --no-install-recommends $missing
}

# A system that is being installed holds dpkg's lock for a while.
apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"; }

# Where a system lacks the packages of a list, the features that need them are left out.
install_optional_packages() {
    local list want
    for list; do
        want=$(hash_of "$list")
        if failed_lately ".deps/$(basename "$list")-failed" "$want" || (install_packages "$list"); then continue; fi
        mark ".deps/$(basename "$list")-failed" "$want"
        say "continuing without $(names_in "$list" | xargs)"
    done
}

# --- Python packages and the source archive --------------------------------------------------------------------

system_python() { if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi; }

# A virtual environment contains its own path and Python's version, so it does not survive a move.
virtual_environment() {
    local python want
    python=$(system_python) || die "python3 is not installed."
    want="$PWD $("$python" --version)"
    if has_mark $venv/lanescope-environment "$want" && $venv/bin/python -c '' 2>/dev/null; then return 0; fi
    rm -rf $venv
    logged "creating .venv" "Is the package python3-venv installed?" "$python" -m venv $venv
    mark $venv/lanescope-environment "$want"
}

# pip_get COMMAND LIST ARGUMENTS...
pip_get() {
    local command=$1 list=$2
    shift 2
    $venv/bin/python -m pip "$command" --disable-pip-version-check --no-deps --require-hashes -r "$list" "$@"
}

# The generator of the OpenGL loader.
loader_generator() {
    local list=$setup_dir/pip/build.txt want
    want=$(hash_of $list)
    virtual_environment
    if has_mark $venv/lanescope-build "$want"; then return 0; fi
    say "installing the generator of the OpenGL loader into .venv"
    logged "installing Python packages" "Is there a network, and does pip reach its index?" pip_get install $list
    mark $venv/lanescope-build "$want"
}

# has_headers HOME: are there headers of CUDA 12.4 or later?
has_headers() {
    local header version
    for header in "$1/include/cuda.h" "$1/targets/x86_64-linux/include/cuda.h"; do
        [ -f "$header" ] || continue
        version=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$header")
        [ "${version:-0}" -lt 12040 ] || return 0
    done
    return 1
}

# Is there a CUDA Toolkit 12.4 or later with its NVRTC?
toolkit() {
    local home
    for home in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
        if has_headers "${home:-/none}" && compgen -G "$home/lib64/libnvrtc.so*" >/dev/null; then return 0; fi
    done
    return 1
}

# Is there one with nvcc, where host/build.cpp looks for it?
installed_nvcc() {
    local nvcc
    [ -z "${LANESCOPE_NVCC:-}" ] || return 0  # this one, or none
    for nvcc in "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" /usr/local/cuda/bin/nvcc "$(command -v nvcc)"; do
        if [ -x "$nvcc" ] && has_headers "$(dirname "$(dirname "$(readlink -f "$nvcc")")")"; then return 0; fi
    done
    return 1
}

# optional_wheels NAME WHAT WITHOUT LISTS...: installs packages into .venv; where that fails, says what is missing.
optional_wheels() {
    local name=$1 what=$2 without=$3 want more=()
    shift 3
    want=$(hash_of "$@")
    if has_mark "$venv/lanescope-$name" "$want" || failed_lately ".deps/$name-failed" "$want"; then return 0; fi
    say "installing $what into .venv"
    [ $# -eq 1 ] || more=(-r "${@:2}")
    if (virtual_environment) && pip_get install "$1" "${more[@]}" >"$log" 2>&1 </dev/null; then
        mark "$venv/lanescope-$name" "$want"
    else
        cp "$log" "build/$name.log" 2>/dev/null || true
        mark ".deps/$name-failed" "$want"
        say "$without The reason is in build/$name.log." \
            "The next attempt is in an hour, or after you delete .deps/$name-failed."
    fi
}

# Without NVRTC, the program still runs its own kernels, from the PTX kept beside them.
nvrtc() {
    toolkit || optional_wheels nvrtc "NVRTC (the CUDA compiler library, 95 MB)" \
        "NVRTC could not be installed: the built-in kernels still run, other sources cannot be compiled." \
        $setup_dir/pip/nvrtc.txt
}

# Without nvcc, the program still runs kernels alone. The CUDA headers come with NVRTC's list.
nvcc_wheels() {
    installed_nvcc || optional_wheels nvcc "nvcc (the CUDA compiler of whole programs, 122 MB)" \
        "nvcc could not be installed: kernels still run, host code cannot be compiled." \
        $setup_dir/pip/nvcc.txt $setup_dir/pip/nvrtc.txt
}

installed_nvdisasm() {
    local home
    [ -z "${LANESCOPE_NVDISASM:-}" ] || return 0  # this one, or none
    for home in "${CUDA_HOME:-/none}" "${CUDA_PATH:-/none}" /usr/local/cuda; do
        if [ -x "$home/bin/nvdisasm" ]; then return 0; fi
    done
    command -v nvdisasm >/dev/null
}

# Without nvdisasm, no machine code is shown. ptxas, which assembles it, comes with nvcc.
nvdisasm_wheel() {
    installed_nvdisasm || optional_wheels nvdisasm "nvdisasm (the CUDA disassembler, 5 MB)" \
        "nvdisasm could not be installed: kernels still run, their machine code (SASS) cannot be shown." \
        $setup_dir/pip/nvdisasm.txt
}

# The sources of Dear ImGui, md4c and GLFW.
source_archive() {
    local list=$setup_dir/pip/imgui-bundle.txt want download=.deps/download folder
    want="$(hash_of $list) ${bundle_parts[*]}"
    if has_mark $bundle/lanescope-mark "$want"; then return 0; fi
    virtual_environment
    say "fetching the sources of Dear ImGui, md4c and GLFW (49 MB)"
    rm -f $bundle/lanescope-mark
    rm -rf $bundle $download
    mkdir -p $bundle $download
    logged "fetching imgui-bundle" "Is there a network, and does pip reach its index?" \
        pip_get download $list --no-binary imgui-bundle -d $download
    folder=$(basename $download/*.tar.gz .tar.gz)
    # --touch: the archive's files would be older than any build, so another version would not be compiled.
    logged "unpacking imgui-bundle" "Is the disk full?" \
        tar -xzf "$download/$folder.tar.gz" --touch -C $bundle --strip-components=1 "$folder/LICENSE" \
        "${bundle_parts[@]/#/$folder/external/}"
    rm -rf $download
    mark $bundle/lanescope-mark "$want"
}

# --- Setting up and building -----------------------------------------------------------------------------------

# Two calls at once would interfere.
lock() {
    mkdir -p build .deps
    exec 9>.deps/lock
    command -v flock >/dev/null || return 0
    flock -n 9 || { say "another call is setting up or building; waiting for it"; flock 9; }
}
unlock() { exec 9>&-; }

set_up() {
    local lists=$setup_dir/packages
    lock
    case $1 in
        build)
            install_packages $lists/build.txt
            install_optional_packages $lists/host.txt
            ;;
        test | headless)
            install_packages $lists/build.txt $lists/test.txt
            install_optional_packages $lists/host.txt $lists/format.txt
            ;;
        tidy | fuzz) install_packages $lists/build.txt $lists/test.txt "$lists/$1.txt" ;;
        # A machine with a GPU may have no network, and may have what is needed without the packages.
        hardware) (configure hardware) 2>/dev/null || install_packages $lists/hardware.txt ;;
    esac
    case $1 in build | test | tidy) loader_generator ;; esac
    case $1 in build | test | tidy | headless) source_archive ;; esac
    nvrtc
    case $1 in build | test | headless) nvcc_wheels; nvdisasm_wheel ;; esac
    unlock
}

# The inputs of a build's configuration. The first line is what its files contain: a build of another place or compiler
# starts over. The others are what CMake finds: the versions of the packages, or the programs where there is no dpkg.
configured_from() {
    echo "$PWD, $(c++ --version 2>/dev/null | head -n 1)"
    hash_of $setup_dir/pip/*.txt CMakePresets.json
    if command -v dpkg-query >/dev/null; then
        # shellcheck disable=SC2046
        dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' $(names_in $setup_dir/packages/*.txt) \
            2>/dev/null | sed -n 's/ installed$//p' || true
    else
        command -v cmake ninja ccache xvfb-run clang-format-14 || true
    fi
}

configure() {
    local preset=$1 folder=build/$1 want before unity=8
    want=$(configured_from)
    if has_mark "$folder/lanescope-mark" "$want" && [ -f "$folder/build.ninja" ]; then return 0; fi
    say "configuring $folder"
    before=$(head -n 1 "$folder/lanescope-mark" 2>/dev/null || true)
    if [ -n "$before" ] && [ "$before" != "${want%%$'\n'*}" ]; then rm -rf "$folder"; fi
    if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"
    then rm -rf "$folder"; fi
    rm -f "$folder/lanescope-mark"
    # Compiling eight files at a time takes half the time, but editing one compiles all eight.
    case $preset in develop | debug | fuzz) unity=0 ;; esac
    logged "configuring" "If packages were removed by hand, call this again." \
        cmake --preset "$preset" --fresh -DLANESCOPE_UNITY=$unity
    mark "$folder/lanescope-mark" "$want"
}

build() {
    local preset=$1 target=${2:-all} folder=build/$1 advice first=
    run=(env)
    lock
    configure "$preset"
    advice="If the sources are as they were published, delete $folder and call this again."
    # The thread sanitizer of g++ 12 and 13 does not start if addresses are randomized by more than 28 bits.
    [ "$preset" != tsan ] || ! setarch -R true 2>/dev/null || run=(setarch -R)
    [ -f "$folder/.ninja_log" ] || first=yes
    if [ -t 2 ] && [ -n "$first" ]; then
        NINJA_STATUS='  [%f/%t] ' "${run[@]}" ninja -C "$folder" "$target" >&2 ||
            die "building $preset failed." "$advice"
    else
        [ -z "$first" ] || say "building $folder (takes minutes the first time)"
        "${run[@]}" ninja --quiet -C "$folder" "$target" 2>&1 | sed '/^ninja: no work to do\.$/d' >&2 ||
            die "building $preset failed." "$advice"
    fi
    unlock
}
