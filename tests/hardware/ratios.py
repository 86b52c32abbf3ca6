#!/usr/bin/env python3
"""The median time of our fastest kernels over CUB's, with the spread of several runs, as a Markdown table.

    tests/hardware/ratios.py RUN.json RUN.json RUN.json

The runs are recordings of one device that `lanescope time ... --cub` made. Each ratio is of one run; the table has the
median of all runs and, in brackets, the least and the largest. Below it: how many points of each N differ between the
runs by 5 % at most.
"""
import json
import statistics
import sys


def median_us(points):
    """The least median of these points, of several block sizes; None without one."""
    return min((point["time"]["median_us"] for point in points if point["agrees"]), default=None)


def main(files):
    runs = [json.load(open(file))["points"] for file in files]
    if len(runs) < 2:
        sys.exit(__doc__)
    sizes = sorted({point["n"] for run in runs for point in run})
    print("| of " + str(len(runs)) + " runs | " + " | ".join(f"2^{n.bit_length() - 1}" for n in sizes) + " |")
    print("| --- " * (len(sizes) + 1) + "|")
    for family, library in (("reduce", "cub::DeviceReduce"), ("scan", "cub::DeviceScan")):
        for element in ("int", "float"):
            row = []
            for n in sizes:
                ratios = []
                for run in runs:
                    here = [p for p in run if p["n"] == n and p["element"] == element]
                    ours = median_us(p for p in here if p["kernel"].startswith(family + "/"))
                    theirs = median_us(p for p in here if p["kernel"] == library)
                    if ours and theirs:
                        ratios.append(ours / theirs)
                if ratios:
                    row.append(f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
                else:
                    row.append("not measured")
            print(f"| {family}, {element} | " + " | ".join(row) + " |")
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
        alike.append(f"2^{n.bit_length() - 1}: {near} of {len(known)}")
    print("\nWithin 5 % in all runs: " + ", ".join(alike) + ".")


main(sys.argv[1:])
