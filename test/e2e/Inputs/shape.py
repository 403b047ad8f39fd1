#!/usr/bin/env python3
"""Prints a program tree without its times: each site with how often it ran, its tasks, and the
critical sections entered in it, all repeats multiplied out."""
import collections
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        tree = json.load(file)
    nodes, root = tree["nodes"], tree["root"]
    executions = [0] * len(nodes)
    executions[root] = 1
    owners = [collections.Counter() for _ in nodes]  # executions by the site around them
    owners[root][None] = 1
    counts = collections.defaultdict(collections.Counter)
    for index in range(root, -1, -1):  # parents have larger indices than their children
        node = nodes[index]
        for child, repeat in node.get("children", []):
            for site, times in owners[index].items():
                inner = node["site"] if node["kind"] == "section" else site
                owners[child][inner] += times * repeat
        for site, times in owners[index].items():
            if node["kind"] == "section":
                counts[node["site"]]["executions"] += times
                if site is not None:
                    counts[node["site"]]["nested in " + tree["sites"][site]["name"]] += times
            elif node["kind"] == "task":
                counts[site]["tasks"] += times
            elif node["kind"] == "L":
                counts[site][f"lock '{tree['locks'][node['lock']]}'"] += times
    print("complete" if tree["complete"] else "incomplete")
    for site in sorted(counts, key=lambda site: -1 if site is None else site):
        if site is None:
            name = "root"
        else:
            it = tree["sites"][site]
            name = f"{it['name']} {it['kind']} {it['file'].rsplit('/', 1)[-1]}:{it['line']}"
        for what in sorted(counts[site]):
            print(f"{name}: {what}: {counts[site][what]}")


main()
