#!/bin/bash
# Makes the recordings of assets/recordings again on this machine's GPU: every variant over n, over block sizes and over
# elements per thread, and the fastest kernels beside CUB. Takes about an hour. Continues a recording that already
# exists.
#
#   tests/hardware/record_timings.sh [path of lanescope] [folder] [name of the device, for the files]
set -u
lanescope=$(realpath "${1:-build/release/lanescope}")
folder=${2:-assets/recordings}
device=${3:-h200}

record() {
    local file="$folder/$device-$1.json"
    shift
    if [ -e "$file" ]; then
        "$lanescope" time --resume "$file" > /dev/null
    else
        "$lanescope" time "$@" --out "$file" > /dev/null
    fi
}

record by-n --element int,float --block 256 --spend 60 --limit 20 --cub \
    --n 2^10,2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^28,2^30
record by-block --element int,float --n 2^14,2^18,2^22,2^26 --block 32,64,128,512,1024 --spend 20 --limit 20
record fastest reduce/one-launch reduce/flagged-sums reduce/counted-sum scan/look-back scan/one-round-trip scan/ring \
    scan/ring-copy scan/specialized-warps --element int,float --block 256,1024 --spend 60 --limit 20 --cub \
    --n 2^10,2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^28,2^30
record per-thread reduce/grid-stride reduce/one-launch --n 2^22,2^25,2^28 --block 128,256 --spend 20 \
    --per-thread 2,4,8,16,32,64,128,256,512,1024,2048,4096
