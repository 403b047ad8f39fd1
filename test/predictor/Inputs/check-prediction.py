"""check-prediction.py FILE EXPRESSION...: each Python expression over the prediction `p` holds."""
import json
import sys

p = json.load(open(sys.argv[1]))
for expression in sys.argv[2:]:
    if not eval(expression, {"p": p}):
        sys.exit(f"not true: {expression}\n{json.dumps(p, indent=1)}")
