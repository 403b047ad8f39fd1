# Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a memory profile: a line for each site, and one for each class that it uses with the accesses that are
a line's first, and those before which eight or more other lines were used."""
import json
import sys


def show(name, site):
    print(name, *(f"{key}={value}" for key, value in site["accesses"].items()))
    for kind, use in site["classes"].items():
        again = sum(count for distance, count in use["reuse"] if distance >= 8)
        if use["cold"] or use["reuse"]:
            print(f"  {kind} first={use['cold']} again={again}")
    written = site["writebacks"]
    print(f"  written={sum(count for _, count in written['reuse'])} dirty={written['never']}")


data = json.load(open(sys.argv[1]))
print("complete" if data["complete"] else "incomplete", "rate", data["rate"])
for each in data["sites"]:
    show(f"{each['name']} executions={each['executions']}", each)
for each in data.get("inner", []) if "--inner" in sys.argv else []:
    show(f"inner {each['name']} executions={each['executions']}", each)
if "--outside" in sys.argv:
    show("outside", data["outside"])
