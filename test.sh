#!/usr/bin/env bash
# Sets up what is missing, builds and tests. The last line is the sum: N passed, N failed.
#
#   ./test.sh                      all but the long tests: in release the window, pictures, commands and whole programs;
#                                  in asan and tsan the unit tests of what handles memory, files and threads
#   ./test.sh release|develop|debug|asan|tsan|headless [ARGUMENTS OF CTEST]
#                                  one build, for example ./test.sh develop -R unit_ptx
#   ./test.sh quick                the release build alone
#   ./test.sh long                 the tests labeled long, in develop, asan and tsan
#   ./test.sh hardware             the tests that need an NVIDIA GPU, without the window; needs no network
#   ./test.sh bench [ARGUMENTS OF GOOGLE BENCHMARK]
#   ./test.sh format [--check]     formats our sources with clang-format 14, or only checks them
#   ./test.sh tidy [FILES]         clang-tidy 16 over all our sources, or over these
#   ./test.sh fuzz [SECONDS]       the libFuzzer targets by clang 16, all at once, for 60 seconds or this many
#
# Works on Debian 12 and Ubuntu 24.04, as root or with sudo. Completed steps are not repeated.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. app/setup/setup.sh

jobs=$(nproc)
passed=0
failed=0
skipped=0
failing=()  # the presets in which a test failed
target=all  # what test_preset builds

# test_preset PRESET ARGUMENTS...: builds it, runs ctest, and adds the results to the totals.
test_preset() {
    local preset=$1 output=build/ctest-$1.txt
    shift
    build "$preset" "$target"
    say "testing build/$preset"
    "${run[@]}" ctest --preset "$preset" -j "$jobs" "$@" 2>&1 </dev/null | tee "$output" |
        grep -vE '^ +Start +[0-9]+:' || true
    # A test of ctest is mostly a program with many tests, and the program's output counts them: "[==========] 34 tests
    # from 11 test suites ran."
    local ran=0 bad=0 skip=0 programs
    read -r ran bad skip < <(awk '
        /^Output:$/ { tests = fails = 0; skips = 0 }
        /^\[==========\] [0-9]+ tests? from .* ran\./ { tests = $2 }
        /^\[  SKIPPED \] [0-9]+ tests?, / { skips = $4 }
        /^\[  FAILED  \] [0-9]+ tests?, / { fails = $4 }
        /^Test (Passed|Failed)\.$/ { ran += tests > 0 ? tests : 1; bad += fails; skip += skips }
        END { print ran + 0, bad + 0, skip + 0 }' "build/$preset/Testing/Temporary/LastTest.log" 2>/dev/null) || true
    # "100% tests passed, 0 tests failed out of 9"; a program that crashed or did not start has counted nothing.
    programs=$(sed -n 's/.*, \([0-9]*\) tests failed out of.*/\1/p' "$output")
    [ "$bad" -ge "${programs:=0}" ] || bad=$programs
    if ! grep -qE 'tests (passed|failed) out of' "$output"; then
        grep -q 'No tests were found' "$output" && { say "no such tests in build/$preset"; return; }
        ran=1 bad=1  # ctest itself went wrong
    fi
    failed=$((failed + bad))
    [ "$bad" -eq 0 ] || failing+=("$preset")
    skipped=$((skipped + skip))
    passed=$((passed + ran - bad - skip))
}

# Failures are repeated last, because the end of a long run is what people read.
sum_up() {
    local preset
    echo
    for preset in "${failing[@]}"; do
        say "failed in build/$preset (the full output is in build/ctest-$preset.txt)"
        awk '/^ *[0-9]+\/[0-9]+ Test +#/ { shown = /\*\*\*(Failed|Timeout|Exception|Not Run)/ && !/Disabled/ ? 60 : 0 }
             /^ +Start +[0-9]+:/ || /^\[ +OK \]/ || /^\[-+\]/ || /^$/ { begun = ""; next }
             /^\[ RUN / { begun = $0; next }
             shown > 0 { if (begun != "") print begun; begun = ""; print; shown-- }' "build/ctest-$preset.txt"
    done
    if [ "$skipped" -gt 0 ]; then echo "$passed passed, $failed failed, $skipped skipped"
    else echo "$passed passed, $failed failed"; fi
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

sources() { find app tests -name '*.h' -o -name '*.cpp' | sort; }

mode=${1:-all}
[ $# -eq 0 ] || shift
case $mode in
    -h | --help | help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" ;;
    all)
        set_up test
        target=optimized
        test_preset release -LE 'long|gpu|unit'
        target=sanitized
        for preset in asan tsan; do test_preset "$preset" -LE 'long|gpu'; done
        sum_up
        ;;
    quick)
        set_up test
        test_preset release -LE 'long|gpu'
        sum_up
        ;;
    release | develop | debug | asan | tsan | headless)
        case $mode in release | develop | debug) set_up test ;; *) set_up headless ;; esac
        test_preset "$mode" "$@"
        sum_up
        ;;
    long)
        set_up test
        for preset in develop asan tsan; do test_preset "$preset" -L long "$@"; done
        sum_up
        ;;
    hardware)
        set_up hardware
        test_preset hardware "$@"
        sum_up
        ;;
    bench)
        set_up test
        lock
        configure release
        unlock
        grep -q '^build bench: ' build/release/build.ninja ||
            die "there are no benchmarks in build/release." "Google Benchmark or Boost.Context is not installed."
        build release bench
        exec build/release/bench "$@"
        ;;
    format)
        command -v clang-format-14 >/dev/null || set_up test
        if [ "${1:-}" != --check ]; then sources | xargs clang-format-14 -i
        elif ! sources | xargs clang-format-14 --dry-run --Werror 2>build/format.txt; then
            sed -n 's/^\([^ ]*:[0-9]*\):[0-9]*: error: .*/    \1/p' build/format.txt | uniq >&2
            die "these lines are not formatted as clang-format 14 does it." "./test.sh format rewrites them."
        fi
        ;;
    tidy)
        set_up tidy
        # Nothing is built: the preset develop says how each file is compiled. The commands are gcc's; .clang-tidy adds
        # what clang needs to read them.
        lock
        configure develop
        logged "configuring" "" cmake --preset develop  # for files added since the last configuration
        unlock
        # The runtime is compiled with programs, and the fuzz targets by clang, so develop has no commands for them.
        # Files in tests/programs are written as users write them.
        toolkit=$(find -H /usr/local/cuda/include .venv -name cuda_runtime_api.h -printf '%h' -quit 2>/dev/null || true)
        files=("$@")
        [ $# -gt 0 ] ||
            mapfile -t files < <(sources | grep '\.cpp$' | grep -vE '^(app/setup|tests/programs)/')
        say "clang-tidy reads ${#files[@]} files"
        printf '%s\0' "${files[@]}" | toolkit=$toolkit xargs -0 -P "$jobs" -n 1 bash -c '
            case $0 in
                app/host/runtime/* | tests/fuzz/*)
                    exec clang-tidy-16 --quiet "$0" -- -Iapp -Itests ${toolkit:+-isystem "$toolkit"} ;;
                *) exec clang-tidy-16 -p build/develop --quiet "$0" ;;
            esac' 2>"$log" || die "clang-tidy found something." "Its other output is in $log."
        say "clang-tidy: ${#files[@]} files are clean"
        ;;
    fuzz)
        set_up fuzz
        build fuzz fuzzers
        seconds=${1:-60}
        declare -A running=()
        for program in build/fuzz/fuzz_*; do
            name=${program##*/fuzz_}
            layer=${name%%_*}
            corpus=build/corpus/fuzz_$name
            mkdir -p "$corpus"
            seeds=()
            folders=("tests/unit/$layer/data" "tests/cases/$layer")
            case $layer in
                compile | session)
                    folders+=(kernels/reduce kernels/scan tests/course tests/cases/commands tests/unit/compile/data)
                    ;;
            esac
            for folder in "${folders[@]}"; do [ ! -d "$folder" ] || seeds+=("$folder"); done
            # All at once, one thread each. The time-out counts wall time, and on a busy machine each gets little of it.
            "$program" -max_total_time="$seconds" -max_len=20000 -timeout=300 -rss_limit_mb=3000 -print_final_stats=1 \
                -artifact_prefix="$corpus-" "$corpus" "${seeds[@]}" >"build/fuzz-$name.log" 2>&1 </dev/null &
            running[$name]=$!
        done
        say "fuzzing for $seconds s: ${!running[*]}"
        for name in "${!running[@]}"; do
            output=build/fuzz-$name.log
            if wait "${running[$name]}"; then passed=$((passed + 1)) verdict="no find"
            else failed=$((failed + 1)) verdict="A FIND: $(grep -m 1 -E 'ERROR|SUMMARY' "$output" || true)"; fi
            say "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$output") runs," \
                "$(grep -oE 'cov: [0-9]+' "$output" | tail -n 1), $verdict; $output"
        done
        sum_up
        ;;
    *)
        die "no such mode: $mode" "./test.sh --help shows them."
        ;;
esac
