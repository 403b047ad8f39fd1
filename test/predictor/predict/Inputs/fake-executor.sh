#!/bin/sh
# Stands for an executor. Its Nth call finds a run of the plan to take as long as the serial program, half as long again at the Nth
# call and so on; the call with the number in the file beside it takes more than a second in earnest.
calls=$(cat "$0.calls" 2>/dev/null)
calls=$((${calls:-0} + 1))
echo $calls > "$0.calls"
[ "$calls" -ge "$(cat "$0.last")" ] && sleep 1.5
printf '{"priority": "normal", "wakeup_ns": 0, "runs": ['
awk -v n="$calls" '$1 == "u" { length_ = $2 }
  $1 == "run" { printf "%s{\"units\": 0, \"groups\": [%.0f, 0], \"overhead_units\": 0, \"wall_seconds\": 0.5, \"foreign_cores\": 0, \"waited_share\": 0}",
                separator, 2 * length_ * (1 + (n - 1) / 2); separator = "," }'
echo ']}'
