"""kill-with-helper.py NAME COMMAND...: kills prophet while its helper program NAME... runs, which must end with it.

The helper is stopped before, so that it cannot end by itself.
"""

import os
import signal
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


def helper_of(prophet):
    with open(f"/proc/{prophet.pid}/task/{prophet.pid}/children") as file:
        for child in file.read().split():
            try:
                with open(f"/proc/{child}/cmdline") as command:
                    if sys.argv[1] in command.read().split("\0")[0]:
                        return int(child)
            except (FileNotFoundError, ProcessLookupError):  # it has ended
                pass
    return None


def threads_of(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except FileNotFoundError:
        return 0


def stopped_helper(prophet):
    """One that has been stopped while it had threads: it makes them once it knows whom it ends with."""
    helper = helper_of(prophet)
    if helper is None or not wait_for(lambda: threads_of(helper) != 1, 2) or threads_of(helper) == 0:
        return None
    try:
        os.kill(helper, signal.SIGSTOP)
    except ProcessLookupError:
        return None
    wait_for(lambda: state(helper) in ("T", "Z", None), 2)
    return helper if state(helper) == "T" else None


prophet = subprocess.Popen(sys.argv[2:])
helper = wait_for(lambda: stopped_helper(prophet))
assert helper, "no helper runs"
prophet.kill()
prophet.wait()
if not wait_for(lambda: state(helper) in (None, "Z")):
    os.kill(helper, signal.SIGKILL)
    sys.exit("the helper goes on without prophet")
