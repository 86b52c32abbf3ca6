# shellcheck shell=bash
# Sourced by run.sh and test.sh, with the project's folder as the current one. Offers:
#   set_up build|test|tidy|fuzz  installs the packages, the Python packages and the source archive
#   build PRESET [TARGET]        configures build/PRESET if anything it was configured from changed, and builds;
#                                leaves in `run` what its programs are to be started with
#   say, die                     progress and errors, on stderr: stdout belongs to the program
# What is done is marked by the hash of what it was done from, so a second call only looks.

setup_dir=app/setup
venv=.venv
# What the compiler's cache holds of one clone serves the others, with precompiled headers too.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
bundle=.deps/imgui-bundle
log=build/setup.log

say() { printf 'lanescope: %s\n' "$*" >&2; }
die() { printf 'lanescope: error: %s\n' "$1" >&2; shift; [ $# -eq 0 ] || printf '    %s\n' "$@" >&2; exit 2; }

# logged WHAT ADVICE COMMAND...: runs it with its output kept in $log; shows the end of it only when it fails.
logged() {
    local what=$1 advice=$2
    shift 2
    "$@" >"$log" 2>&1 </dev/null && return
    tail -n 20 "$log" | sed 's/^/    /' >&2
    die "$what failed." "$advice" "The whole output is in $log."
}

names_in() { sed 's/#.*//' "$@" | tr -s ' \n' '\n' | sed '/^$/d'; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
    command -v dpkg-query >/dev/null || {
        if [ -z "$(command -v cmake)" ] || [ -z "$(command -v ninja)" ]; then
            die "this is neither Debian nor Ubuntu; install what these lists name, by your system's means:" "$@"
        fi
        return 0
    }
    local missing
    missing=$(comm -23 <(names_in "$@" | sort -u) <(
        dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | sort -u))
    [ -n "$missing" ] || return 0
    local count hint
    count=$(wc -w <<<"$missing")
    hint="Install them yourself and call this again: apt-get install $(tr '\n' ' ' <<<"$missing")"
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || die "$count packages are missing, and only root installs." "$hint"
    say "installing $count packages: $(tr '\n' ' ' <<<"$missing")"
    apt_get update -qq >"$log" 2>&1 </dev/null ||
        say "apt-get update failed; trying with the package lists that are here"
    # shellcheck disable=SC2086
    logged "apt-get install" "$hint" apt_get install -y -qq --no-install-recommends $missing
}

# A system that is just being installed holds dpkg's lock for a while.
apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"; }

# Where a system does not have these, what they serve is left out; asked once.
install_optional_packages() {
    local want
    want=$(hash_of "$1")
    has_mark .deps/optional "$want" || (install_packages "$1") || say "going on without $(names_in "$1" | xargs)"
    mark .deps/optional "$want"
}

# has_mark FILE TEXT / mark FILE TEXT: was this done from exactly that?
has_mark() { [ -f "$1" ] && [ "$(<"$1")" = "$2" ]; }
mark() { printf '%s\n' "$2" >"$1"; }
hash_of() { cat "$@" | sha256sum | cut -d ' ' -f 1; }

system_python() { if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi; }

# A CUDA Toolkit of 12.4 or later with its NVRTC.
toolkit() {
    local home version
    for home in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
        [ -n "$home" ] && [ -f "$home/include/cuda.h" ] || continue
        version=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$home/include/cuda.h")
        [ "${version:-0}" -ge 12040 ] || continue
        if compgen -G "$home/lib64/libnvrtc.so*" >/dev/null; then return 0; fi
    done
    return 1
}

python_packages() {
    local want
    want="$(hash_of $setup_dir/pip/build.txt) $PWD"
    if ! has_mark $venv/lanescope-build "$want" || ! $venv/bin/python -c '' 2>/dev/null; then
        say "making .venv: the generator of the OpenGL loader"
        rm -rf $venv
        logged "making .venv" "Is the package python3-venv installed?" "$(system_python)" -m venv $venv
        logged "installing Python packages" "Is there a network, and does pip reach its index?" \
            $venv/bin/python -m pip install --disable-pip-version-check --no-deps --require-hashes \
            -r $setup_dir/pip/build.txt
        mark $venv/lanescope-build "$want"
    fi
    want=$(hash_of $setup_dir/pip/nvrtc.txt)
    if has_mark $venv/lanescope-nvrtc "$want" || toolkit; then return 0; fi
    # Without it the program still runs its own kernels, from the PTX kept beside them. Tried again after an hour.
    if [ -n "$(find $venv/lanescope-no-nvrtc -mmin -60 2>/dev/null)" ]; then return 0; fi
    say "installing NVRTC, the CUDA compiler library, into .venv (95 MB)"
    if $venv/bin/python -m pip install --disable-pip-version-check --no-deps --require-hashes \
        -r $setup_dir/pip/nvrtc.txt >"$log" 2>&1 </dev/null; then
        mark $venv/lanescope-nvrtc "$want"
    else
        touch $venv/lanescope-no-nvrtc
        say "NVRTC could not be installed: the built-in kernels run all the same, other sources cannot be compiled." \
            "The reason is in $log; the next try is in an hour."
        cp "$log" build/nvrtc.log 2>/dev/null || true
    fi
}

source_archive() {
    local want download folder
    want=$(hash_of $setup_dir/pip/imgui-bundle.txt)
    if has_mark $bundle/lanescope-mark "$want"; then return 0; fi
    say "fetching the sources of Dear ImGui, ImPlot and GLFW (49 MB)"
    download=.deps/download
    rm -rf $bundle $download
    mkdir -p $bundle $download
    logged "fetching imgui-bundle" "Is there a network, and does pip reach its index?" \
        $venv/bin/python -m pip download --disable-pip-version-check --no-deps --no-binary imgui-bundle \
        --require-hashes -r $setup_dir/pip/imgui-bundle.txt -d $download
    # Only what is compiled, and the licences.
    local parts=(glfw/glfw imgui/imgui implot/implot ImGuiColorTextEdit/ImGuiColorTextEdit
        imgui_test_engine/imgui_test_engine/imgui_test_engine portable_file_dialogs/portable_file_dialogs)
    folder=$(basename $download/*.tar.gz .tar.gz)
    logged "unpacking imgui-bundle" "Is the disk full?" \
        tar -xzf "$download/$folder.tar.gz" -C $bundle --strip-components=1 "$folder/LICENSE" \
        "${parts[@]/#/$folder/external/}"
    rm -rf $download
    mark $bundle/lanescope-mark "$want"
}

# Two calls at once would trip over each other's half-done work.
lock() {
    mkdir -p build .deps
    exec 9>.deps/lock
    command -v flock >/dev/null || return 0
    flock -n 9 || { say "another call is setting up or building; waiting for it"; flock 9; }
}
unlock() { exec 9>&-; }

set_up() {
    lock
    local lists=$setup_dir/packages
    case $1 in
        build) install_packages $lists/build.txt ;;
        test)
            install_packages $lists/build.txt $lists/test.txt
            install_optional_packages $lists/format.txt
            ;;
        tidy | fuzz) install_packages $lists/build.txt $lists/test.txt "$lists/$1.txt" ;;
    esac
    python_packages
    source_archive
    unlock
}

build() {
    local preset=$1 target=${2:-all} folder=build/$1 want advice
    run=(env)
    lock
    want="$(hash_of $setup_dir/packages/*.txt $setup_dir/pip/*.txt CMakePresets.json) $PWD $(has_tests)"
    if ! has_mark "$folder/lanescope-mark" "$want" || [ ! -f "$folder/build.ninja" ]; then
        say "configuring build/$preset"
        # A build configured in another place or for other packages would be full of stale paths.
        if [ -f "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"
        then rm -rf "$folder"; fi
        logged "configuring" "If packages were removed by hand, call this again." cmake --preset "$preset" --fresh
        mark "$folder/lanescope-mark" "$want"
    fi
    advice="If the sources are as they were published, delete $folder and call this again."
    # The thread sanitizer of g++ 12 and 13 does not start where addresses are randomised over more than 28 bits.
    [ "$preset" != tsan ] || ! setarch -R true 2>/dev/null || run=(setarch -R)
    if [ -t 2 ] && [ ! -f "$folder/lanescope" ]; then
        NINJA_STATUS='  [%f/%t] ' "${run[@]}" ninja -C "$folder" "$target" >&2 || die "building $preset failed." "$advice"
    else
        [ -f "$folder/lanescope" ] || say "building build/$preset/lanescope (some minutes the first time)"
        "${run[@]}" ninja --quiet -C "$folder" "$target" 2>&1 | sed '/^ninja: no work to do\.$/d' >&2 ||
            die "building $preset failed." "$advice"
    fi
    unlock
}

# The tests' libraries may come after the first configuration; the answer is part of what it was made from.
has_tests() { if compgen -G '/usr/lib/*/libgmock_main.a' >/dev/null; then echo tests; else echo no tests; fi; }
