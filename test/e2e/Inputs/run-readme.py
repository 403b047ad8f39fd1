#!/usr/bin/env python3
"""Does what README.md shows: writes the files and runs the commands of the blocks that are marked

    <!-- file: NAME -->   the block that follows is the content of NAME
    <!-- run -->          the block that follows is run; where a line is prefixed by '$ ' those
                          lines are the commands and the others a sample of their output

usage: run-readme.py README DIRECTORY TOOLS. Everything happens in DIRECTORY; the programs in the
directory TOOLS are found first. Prints each command.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^<!-- (?:file: (?P<file>\S+)|(?P<run>run)) -->\n+```\w*\n(?P<text>.*?)^```$",
                   re.MULTILINE | re.DOTALL)


def commands(text):
    marked = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    return marked or text.splitlines()


def main():
    readme, directory = Path(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PATH=f"{sys.argv[3]}:{os.environ['PATH']}")
    ran = 0
    for block in BLOCK.finditer(readme.read_text(encoding="utf-8")):
        if block["file"]:
            (directory / block["file"]).write_text(block["text"], encoding="utf-8")
            continue
        for command in commands(block["text"]):
            print(f"$ {command}", flush=True)
            subprocess.run(["bash", "-c", command], cwd=directory, env=environment, check=True)
            ran += 1
    print(f"{ran} commands succeeded")


main()
