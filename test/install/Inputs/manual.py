"""Compares what the programs' own help lists with the manual pages and the completion script.

manual.py prophet PROPHET PAGE | rewrite REWRITE PAGE | values PROPHET SCRIPT
"""
import re
import subprocess
import sys


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def options(text):
    """The options that begin a line of a help text, and those beside them."""
    lines = re.findall(r"^ +(-[^ ]*)", text, re.MULTILINE)
    return {word for line in lines for word in re.findall(r"(?<![a-z])--?[a-z][a-z-]*", line)}


def verbs(prophet):
    found = re.findall(r"^  ([a-z+]+) ", help_of(prophet).split("Subcommands:")[1], re.MULTILINE)
    assert len(found) > 5, found
    return found


def manual(page):
    """The text of a page without its markup: what stands in bold and what it says."""
    return re.sub(r"\\f[A-Z]|\\|^\.[A-Z]+ ", "", open(page).read(), flags=re.MULTILINE)


def missing(wanted, text):
    return sorted(word for word in wanted if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text))


def check_values(prophet, script):
    """An option whose help reads `a | b` takes words: the script must list them."""
    listed = dict(re.findall(r"^  ([^)\n]*)\) (.*) ;;", open(script).read(), re.MULTILINE))
    absent, seen = [], 0
    for verb in verbs(prophet):
        for option, text in re.findall(r"^ +(?:-o,)?(--[a-z-]+)[^\n]*? {2,}([^\n]*)", help_of(prophet, verb), re.MULTILINE):
            if " | " not in text:
                continue
            seen += 1
            words = " ".join(v for k, v in listed.items() if option in k.split(" | "))
            for choice in re.split(r" \| ", re.split(r"[:;=]", text)[0]):
                word = re.match(r"[a-z]+", choice)
                if word and not re.search(rf"\b{word[0]}\b", words):
                    absent.append(f"{option} {word[0]}")
    assert seen > 5, seen
    return absent


def main():
    what, program, file = sys.argv[1:]
    if what == "prophet":
        names = verbs(program)
        wanted = set(names) | options(help_of(program))
        for verb in names:
            wanted |= options(help_of(program, verb))
        assert len(wanted) > 25, wanted
        absent = missing(wanted, manual(file))
    elif what == "rewrite":
        absent = missing(options(help_of(program)), manual(file))
    else:
        absent = check_values(program, file)
    if absent:
        sys.exit(f"{file} lacks: {', '.join(absent)}")


main()
