"""usage: status.py STATUS COMMAND...   runs COMMAND and checks how it ends: an exit status or a signal's name"""
import signal
import subprocess
import sys

wanted, command = sys.argv[1], sys.argv[2:]
status = subprocess.run(command, timeout=120).returncode
found = signal.Signals(-status).name if status < 0 else str(status)
if found != wanted:
    sys.exit(f"ended with {found}, not {wanted}")
