"""guide_page.py - pages with commands: parse them, run and compare.

tests/cli/guide.t describes how a page is written.
"""

import os
import re
from difflib import SequenceMatcher

from screen import at_terminal


class Command:
    def __init__(self, line, text):
        self.line, self.text = line, text
        self.output, self.status = "", 0
        self.first = self.last = line   # lines of the output: [first, last)

    def replace(self, got):
        """Show this output; keep the "..." of the old one where they fit."""
        old, new = self.output.splitlines(), got.splitlines()
        kept = []
        for kind, a, b, c, d in SequenceMatcher(
                None, [label(x) for x in old], [label(x) for x in new],
                autojunk=False).get_opcodes():
            if kind == "equal":
                kept += [o if matches(o, n) else n
                         for o, n in zip(old[a:b], new[c:d])]
            else:
                kept += ["..."] if "..." in old[a:b] else new[c:d]
        text = "".join(line + "\n" for line in kept)
        self.output = text if matches(text, got) else got


def label(line):
    """What a line of output is about: its first column, or its beginning."""
    return line.split("  ")[0][:16]


class Page:
    """A Markdown file: its commands, inline code, links, other blocks."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.commands, self.other_code = [], []
        with open(path, encoding="utf-8") as f:
            self.lines = f.read().splitlines()
        self._parse()

    def _parse(self):
        fence, prose, status = None, [], 0
        for number, line in enumerate(self.lines, 1):
            if fence is None and line.lstrip().startswith(("```", "~~~")):
                fence = line.strip()
                first = len(self.commands)
                if fence != "```console":
                    self.other_code.append(f"line {number}: {line}")
                told = re.fullmatch(r"<!-- exit status (\d+) -->",
                                    self.lines[number - 2])
                status = int(told[1]) if told else 0
            elif fence and line.startswith(fence[:3]):
                if fence == "```console" and len(self.commands) > first:
                    self.commands[-1].status = status
                fence = None
            elif fence is None:
                prose.append(line)
                if re.match(r"    |\t|.*(```|~~~|<pre|<code)", line):
                    self.other_code.append(f"line {number}: {line}")
            elif fence == "```console":
                self._console(number, line, first)
        text = "\n".join(prose)
        self.spans = [" ".join(s.split())
                      for s in re.findall(r"`([^`]+)`", text)]
        self.links = re.findall(r"\]\(([^)\s]+)\)", text)
        self.anchors = {anchor(line) for line in prose
                        if line.startswith("#")}

    def _console(self, number, line, first):
        last = self.commands[-1] if len(self.commands) > first else None
        if line.startswith("$ "):
            self.commands.append(Command(number, line[2:]))
        elif last is None:
            self.other_code.append(f"line {number}: {line}")
            return
        elif not last.output and last.text.endswith("\\"):
            last.text += "\n" + line
        else:
            last.output += line + "\n"
            self.commands[-1].last = number
            return
        self.commands[-1].first = self.commands[-1].last = number

    def broken(self):
        """Links to files or headings that are not there."""
        bad = []
        for link in self.links:
            if re.match(r"[a-z]+:", link):
                continue
            file, _, name = link.partition("#")
            path = os.path.join(os.path.dirname(self.path), file) \
                if file else self.path
            if not os.path.exists(path) or name and path.endswith(".md") \
               and name not in Page(path).anchors:
                bad.append(link)
        return bad

    def write(self):
        """Write the outputs of the commands into the file."""
        for c in reversed(self.commands):
            self.lines[c.first:c.last] = c.output.splitlines()
        with open(self.path, "w", encoding="utf-8") as f:
            f.write("\n".join(self.lines) + "\n")


def anchor(heading):
    """The name that GitHub gives to a heading."""
    text = heading.lstrip("#").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def matches(want, got):
    """Is this the output?  "..." stands for any text; see guide.t."""
    parts = []
    for line in want.splitlines(keepends=True):
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*".join(map(re.escape, line.split("..."))))
    return re.fullmatch("".join(parts), got) is not None


def terminal(command, env):
    """Run a shell command at a terminal: exit status and what it shows."""
    status, text, _ = at_terminal(["bash", "-o", "pipefail", "-c", command],
                                  env=env)
    # A progress line that was rewritten is not there any more.
    return status, re.sub(r"[^\n]*\r", "", text).replace("\033[K", "")
