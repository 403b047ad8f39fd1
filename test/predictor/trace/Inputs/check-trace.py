"""check-trace.py FILE [EXPRESSION...]: the trace is well formed, and each Python expression holds of it.

Every event has a name, a category and a length; on each thread events nest or follow each other; the last one
ends when the run does. Arrows begin in an event and lead to the beginning of one. Expressions know: t, the
file; events, the complete events as dictionaries with `end` and `ticks`; arrows, from (thread, time) to (thread,
time); rows, the names of threads; ranges(site), the first iteration and the count of each task; nested(thread),
a row's tasks as a text, (A (B) (C)) where B and C are in A.
Assumes a clock of whole microseconds or nanoseconds, so that sums are exact.
"""
import json
import sys
from fractions import Fraction

t = json.loads(open(sys.argv[1]).read(), parse_float=Fraction)
other = t["otherData"]
rows = {e["tid"]: e["args"]["name"] for e in t["traceEvents"] if e["name"] == "thread_name"}
events = [e for e in t["traceEvents"] if e["ph"] == "X"]
assert any(e["name"] == "process_name" for e in t["traceEvents"])
for e in events:
    assert e["name"] and e["cat"] and e["pid"] == 1 and e["dur"] > 0 and e["tid"] in rows, e
    e["end"] = e["ts"] + e["dur"]
    e["ticks"] = Fraction(e["dur"]) * Fraction(other["timebase_hz"]) / 10**6
for thread in rows:
    open_ends = []
    for e in sorted((e for e in events if e["tid"] == thread), key=lambda e: (e["ts"], -e["dur"])):
        while open_ends and open_ends[-1] <= e["ts"]:
            open_ends.pop()
        assert not open_ends or e["end"] <= open_ends[-1], f"overlaps: {e}"
        open_ends.append(e["end"])
ends = {phase: {e["id"]: (e["tid"], e["ts"]) for e in t["traceEvents"] if e["ph"] == phase} for phase in "sf"}
assert ends["s"].keys() == ends["f"].keys(), "arrows without beginning or end"
arrows = sorted((ends["s"][number], ends["f"][number]) for number in ends["s"])
assert 2 * len(arrows) + len(events) == sum(e["ph"] != "M" for e in t["traceEvents"]), "arrows share a number"
for start, end in arrows:
    assert start[1] <= end[1] and start[0] != end[0], (start, end)
    assert any((e["tid"], e["ts"]) <= start and start[1] <= e["end"] for e in events if e["tid"] == start[0]), start
    assert any((e["tid"], e["ts"]) == end for e in events), end
length = max((e["end"] for e in events), default=0)
total = Fraction(length) * Fraction(other["timebase_hz"]) / 10**6
assert total == Fraction(other["ticks"]), f"ends at {total} of {other['ticks']} ticks"


def ranges(site):
    return sorted((e["args"]["first_iteration"], e["args"]["iterations"])
                  for e in events if e["cat"] == "task" and e["name"] == site)


def nested(thread):
    text, ends = "", []
    for e in (e for e in events if e["cat"] == "task" and e["tid"] == thread):  # in order of time, outer ones first
        while ends and ends[-1] <= e["ts"]:
            text += ")"
            ends.pop()
        again = "again " if "resumed" in e["args"] else ""
        text += f"({e['name']} {e['args']['first_iteration']} {again}{e['ts']}-{e['end']}"
        ends.append(e["end"])
    return text + ")" * len(ends)


def spent(category, thread=None):
    return sum(e["ticks"] for e in events if e["cat"] == category and thread in (None, e["tid"]))


for expression in sys.argv[2:]:
    if not eval(expression, {**globals()}):
        sys.exit(f"not true: {expression}\n" + "\n".join(map(str, events[:60])))
