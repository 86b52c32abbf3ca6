#!/bin/bash
# Runs every kernel that comes with Lanescope under compute-sanitizer, with the timer's launches, and lists the errors
# beside the emulator's findings.
#
#   tests/hardware/sanitize.sh [path of lanescope] [file for the whole output] [compiled|written]
#
# Sound kernels must be clean under all four tools; for faulty ones it lists what each tool finds. No tool finds two
# kinds of faults: racecheck checks shared memory, not races between blocks in global memory, and initcheck checks
# global memory, not uninitialized shared memory. synccheck checks the machine code, in which a barrier that threads
# have left may be valid. Needs a GPU and the CUDA Toolkit. Takes a minute or two.
set -u
lanescope=$(realpath "${1:-build/release/lanescope}")
whole=${2:-/dev/null}
view=${3:-compiled}
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
tools="memcheck racecheck synccheck initcheck"
block=64

if ! nvidia-smi -L > /dev/null 2>&1 || [ ! -x "$sanitizer" ]; then
    echo "skipped: it needs an NVIDIA GPU and compute-sanitizer"
    exit 0
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export lanescope sanitizer out block view

# Two sizes: a few blocks with a tail, and one block for kernels that accept no more.
check() {
    local kernel=$1 tool=$2 log="$out/${1//\//_}.$2"
    timeout -k 5 60 "$sanitizer" --tool "$tool" "$lanescope" time "$kernel" --worker --anyway --view "$view" \
        --samples 1 --jobs "1000:$block,$block:$block" > "$log" 2>&1 || echo "exit status $?" >> "$log"
}
emulate() {
    local n log="$out/${1//\//_}.emulator"
    for n in 1000 $block; do  # exit status 2: the kernel does not take as many
        "$lanescope" trace "$1" --n $n --block "$block" --view "$view" --check --json > "$log" 2> /dev/null
        [ $? -eq 2 ] || return 0
    done
}
export -f check emulate

kernels=$("$lanescope" list --json | grep -oE '"name": *"[a-z]+/[a-z0-9-]+"' | grep -oE '[a-z]+/[a-z0-9-]+' | sort -u)
for kernel in $kernels; do
    echo "emulate $kernel"
    for tool in $tools; do echo "check $kernel $tool"; done
done | xargs -P 8 -I{} bash -c '{}'

# "3 errors", "2 hazards"; "ended" where the tool gave no summary.
found() {
    local summary
    summary=$(grep -oE 'ERROR SUMMARY: [0-9]+|RACECHECK SUMMARY: [0-9]+' "$1" | tail -1 | grep -oE '[0-9]+')
    if [ -z "$summary" ]; then echo "ended"; else echo "$summary"; fi
}

wrong=0
printf '%-40s %-44s %9s %9s %9s %9s\n' kernel "the emulator finds" $tools
for kernel in $kernels; do
    file="$out/${kernel//\//_}"
    kinds=$(grep -oE '"kind": *"[a-z-]+"' "$file.emulator" | grep -oE '[a-z-]+"$' | tr -d '"' | sort -u | paste -sd, -)
    grep -qE '"ok": *false' "$file.emulator" && kinds="${kinds:+$kinds,}wrong-result"
    counts=()
    for tool in $tools; do
        counts+=("$(found "$file.$tool")")
        printf '=== %s %s\n' "$kernel" "$tool" >> "$whole"
        cat "$file.$tool" >> "$whole"
    done
    printf '%-40s %-44s %9s %9s %9s %9s\n' "$kernel" "${kinds:-nothing}" "${counts[@]}"
    if [[ $kernel != faulty/* ]] && [ "${counts[*]}" != "0 0 0 0" ]; then
        echo "    not clean: $kernel"
        wrong=1
    fi
done
exit $wrong
