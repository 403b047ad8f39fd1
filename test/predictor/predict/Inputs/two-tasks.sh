# two-tasks.sh LENGTH TOLERANCE: a tree with 5 ticks of serial code and a loop of two iterations,
# of 10 and LENGTH ticks.
cat <<TREE
{"format": "prophet-program-tree", "version": 1, "timebase_hz": 1000000000, "complete": true, "tolerance": $2,
 "program": {"command": ["two-tasks"]}, "sites": [{"name": "pair", "kind": "parallel_for"}], "locks": [],
 "nodes": [{"kind": "U", "length": 10}, {"kind": "task", "children": [[0, 1]]},
           {"kind": "U", "length": $1}, {"kind": "task", "children": [[2, 1]]},
           {"kind": "section", "site": 0, "children": [[1, 1], [3, 1]]}, {"kind": "U", "length": 5},
           {"kind": "root", "children": [[5, 1], [4, 1]]}], "root": 6}
TREE
