"""check-paradigm.py TRACE PREDICTION PARADIGM SCHEDULE: the trace of mandel.json ends with the prediction's first estimate."""

import json
import sys

trace, prediction = (json.load(open(path)) for path in sys.argv[1:3])
paradigm, schedule = sys.argv[3:]
about, estimate = trace["otherData"], prediction["estimates"][0]
assert (about["paradigm"], about["schedule"]) == (paradigm, schedule) == (estimate["paradigm"], estimate["schedule"])
assert about["ticks"] == estimate["ticks"]
events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
end = max(event["ts"] + event["dur"] for event in events)
assert abs(end - about["ticks"] / about["timebase_hz"] * 1e6) < 1e-6, end
computed = sum(event["dur"] for event in events if event["cat"] in ("compute", "lock", "serial"))
assert abs(computed - prediction["serial_ticks"] / about["timebase_hz"] * 1e6) < 1e-3, computed
