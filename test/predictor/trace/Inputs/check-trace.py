"""check-trace.py FILE [EXPRESSION...]: the trace is well formed, and each Python expression holds of it.

Every event has a name, a category and a length; on each thread events nest or follow each other; the last one
ends when the run does. Expressions know: t, the file; events, the complete events as dictionaries with `end`
and `ticks`; rows, the names of threads; ranges(site), the first iteration and the count of each task.
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
length = max((e["end"] for e in events), default=0)
total = Fraction(length) * Fraction(other["timebase_hz"]) / 10**6
assert total == Fraction(other["ticks"]), f"ends at {total} of {other['ticks']} ticks"


def ranges(site):
    return sorted((e["args"]["first_iteration"], e["args"]["iterations"])
                  for e in events if e["cat"] == "task" and e["name"] == site)


def spent(category, thread=None):
    return sum(e["ticks"] for e in events if e["cat"] == category and thread in (None, e["tid"]))


for expression in sys.argv[2:]:
    if not eval(expression, {**globals()}):
        sys.exit(f"not true: {expression}\n" + "\n".join(map(str, events[:60])))
