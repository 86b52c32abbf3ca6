#!/usr/bin/env python3
"""The ratio of our fastest kernels' median time to CUB's, with the spread of several runs, as a Markdown table.

    tests/hardware/ratios.py RUN.json RUN.json RUN.json

The runs are recordings of one device by `lanescope time ... --cub`. Each ratio is of one run; the table has the median
of all runs and, in brackets, the minimum and the maximum. The line below states how many points of each N differ
between the runs by 5 % at most. For a single run, the table has only its ratios.
"""
import json
import statistics
import sys


def least(points):
    """The right point with the smallest median time, over all block sizes; None without one."""
    return min((p for p in points if p["agrees"]), key=lambda p: p["time"]["median_us"], default=None)


def size(n):
    """2²⁰ for a power of two, otherwise 1,000,003."""
    exponent = str(n.bit_length() - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"2{exponent}" if n & (n - 1) == 0 else f"{n:,}"


def main(files):
    runs = [json.load(open(file))["points"] for file in files]
    if not runs:
        sys.exit(__doc__)
    sizes = sorted({point["n"] for run in runs for point in run})
    print(f"| runs: {len(runs)} | " + " | ".join(map(size, sizes)) + " |")
    print("| --- " * (len(sizes) + 1) + "|")
    for family, library in (("reduce", "cub::DeviceReduce"), ("scan", "cub::DeviceScan")):
        for element in ("int", "float"):
            row = []
            for n in sizes:
                ratios = []
                for run in runs:
                    here = [p for p in run if p["n"] == n and p["element"] == element]
                    fastest = least(p for p in here if p["kernel"].startswith(family + "/"))
                    # CUB's time in the same rounds; in older recordings CUB has rounds of its own.
                    beside = fastest.get("beside") if fastest else None
                    theirs = beside or least(p for p in here if p["kernel"] == library)
                    if fastest and theirs:
                        ratios.append(fastest["time"]["median_us"] / theirs["time"]["median_us"])
                if len(ratios) == 1:
                    row.append(f"{ratios[0]:.2f}")
                elif ratios:
                    row.append(f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
                else:
                    row.append("not measured")
            print(f"| {family}, {element} | " + " | ".join(row) + " |")
    if len(runs) == 1:
        return
    alike = []
    for n in sizes:
        times = {}
        for run in runs:
            for p in run:
                if p["n"] == n:
                    key = (p["kernel"], p["element"], p["block"], p["grid"])
                    times.setdefault(key, []).append(p["time"]["median_us"])
        known = [each for each in times.values() if len(each) == len(runs)]
        near = sum(max(each) - min(each) <= 0.05 * statistics.median(each) for each in known)
        alike.append(f"{size(n)}: {near} of {len(known)}")
    print("\nWithin 5 % in all runs: " + ", ".join(alike) + ".")


main(sys.argv[1:])
