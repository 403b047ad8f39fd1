# on-terminal.py COMMAND...: runs COMMAND with standard error on a terminal, and prints what comes there, escapes as \x1b.
import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
text = b""
try:
    while block := os.read(ours, 65536):
        text += block
except OSError:  # the terminal's other end is closed
    pass
print(text.decode().encode("unicode_escape").decode().replace("\\r", "\n"))
sys.exit(child.wait())
