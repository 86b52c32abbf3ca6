#!/usr/bin/env bash
# Makes the pictures of README.md and of app/execute/gpu/README.md with the program that ./run.sh built. Needs xvfb-run,
# which ./test.sh installs; hardware.png also needs xdotool and ImageMagick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lanescope=${LANESCOPE:-build/release/lanescope}
pictures=assets/pictures
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT

# window FILE ARGUMENTS...: a screenshot of the window
window() {
    local file=$1
    shift
    LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1920x1080x24 -noreset" \
        "$lanescope" "$@" --fresh --screenshot "$file"
}

window $pictures/window.png reduce/interleaved-modulo --progress 0.655 --select 3,0 --size 1920x1080 --theme dark
"$lanescope" render reduce/strided-index --block 256 --n 256 --pass 4 --panel banks --width 760 -o $pictures/banks.png

# A walk through a reduction: an animated PNG of 33 positions.
count=32
for ((i = 0; i <= count; ++i)); do
    window "$frames/$(printf %03d $i).png" reduce/interleaved-modulo --n 8 --block 8 --input "6 4 16 10 16 14 2 8" \
        --progress "$(awk "BEGIN { print $i / $count }")" --size 1280x720 --theme dark
done
python3 $pictures/animate.py "$frames" $pictures/walk.png 450

# The window as a user arranges it: Grid beside Source with SASS. Both tabs are clicked at their places for this size.
clicked() {
    "$lanescope" scan/three-launches --n 2048 --block 256 --view compiled --progress 0.5 --fresh --size 1920x1080 \
        --theme dark &
    sleep 30
    xdotool mousemove 740 73 click 1
    sleep 4
    xdotool mousemove 578 73 click 1
    sleep 20
    xdotool mousemove 900 1000
    sleep 1
    import -window root "$1"
    kill %1
}
export lanescope
# `export -f` does not work here: the shell of xvfb-run drops functions.
LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1920x1080x24 -noreset" \
    bash -c "$(declare -f clicked); clicked $pictures/hardware.png"
