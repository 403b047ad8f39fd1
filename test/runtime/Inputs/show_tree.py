"""Checks a program-tree file against the format and prints it in one line a fact.

usage: show_tree.py FILE [--without-u]    complete, counters that are not 0, and the tree without lengths

--without-u leaves computation out of the tree: pieces so short that the clock decides whether they are seen.
"""
import json
import sys

ALLOWED = {
    "root": {"U", "L", "section"},
    "task": {"U", "L", "section"},
    "L": {"U", "L"},
    "section": {"task"},
}


def fail(what):
    sys.exit(f"invalid tree: {what}")


def check(tree):
    if tree["format"] != "prophet-program-tree" or tree["version"] != 1:
        fail("format")
    if not tree["timebase_hz"] > 0:
        fail("timebase")
    nodes = tree["nodes"]
    for number, node in enumerate(nodes):
        kind = node["kind"]
        if kind == "U" or (kind == "L" and "children" not in node):
            if not node["length"] >= 0:
                fail(f"length of node {number}")
            continue
        if kind == "L" and not 0 <= node["lock"] < len(tree["locks"]):
            fail(f"lock of node {number}")
        if kind == "section" and not 0 <= node["site"] < len(tree["sites"]):
            fail(f"site of node {number}")
        allowed = set(ALLOWED[kind])
        if kind == "section" and tree["sites"][node["site"]]["kind"] == "tasks":
            allowed |= ALLOWED["root"]
        for child, repeat in node["children"]:
            if not 0 <= child < number or repeat < 1 or nodes[child]["kind"] not in allowed:
                fail(f"child {child} of node {number}")
    if nodes[tree["root"]]["kind"] != "root":
        fail("root")


def text_of(tree, without_u):
    """A line for every node, from the leaves up, then the root's line."""
    lines = []
    for node in tree["nodes"]:
        kind = node["kind"]
        if kind == "L":
            kind += "(" + tree["locks"][node["lock"]] + ")"
        if kind == "section":
            kind = tree["sites"][node["site"]]["name"]
        inside = []
        for child, repeat in node.get("children", []):
            if without_u and tree["nodes"][child]["kind"] == "U":
                continue
            if inside and inside[-1][0] == lines[child]:
                inside[-1][1] += repeat
            else:
                inside.append([lines[child], repeat])
        text = " ".join((f"{n}*" if n > 1 else "") + t for t, n in inside)
        lines.append(kind + (f"[{text}]" if inside else ""))
    return lines[tree["root"]]


def total(tree):
    sums = []
    for node in tree["nodes"]:
        sums.append(node.get("length", 0) + sum(n * sums[c] for c, n in node.get("children", [])))
    return sums[tree["root"]]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        tree = json.load(file)
    check(tree)
    print("complete:", str(tree["complete"]).lower())
    always = {"overhead_ticks_per_event", "subtracted_ticks", "noise_ticks", "waited_ticks"}
    for name, value in tree["profiler"].items():
        if value and not isinstance(value, str) and name not in always:  # why there are no counters depends on the machine
            print(f"{name}: {value}")
    print("tree:", text_of(tree, "--without-u" in sys.argv[2:]))
    print(f"seconds: {total(tree) / tree['timebase_hz']:.6f}")


if __name__ == "__main__":
    main()
