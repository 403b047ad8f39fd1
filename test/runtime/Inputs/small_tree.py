"""small_tree.py BYTES TREE PROGRAM: runs PROGRAM until TREE, which it writes, is below BYTES.

What other programs on the machine do to a run is in its tree, as tasks that took longer: a busy
machine gets eight tries.
"""
import os
import subprocess
import sys

limit, tree, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
sizes = []
while len(sizes) < 8 and (not sizes or sizes[-1] >= limit):
    subprocess.run([program], check=True, env=dict(os.environ, PROPHET_OUT=tree))
    sizes.append(os.path.getsize(tree))
if sizes[-1] >= limit:
    sys.exit(f"{tree}: {sizes} bytes in {len(sizes)} runs, none below {limit}")
