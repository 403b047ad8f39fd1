"""kill-while-synthesizing.py COMMAND...: ends prophet while an executor runs, which must end with it."""

import subprocess
import sys
import time


def state(pid):
    """'R', 'S', ... of a process; nothing where there is none."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return None


def wait_for(what, seconds=20):
    end = time.monotonic() + seconds
    while not (found := what()):
        if time.monotonic() > end:
            return None
        time.sleep(0.02)
    return found


def executor_of(prophet):
    with open(f"/proc/{prophet.pid}/task/{prophet.pid}/children") as file:
        for child in file.read().split():
            with open(f"/proc/{child}/cmdline") as command:
                if "executor" in command.read().split("\0")[0]:
                    return int(child)
    return None


prophet = subprocess.Popen(sys.argv[1:])
executor = wait_for(lambda: executor_of(prophet))
time.sleep(0.3)
assert executor and state(executor) not in (None, "Z"), "no executor runs"
prophet.kill()
prophet.wait()
assert wait_for(lambda: state(executor) in (None, "Z")), "the executor goes on without prophet"
